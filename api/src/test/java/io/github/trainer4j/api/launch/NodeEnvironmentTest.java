package io.github.trainer4j.api.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the environment of nodes says: where they meet, how many they are, what the job and the runtime want. */
class NodeEnvironmentTest {
    private static final Placement POD =
            Placement.container("mnist", "mnist-node-0", path -> "/workspace/lib/" + path.getFileName());
    private static final Placement HOST = new Placement(
            "mnist", "/home/ada/mnist", "/venv/bin/python", "/jdk/bin/java", ":", Path::toString, "127.0.0.1", 40001);
    private static final TrainingRuntime PLAIN = TrainingRuntime.of("plain", "plain", "test");
    private static final TrainingRuntime TORCH = TrainingRuntime.of("torch-distributed", "torch", "test");

    @ParameterizedTest
    @ValueSource(strings = {"torch", "torchtune"})
    void torchNodesMeetByPetVariables(String framework) {
        TrainingRuntime runtime = TrainingRuntime.of("r", framework, "test");

        Map<String, String> env = launch(
                        request(CommandTrainer.of("x").numNodes(3).numProcPerNode(2)), runtime)
                .node(2, HOST)
                .env();

        assertThat(env)
                .containsEntry("PET_NNODES", "3")
                .containsEntry("PET_NPROC_PER_NODE", "2")
                .containsEntry("PET_NODE_RANK", "2")
                .containsEntry("PET_MASTER_ADDR", "127.0.0.1")
                .containsEntry("PET_MASTER_PORT", "40001");
    }

    @Test
    void jaxNodesMeetByJaxVariables() {
        Map<String, String> env = launch(
                        request(CommandTrainer.of("x").numNodes(2)), TrainingRuntime.of("r", "jax", "test"))
                .node(1, POD)
                .env();

        assertThat(env)
                .containsEntry("JAX_NUM_PROCESSES", "2")
                .containsEntry("JAX_PROCESS_ID", "1")
                .containsEntry("JAX_COORDINATOR_ADDRESS", "mnist-node-0:29500")
                .doesNotContainKey("PET_NNODES");
    }

    @ParameterizedTest
    @CsvSource({"'', 2", "gpu, 8", "nvidia.com/gpu, 8", "amd.com/gpu, 8", "cpu, 2"})
    void xgboostNodesMeetByDmlcVariablesAndCountAWorkerForEachGpu(String resource, String workers) {
        Resources resources =
                resource.isEmpty() ? Resources.none() : Resources.none().with(resource, "4");

        Map<String, String> env = launch(
                        request(CommandTrainer.of("x").numNodes(2).resourcesPerNode(resources)),
                        TrainingRuntime.of("r", "xgboost", "test"))
                .node(1, POD)
                .env();

        assertThat(env)
                .containsEntry("DMLC_TRACKER_URI", "mnist-node-0")
                .containsEntry("DMLC_TRACKER_PORT", "29500")
                .containsEntry("DMLC_TASK_ID", "1")
                .containsEntry("DMLC_NUM_WORKER", workers);
    }

    @Test
    void everyNodeKnowsItsJobItsWorkspaceAndItsProgressFile() {
        NodeLaunch node =
                launch(request(CommandTrainer.of("x").numNodes(2)), PLAIN).node(1, HOST);

        assertThat(node.env())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "TRAINJOB_NAME",
                        "mnist",
                        "TRAINJOB_WORKSPACE",
                        "/home/ada/mnist",
                        "TRAINJOB_PROGRESS_FILE",
                        "/home/ada/mnist/.trainer4j/progress-1.json"));
    }

    @Test
    void theJobsVariablesWinOverTheRuntimes() {
        TrainingRuntime runtime = new TrainingRuntime(
                "r",
                TrainingRuntime.Scope.CLUSTER,
                "torch",
                1,
                OptionalInt.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                Map.of("A", "runtime", "B", "runtime", "TOKEN", "visible", "PET_NNODES", "9"),
                Resources.none(),
                Map.of(),
                "test");

        NodeLaunch node =
                node(runtime, CommandTrainer.of("x").env("A", "job").secretEnv("TOKEN", Secret.of("s3cret")), POD);

        assertThat(node.env())
                .containsEntry("A", "job")
                .containsEntry("B", "runtime")
                .containsEntry("PET_NNODES", "1")
                .doesNotContainKey("TOKEN");
        assertThat(node.secretEnv()).containsOnlyKeys("TOKEN");
        assertThat(node.toString()).doesNotContain("s3cret");
    }

    @ParameterizedTest
    @CsvSource({
        "torch, PET_NNODES",
        "torchtune, PET_MASTER_ADDR",
        "jax, JAX_PROCESS_ID",
        "xgboost, DMLC_TASK_ID",
        "deepspeed, OMPI_MCA_plm_rsh_args",
        "plain, TRAINJOB_NAME",
        "torch, TRAINJOB_WORKSPACE",
        "jax, TRAINJOB_PROGRESS_FILE"
    })
    void aJobCannotSetWhatTheLaunchSets(String framework, String name) {
        TrainingRuntime runtime = TrainingRuntime.of("r", framework, "test");

        assertThatThrownBy(() -> launch(request(CommandTrainer.of("x").env(name, "1")), runtime))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("remove it");
        assertThatThrownBy(() -> launch(request(CommandTrainer.of("x").secretEnv(name, Secret.of("1"))), runtime))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining(name);
    }

    @Test
    void aJobMaySetWhatAnotherFrameworkReserves() {
        Launch launch = launch(request(CommandTrainer.of("x").env("DMLC_TASK_ID", "1")), TORCH);

        assertThat(launch.node(0, POD).env()).containsEntry("DMLC_TASK_ID", "1");
        assertThat(launch.reservedVariables()).contains("PET_NODE_RANK").doesNotContain("DMLC_TASK_ID");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 1",
        "cpu=4, 4",
        "cpu=1500m, 2",
        "cpu=500m, 1",
        "cpu=0, 1",
        "memory=4Gi, 1",
        "gpu=2, 2",
        "gpu=2;cpu=8, 2",
        "nvidia.com/gpu=3, 3",
        "amd.com/gpu=3, 3",
        "gpu=0;cpu=8, 8",
        "nvidia.com/mig-1g.5gb=2;cpu=3, 3"
    })
    void processesFollowTheDevicesUnlessTheyAreSaid(String amounts, int expected) {
        Resources resources = Resources.none();
        for (String amount : amounts.split(";", -1)) {
            int equals = amount.indexOf('=');
            if (equals > 0) {
                resources = resources.with(amount.substring(0, equals), amount.substring(equals + 1));
            }
        }
        CommandTrainer trainer = CommandTrainer.of("x").resourcesPerNode(resources);

        assertThat(launch(request(trainer), TORCH).numProcPerNode()).isEqualTo(expected);
        assertThat(launch(request(CommandTrainer.of("x")), runtime("torch", List.of(), List.of(), resources))
                        .numProcPerNode())
                .isEqualTo(expected);
        assertThat(launch(request(trainer.numProcPerNode(7)), TORCH).numProcPerNode())
                .isEqualTo(7);
    }

    @Test
    void theJobsResourcesReplaceTheRuntimes() {
        TrainingRuntime runtime =
                runtime("torch", List.of(), List.of(), Resources.none().gpu(4).cpu(8));

        Launch launch = launch(request(CommandTrainer.of("x").resources(r -> r.memory("1Gi"))), runtime);

        assertThat(launch.resources()).isEqualTo(Resources.none().memory("1Gi"));
        assertThat(launch.numProcPerNode()).isEqualTo(1);
    }

    private static NodeLaunch node(TrainingRuntime runtime, Trainer trainer, Placement placement) {
        return launch(request(trainer), runtime).node(0, placement);
    }

    private static Launch launch(TrainJobRequest request, TrainingRuntime runtime) {
        return Launch.of(request, runtime, Map.of());
    }

    private static TrainJobRequest request(Trainer trainer) {
        return TrainJobRequest.builder().trainer(trainer).build();
    }

    private static TrainingRuntime runtime(
            String framework, List<String> command, List<String> args, Resources resources) {
        return new TrainingRuntime(
                "r",
                TrainingRuntime.Scope.CLUSTER,
                framework,
                1,
                OptionalInt.empty(),
                Optional.empty(),
                command,
                args,
                Map.of(),
                resources,
                Map.of(),
                "test");
    }
}
