package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.kubernetes.FakeApi.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What users are told when a cluster does not do what it was asked. */
@Timeout(60)
class RefusalTest {
    private static final String NOT_ALLOWED =
            "clustertrainingruntimes.trainer.kubeflow.org is forbidden: User \"dev\" cannot"
                    + " list resource \"clustertrainingruntimes\" in API group \"trainer.kubeflow.org\" at the cluster scope";

    @TempDir
    private Path directory;

    private FakeApi api;
    private Backend backend;

    @BeforeEach
    void open() throws IOException {
        api = new FakeApi();
        api.on("GET", FakeApi.CLUSTER_RUNTIMES, asked -> Reply.list(List.of()));
        api.on("GET", FakeApi.RUNTIMES, asked -> Reply.list(List.of(Json.parseObject(Runtimes.TORCH))));
        api.on(
                "GET",
                FakeApi.RUNTIMES + "/torch-distributed",
                asked -> new Reply(200, java.util.Map.of(), Runtimes.TORCH));
        backend = Backends.of(api.kubeconfig(directory, "token: secret"));
    }

    @AfterEach
    void close() {
        backend.close();
        api.close();
    }

    @Test
    void whoMaySeeOnlyANamespaceUsesTheRuntimesInIt() {
        api.on("GET", FakeApi.CLUSTER_RUNTIMES, asked -> Reply.refusal(403, NOT_ALLOWED));

        assertThat(backend.runtimes()).extracting(TrainingRuntime::name).containsExactly("torch-distributed");
        assertThat(backend.runtimes()).hasSize(1);
        assertThat(backend.runtime("torch-distributed").framework()).isEqualTo("torch");
        assertThat(api.asked()).extracting(FakeApi.Asked::path).noneMatch(path -> path.contains("configmaps"));
    }

    @Test
    void aMissingRightIsToldWithTheRuleThatGivesIt() {
        api.on(
                "GET",
                FakeApi.PODS,
                asked -> Reply.refusal(
                        403,
                        "pods is forbidden: User \"dev\" cannot list resource \"pods\" in API group \"\" in the namespace"
                                + " \"team\""));
        api.on("GET", FakeApi.TRAIN_JOBS, asked -> Reply.list(List.of()));

        assertThatThrownBy(backend::list)
                .isExactlyInstanceOf(TrainerException.class)
                .hasMessageContaining("you may not list pods in namespace team of the cluster at " + api.address())
                .hasMessageContaining(
                        "ask for a Role with the rule {apiGroups: [\"\"], resources: [pods], verbs: [list]}")
                .satisfies(e -> assertThat(((TrainerException) e).reason()).hasValue("Forbidden"));
    }

    @Test
    void theRefusalOfAWebhookIsAboutTheJobAndBeginsWithTheField() {
        refuseCreation(
                403,
                "admission webhook \"validator.trainjob.trainer.kubeflow.org\" denied the request: spec.trainer.env: Invalid"
                        + " value: \"PET_NNODES\": must not be set");

        assertThatThrownBy(this::train)
                .isInstanceOf(InvalidJobException.class)
                .hasMessage(
                        "the cluster refuses the job: spec.trainer.env: Invalid value: \"PET_NNODES\": must not be set"
                                + " (says the admission webhook validator.trainjob.trainer.kubeflow.org)");
    }

    @Test
    void aFullQuotaIsNoMissingRight() {
        refuseCreation(
                403, "trainjobs.trainer.kubeflow.org \"x\" is forbidden: exceeded quota: jobs, used: 2, limited: 2");

        assertThatThrownBy(this::train).isInstanceOf(InvalidJobException.class).hasMessageContaining("exceeded quota");
    }

    @Test
    void aFieldThatTheClusterDoesNotKnowIsNamed() {
        refuseCreation(
                400,
                "TrainJob in version \"v1alpha1\" cannot be handled as a TrainJob: strict decoding error: unknown field"
                        + " \"spec.runtimePatches\"");

        assertThatThrownBy(this::train)
                .isInstanceOf(InvalidJobException.class)
                .hasMessageStartingWith(
                        "the cluster does not know spec.runtimePatches: its Kubeflow Trainer is of another");
    }

    @Test
    void aValueThatTheClusterDoesNotTakeIsNamed() {
        refuseCreation(422, "TrainJob \"x\" is invalid: spec.trainer.numNodes: Invalid value: 0");

        assertThatThrownBy(this::train)
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("spec.trainer.numNodes: Invalid value: 0");
    }

    @Test
    void aClusterWithoutTrainerIsToldAndNoJobIsSaidToBeMissing() {
        api.on("GET", "/apis/trainer.kubeflow.org.*", asked -> Reply.refusal(404, "404 page not found"));

        assertThatThrownBy(() -> backend.get("job"))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("if it lacks Kubeflow Trainer, install that there");
        assertThatThrownBy(backend::list)
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("if it lacks Kubeflow Trainer, install that there");
        assertThatThrownBy(this::train)
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("if it lacks Kubeflow Trainer, install that there");
    }

    @Test
    void aClusterWithoutJobSetIsToldBeforeAnythingIsCreated() {
        api.on("GET", "/apis/jobset.x-k8s.io", asked -> Reply.refusal(404, "404 page not found"));

        assertThatThrownBy(this::train)
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("has Kubeflow Trainer, but not JobSet");
        assertThat(api.asked()).noneMatch(asked -> asked.method().equals("POST"));
    }

    @Test
    void aNamespaceThatIsNotThereIsTold() {
        refuseCreation(404, "namespaces \"team\" not found");

        assertThatThrownBy(this::train)
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("has no namespace team; create it");
    }

    @Test
    void aJobThatIsNotThereIsMissed() {
        assertThatThrownBy(() -> backend.get("job")).isInstanceOf(JobNotFoundException.class);
    }

    private void refuseCreation(int code, String words) {
        api.on("POST", FakeApi.TRAIN_JOBS, asked -> Reply.refusal(code, words));
    }

    private void train() {
        backend.train(
                TrainJobRequest.builder().trainer(CommandTrainer.of("true")).build(), ProgressListener.none());
    }
}
