package io.github.trainer4j.client.trainjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.RuntimeField;
import io.github.trainer4j.api.RuntimePatch;
import io.github.trainer4j.api.RuntimeRef;
import io.github.trainer4j.api.RuntimeTrainer;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ReadJobsTest {
    static String job(String spec) {
        return """
                apiVersion: trainer.kubeflow.org/v1alpha1
                kind: TrainJob
                metadata: {name: led}
                spec:
                  runtimeRef: {name: torch-distributed}
                """ + spec.indent(2);
    }

    private static TrainJobRequest one(String spec) {
        return TrainJobs.read(job(spec), "job.yaml").get(0);
    }

    private static TrainJobRequest full() throws Exception {
        return TrainJobs.read(
                        Path.of(ReadJobsTest.class.getResource("full.yaml").toURI()))
                .get(0);
    }

    @Test
    void everyFieldArrives() throws Exception {
        TrainJobRequest job = full();

        assertThat(job.name()).contains("led-1");
        assertThat(job.labels()).isEqualTo(Map.of("team", "vision"));
        assertThat(job.annotations()).isEqualTo(Map.of("example.com/owner", "Zoë"));
        assertThat(job.deadline()).contains(Duration.ofHours(1));
        CommandTrainer trainer = (CommandTrainer) job.trainer().orElseThrow();
        assertThat(trainer.nodes().image()).contains("example/led:2");
        assertThat(trainer.nodes().numNodes()).hasValue(3);
        assertThat(trainer.nodes().numProcPerNode()).hasValue(2);
        assertThat(trainer.nodes().env()).isEqualTo(Map.of("GREETING", "hello", "LONG", "hello, world", "EMPTY", ""));
        assertThat(trainer.nodes().secretEnv()).isEqualTo(Map.of("KEY", Secret.reference("keys", "wandb")));
        assertThat(trainer.nodes().resourcesPerNode().amounts()).hasToString("{cpu=2, memory=4Gi, gpu=1, storage=1Gi}");
        assertThat(job.options())
                .containsExactly(new RuntimePatch(Map.of(
                        "template",
                        Map.of(
                                "spec",
                                Map.of(
                                        "replicatedJobs",
                                        List.of(Map.of(
                                                "name",
                                                "node",
                                                "template",
                                                Map.of(
                                                        "spec",
                                                        Map.of(
                                                                "template",
                                                                Map.of(
                                                                        "spec",
                                                                        Map.of(
                                                                                "hostNetwork",
                                                                                true,
                                                                                "terminationGracePeriodSeconds",
                                                                                5L)))))))))));
    }

    @Test
    void initializersHaveTheirOptionsAndSecrets() throws Exception {
        assertThat(full().initializers())
                .containsExactly(
                        InitializerSpec.dataset("hf://org/data@main")
                                .option("ignore_patterns", "*.bin,*.pt")
                                .secret("access_token", Secret.reference("hub", "token")),
                        InitializerSpec.model("s3://models/base/")
                                .option("endpoint", "https://minio.example.com")
                                .secret("secret_access_key", Secret.of("s3cr3t")));
    }

    @Test
    void aRuntimeInTheSameTextIsTheRuntime() throws Exception {
        assertThat(full().runtime().orElseThrow().value().orElseThrow())
                .satisfies(runtime -> assertThat(runtime.command()).containsExactly("python3", "/app/train.py"))
                .satisfies(runtime -> assertThat(runtime.numNodes()).isEqualTo(2));
    }

    @Test
    void aRuntimeOfAnotherKindIsNot() {
        String text = job("").replace("{name: torch-distributed}", "{name: led, kind: TrainingRuntime}");
        assertThat(TrainJobs.read(text, "f").get(0).runtime().orElseThrow().value())
                .isEmpty();
    }

    @Test
    void referencesAreReplacedAsAClusterDoesAndShellsKeepTheirs() throws Exception {
        assertThat(((CommandTrainer) full().trainer().orElseThrow()).command())
                .containsExactly("sh", "-c", "echo \"$(date) hello $(GREETING) $HOME\" '#'\nexec python3 train.py\n");
    }

    @Test
    void severalJobsAndListsAreRead() {
        String second = job("").replace("name: led", "name: led-2");
        String list = """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: trainer.kubeflow.org/v1alpha1
                  kind: TrainJob
                  metadata: {name: led-3}
                  spec: {runtimeRef: {name: r}}
                """;
        assertThat(TrainJobs.read(job("") + "---\n" + second + "---\n" + list, "f"))
                .extracting(request -> request.name().orElseThrow())
                .containsExactly("led", "led-2", "led-3");
    }

    @Test
    void aStreamIsReadToo() {
        assertThat(TrainJobs.read(new ByteArrayInputStream(job("").getBytes(StandardCharsets.UTF_8)), "standard input"))
                .hasSize(1);
    }

    @Test
    void aTrainerWithoutACommandIsTheRuntimes() {
        assertThat(one("trainer: {numNodes: 2}").trainer())
                .contains(RuntimeTrainer.defaults().numNodes(2));
        assertThat(one("trainer: {args: [--epochs, \"3\"]}").trainer())
                .contains(RuntimeTrainer.defaults().args("--epochs", "3"));
        assertThat(one("").trainer()).isEmpty();
    }

    @Test
    void tuneRunIsTheTrainerThatTheRuntimeBrings() {
        Optional<Trainer> trainer =
                one("trainer: {command: [tune, run], args: [batch_size=4, dataset.data_dir=/workspace/dataset]}")
                        .trainer();
        assertThat(((BuiltinTrainer) trainer.orElseThrow()).config().overrides())
                .isEqualTo(Map.of("batch_size", "4"));
    }

    @Test
    void whatOnlyAClusterCanDoIsKept() {
        String text = job("""
                suspend: true
                managedBy: kueue.x-k8s.io/multikueue
                initializer: {dataset: {storageUri: hf://a/b, secretRef: {name: s}}}
                trainer:
                  resourcesPerNode:
                    limits: {cpu: 2}
                    requests: {cpu: 500m}
                """).replace("{name: led}", "{name: led, namespace: team}");
        assertThat(TrainJobs.read(text, "f").get(0).options())
                .containsExactlyInAnyOrder(
                        new TrainJobField("metadata.namespace", "team"),
                        new TrainJobField("spec.suspend", true),
                        new TrainJobField("spec.managedBy", "kueue.x-k8s.io/multikueue"),
                        new TrainJobField("spec.initializer.dataset.secretRef", Map.of("name", "s")),
                        new TrainJobField("spec.trainer.resourcesPerNode.requests.cpu", "500m"));
    }

    @Test
    void valuesThatOnlyAClusterHasAreKept() {
        String text = job("""
                initializer:
                  dataset:
                    storageUri: hf://a/b
                    env: [{name: ACCESS_TOKEN, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}]
                trainer:
                  env: [{name: MODE, value: fast}, {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
                """);
        TrainJobRequest read = TrainJobs.read(text, "f").get(0);
        assertThat(read.options())
                .containsExactly(
                        new TrainJobField(
                                "spec.initializer.dataset.env[name=\"ACCESS_TOKEN\"].valueFrom.secretKeyRef",
                                Map.of("name", "s", "key", "k", "optional", true)),
                        new TrainJobField(
                                "spec.trainer.env[name=\"POD\"].valueFrom.fieldRef",
                                Map.of("fieldPath", "metadata.name")));
        assertThat(read.nodes().env()).isEqualTo(Map.of("MODE", "fast"));
        assertThat(TrainJobs.read(TrainJobs.write(read), "f")).containsExactly(read);
    }

    private static final String RUNTIME = """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: ClusterTrainingRuntime
            metadata: {name: torch-distributed, labels: {trainer.kubeflow.org/framework: torch}}
            spec:
              mlPolicy: {numNodes: 1, torch: {}}
              podGroupPolicy: {coscheduling: {}}
              template:
                spec:
                  network: {publishNotReadyAddresses: true}
                  volumeClaimPolicies: [{templates: [{metadata: {name: initializer}}]}]
                  replicatedJobs:
                  - name: dataset-initializer
                    groupName: default
                    template:
                      metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}
                      spec:
                        template:
                          spec:
                            containers:
                            - name: dataset-initializer
                              image: i
                              env: [{name: STORAGE_URI, value: hf://a/b}]
                              volumeMounts: [{name: initializer, mountPath: /workspace}]
                            volumes: [{name: initializer, persistentVolumeClaim: {claimName: c}}]
                  - name: node
                    replicas: 1
                    dependsOn: [{name: dataset-initializer, status: Complete}]
                    template:
                      metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer, team: a}}
                      spec:
                        backoffLimit: 3
                        template:
                          spec:
                            restartPolicy: Never
                            hostNetwork: true
                            tolerations: [{key: gpu, operator: Exists}]
                            volumes: [{name: initializer, emptyDir: {}}, {name: other, emptyDir: {}}]
                            containers:
                            - name: sidecar
                              image: s
                            - name: node
                              image: a
                              command: [run]
                              env:
                              - {name: A, value: b}
                              - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                              volumeMounts:
                              - {name: initializer, mountPath: /workspace}
                              - {name: other, mountPath: /other}
            """;

    @Test
    void whatOnlyAClusterCanDoWithARuntimeIsKept() {
        TrainJobRequest read = TrainJobs.read(RUNTIME + "---\n" + job(""), "f").get(0);
        String job = "spec.template.spec.replicatedJobs[name=\"node\"].template.";
        String pod = job + "spec.template.spec.";
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(
                "spec.template.spec.replicatedJobs[name=\"dataset-initializer\"].template.spec.template.spec"
                        + ".containers[name=\"dataset-initializer\"].env[name=\"STORAGE_URI\"].value",
                "hf://a/b");
        fields.put(job + "metadata.labels.team", "a");
        fields.put(job + "spec.backoffLimit", 3L);
        fields.put(pod + "hostNetwork", true);
        fields.put(pod + "tolerations", List.of(Map.of("key", "gpu", "operator", "Exists")));
        fields.put(pod + "volumes[name=\"other\"].emptyDir", Map.of());
        fields.put(pod + "containers[name=\"sidecar\"].image", "s");
        fields.put(
                pod + "containers[name=\"node\"].env[name=\"POD\"].valueFrom",
                Map.of("fieldRef", Map.of("fieldPath", "metadata.name")));
        fields.put(pod + "containers[name=\"node\"].volumeMounts[name=\"other\"].mountPath", "/other");
        List<RuntimeField> expected = new ArrayList<>();
        fields.forEach((path, value) -> expected.add(new RuntimeField("torch-distributed", path, value)));

        assertThat(read.options()).hasSameElementsAs(expected).hasSameSizeAs(expected);
        assertThat(read.runtime().orElseThrow().value().orElseThrow().env()).isEqualTo(Map.of("A", "b"));
        assertThat(TrainJobs.read(TrainJobs.write(read), "f").get(0).options()).hasSameElementsAs(expected);
    }

    @Test
    void whatARuntimeFetchesIsNothingToAJobThatSaysItself() {
        String text = RUNTIME + "---\n" + job("initializer: {dataset: {storageUri: hf://c/d}}");
        assertThat(TrainJobs.read(text, "f").get(0).options())
                .extracting(JobOption::optionName)
                .hasSize(8)
                .noneMatch(name -> name.contains("STORAGE_URI"));
    }

    @Test
    void theKindOfARuntimeElsewhereIsKept() {
        String text = job("").replace("{name: torch-distributed}", "{name: led, kind: TrainingRuntime}");
        assertThat(TrainJobs.read(text, "f").get(0).runtime())
                .contains(RuntimeRef.named("led", TrainingRuntime.Scope.NAMESPACE));
        assertThat(TrainJobs.read(job(""), "f").get(0).runtime())
                .contains(RuntimeRef.named("torch-distributed", TrainingRuntime.Scope.CLUSTER));
    }

    @Test
    void anAliasStandsForItsValue() {
        assertThat(one("trainer: {env: [&a {name: A, value: &v fast}, {name: B, value: *v}], command: [sh, *v]}")
                        .nodes()
                        .env())
                .isEqualTo(Map.of("A", "fast", "B", "fast"));
    }

    @Test
    void amountsThatMeanTheSameDoNotDiffer() {
        assertThat(one("trainer: {resourcesPerNode: {limits: {cpu: 2}, requests: {cpu: 2000m}}}")
                        .options())
                .isEmpty();
    }

    @Test
    void aByteOrderMarkIsNoContent() {
        assertThat(TrainJobs.read("\uFEFF" + job(""), "f")).hasSize(1);
        assertThat(one("trainer: {}").nodes().numNodes()).isEqualTo(OptionalInt.empty());
    }
}
