package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.ImagePullPolicy;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.PodPatch;
import io.github.trainer4j.api.ReadOnlyInputs;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.RuntimeField;
import io.github.trainer4j.api.RuntimePatch;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.WorkspaceClaim;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.launch.Launch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlannerTest {
    private static final CommandTrainer COMMAND = CommandTrainer.of("true");

    private static TrainJobRequest.Builder job(Trainer trainer) {
        return TrainJobRequest.builder().name("plan").trainer(trainer);
    }

    private static Tree spec(TrainJobRequest.Builder request, ClusterRuntime runtime) {
        return new Tree(Plans.of(request, runtime).trainJob()).at("spec");
    }

    private static void refused(
            Class<? extends TrainerException> type,
            TrainJobRequest.Builder request,
            ClusterRuntime runtime,
            String... words) {
        assertThatThrownBy(() -> Plans.of(request, runtime)).isInstanceOf(type).hasMessageContainingAll(words);
    }

    @Test
    void anInitializerThatTheRuntimeHasNoJobForIsRefused() {
        refused(
                InvalidJobException.class,
                job(COMMAND).dataset("hf://org/data"),
                Runtimes.plain(),
                "the runtime plain has no job dataset-initializer",
                "hf://org/data");
        refused(
                InvalidJobException.class,
                job(COMMAND).model("hf://org/base"),
                Runtimes.torch(),
                "the runtime torch-distributed has no job model-initializer");
    }

    @Test
    void whatNoFieldOfATrainJobCanSayOfAnInitializerIsRefused() {
        InitializerSpec dataset = InitializerSpec.dataset("hf://org/data");
        for (InitializerSpec spec : List.of(
                dataset.image("img:1"),
                dataset.retries(1),
                dataset.timeout(Duration.ofMinutes(1)),
                dataset.resources(Resources.none().cpu(1)))) {
            refused(
                    UnsupportedFeatureException.class,
                    job(COMMAND).dataset(spec),
                    Runtimes.initializers(),
                    "cannot give the dataset-initializer");
        }
    }

    /** Every initializer brings its files to a place that every trainer is told, or the two are refused together. */
    @ParameterizedTest
    @ValueSource(strings = {"hf://org/data", "s3://bucket/data", "cache://schema/table", "ftp://host/data"})
    void everyTrainerIsToldWhereTheDatasetIs(String uri) {
        for (Trainer trainer :
                List.of(COMMAND, CustomTrainer.source("train.py", "pass"), JavaTrainer.mainClass("a.Main"))) {
            Tree node = spec(job(trainer).dataset(uri), Runtimes.initializers()).at("trainer");
            assertThat(node.at("env").find("name", Launch.WORKSPACE).at("value").text())
                    .hasValue("/workspace");
        }
        TrainJobRequest.Builder tuned =
                job(BuiltinTrainer.of(TorchTuneConfig.defaults())).dataset(uri);
        if (uri.startsWith("cache:")) {
            refused(InvalidJobException.class, tuned, Runtimes.tune(), uri + " is served over the network");
        } else {
            assertThat(spec(tuned, Runtimes.tune()).at("trainer", "args").texts())
                    .contains("dataset.data_dir=/workspace/dataset");
        }
    }

    @Test
    void aSecretOfAnInitializerIsReferredToThereAndNowhereElse() {
        KubernetesPlan plan = Plans.of(
                job(COMMAND.secretEnv("WANDB", Secret.of("canary-of-node")))
                        .dataset(InitializerSpec.dataset("hf://org/data")
                                .secret("access_token", Secret.of("canary-of-dataset")))
                        .model(InitializerSpec.model("s3://bucket/base")
                                .secret("access_key_id", Secret.reference("team", "id"))),
                Runtimes.initializers());
        Tree spec = new Tree(plan.trainJob()).at("spec");

        assertThat(reference(spec.at("initializer", "dataset"), "ACCESS_TOKEN"))
                .isEqualTo(Map.of("name", "plan-trainer4j", "key", "dataset-initializer.ACCESS_TOKEN"));
        assertThat(reference(spec.at("initializer", "model"), "ACCESS_KEY_ID"))
                .isEqualTo(Map.of("name", "team", "key", "id"));
        assertThat(reference(spec.at("trainer"), "WANDB"))
                .isEqualTo(Map.of("name", "plan-trainer4j", "key", "node.WANDB"));
        assertThat(spec.at("trainer", "env").list())
                .extracting(variable -> variable.at("name").text().orElse(""))
                .containsExactly(Launch.JOB_NAME, Launch.WORKSPACE, Launch.PROGRESS_FILE, "WANDB");
        assertThat(plan.secrets()).containsOnlyKeys("node.WANDB", "dataset-initializer.ACCESS_TOKEN");
        assertThat(plan.trainJob() + plan.shown().toString() + plan.files()).doesNotContain("canary");
    }

    private static Object reference(Tree part, String variable) {
        return part.at("env")
                .find("name", variable)
                .at("valueFrom", "secretKeyRef")
                .value();
    }

    @Test
    void aRuntimeOfTheNamespaceIsNamedWithItsKind() {
        assertThat(spec(job(COMMAND), Runtimes.plainOfNamespace())
                        .at("runtimeRef")
                        .strings())
                .isEqualTo(Map.of("apiGroup", "trainer.kubeflow.org", "kind", "TrainingRuntime", "name", "plain"));
    }

    @Test
    void aRuntimeThatIsGivenWholeIsTheClustersWhereverItIsFromOrRefused() {
        Planner planner = new Planner(Plans.context(Path.of("nowhere")));
        TrainingRuntime same = TrainingRuntime.of("mine", "plain", "file job.yaml");
        ClusterRuntime there = new ClusterRuntime(
                TrainingRuntime.of("mine", "plain", "cluster test"),
                Runtimes.plain().resource());

        assertThat(planner.plan(job(COMMAND).runtime(same).build(), name -> there, "test", UnaryOperator.identity())
                        .trainJob())
                .isNotEmpty();
        assertThatThrownBy(() -> planner.plan(
                        job(COMMAND).runtime(same.withImage("other:1")).build(),
                        name -> there,
                        "test",
                        UnaryOperator.identity()))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("the runtime mine (file job.yaml) differs from the cluster's own");
    }

    @Test
    void fieldsOfARuntimeThatTheClusterHasNotAreNamed() {
        RuntimeField same = new RuntimeField("plain", "spec.mlPolicy.numNodes", 1L);
        String gates = "spec.template.spec.replicatedJobs[name=\"node\"].template.spec.template.spec.schedulingGates";

        assertThat(Plans.of(job(COMMAND).option(same), Runtimes.plain()).trainJob())
                .isEqualTo(Plans.of(job(COMMAND), Runtimes.plain()).trainJob());
        refused(
                UnsupportedFeatureException.class,
                job(COMMAND)
                        .option(same)
                        .option(new RuntimeField("plain", gates, List.of()))
                        .option(new RuntimeField("plain", "spec.mlPolicy.torch.numProcPerNode", 2)),
                Runtimes.plain(),
                "the runtime plain differs from the cluster's own of that name in " + gates
                        + ", spec.mlPolicy.torch.numProcPerNode, and a TrainJob",
                "apply yours");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpus", "Mem", "foo", "pods"})
    void aResourceThatNoClusterHasIsRefused(String name) {
        refused(
                InvalidJobException.class,
                job(COMMAND.resources(r -> r.with(name, "1"))),
                Runtimes.plain(),
                "a cluster has no resource '" + name + "'",
                "rdma/hca");
    }

    @Test
    void theCaseOfPlainResourcesDoesNotMatterAndTwoNamesForOneAreRefused() {
        Tree limits = spec(
                        job(COMMAND.resources(
                                r -> r.with("CPU", "1").with("GPU", "2").with("hugepages-2Mi", "4Mi"))),
                        Runtimes.plain())
                .at("trainer", "resourcesPerNode", "limits");
        assertThat(limits.strings()).isEqualTo(Map.of("cpu", "1", "nvidia.com/gpu", "2", "hugepages-2Mi", "4Mi"));

        refused(
                InvalidJobException.class,
                job(COMMAND.resources(r -> r.with("npu", "1").with("huawei.com/Ascend910", "1"))),
                Runtimes.plain(),
                "huawei.com/Ascend910 twice");
    }

    @Test
    void sharedMemoryIsAVolumeInMemoryAndNoResource() {
        Tree spec = spec(job(COMMAND.resources(r -> r.shm("2Gi"))), Runtimes.plain());

        assertThat(spec.at("trainer", "resourcesPerNode").isPresent()).isFalse();
        assertThat(pod(spec, "node")
                        .at("volumes")
                        .find("name", "trainer4j-shm")
                        .at("emptyDir")
                        .strings())
                .isEqualTo(Map.of("medium", "Memory", "sizeLimit", "2Gi"));
        assertThat(pod(spec, "node")
                        .at("containers")
                        .find("name", "node")
                        .at("volumeMounts")
                        .find("name", "trainer4j-shm")
                        .at("mountPath")
                        .text())
                .hasValue("/dev/shm");
    }

    @Test
    void eachJobHasAVolumeOfItsOwnThatAllItsStepsShare() {
        for (String name : List.of("one", "other")) {
            KubernetesPlan plan = Plans.of(
                    TrainJobRequest.builder()
                            .name(name)
                            .trainer(COMMAND)
                            .dataset("hf://org/data")
                            .option(WorkspaceClaim.of("20Gi")
                                    .storageClass("fast")
                                    .accessMode(WorkspaceClaim.AccessMode.READ_WRITE_MANY)),
                    Runtimes.torch());
            Tree spec = new Tree(plan.trainJob()).at("spec");

            assertThat(plan.claim())
                    .isEqualTo(Map.of(
                            "accessModes",
                            List.of("ReadWriteMany"),
                            "storageClassName",
                            "fast",
                            "resources",
                            Map.of("requests", Map.of("storage", "20Gi"))));
            for (String step : List.of("node", "dataset-initializer")) {
                assertThat(pod(spec, step)
                                .at("volumes")
                                .find("name", "initializer")
                                .at("persistentVolumeClaim", "claimName")
                                .text())
                        .hasValue(name + "-trainer4j");
                assertThat(mount(spec, step, "/workspace").at("name").text()).hasValue("initializer");
            }
        }
    }

    @Test
    void nodesSeeWhatWasFetchedReadOnlyIfTheJobSaysSo() {
        Tree spec = spec(
                job(COMMAND).dataset("hf://org/data").model("hf://org/base").option(new ReadOnlyInputs()),
                Runtimes.initializers());

        for (String directory : List.of("dataset", "model")) {
            Tree mount = mount(spec, "node", "/workspace/" + directory);
            assertThat(mount.at("readOnly").value()).isEqualTo(true);
            assertThat(mount.at("subPath").text()).hasValue(directory);
            assertThat(pod(spec, "node")
                            .at("volumes")
                            .find("name", mount.at("name").text().orElseThrow())
                            .at("persistentVolumeClaim", "claimName")
                            .text())
                    .hasValue("initializer-plan");
        }
        assertThat(pod(spec, "dataset-initializer").isPresent()).isFalse();
    }

    @Test
    void volumesThatTheRuntimeCannotHaveAreRefused() {
        refused(
                InvalidJobException.class,
                job(COMMAND).option(WorkspaceClaim.of("1Gi")),
                Runtimes.initializers(),
                "brings a volume of its own for the workspace");
        refused(
                InvalidJobException.class,
                job(COMMAND).dataset("hf://org/data").option(new ReadOnlyInputs()),
                Runtimes.torch(),
                "no volume at /workspace that nodes share");
        refused(
                InvalidJobException.class,
                job(COMMAND).option(new ReadOnlyInputs()),
                Runtimes.initializers(),
                "no initializer");
    }

    private static Tree mount(Tree spec, String step, String path) {
        return pod(spec, step)
                .at("containers")
                .find("name", step)
                .at("volumeMounts")
                .find("mountPath", path);
    }

    @Test
    void podsOfNodesAndInitializersRunAsTheJobSays() {
        Tree spec = spec(
                job(COMMAND)
                        .option(PodPatch.of("node", "dataset-initializer", "model-initializer")
                                .securityContext(Map.of("fsGroup", 2000, "runAsUser", 1000))
                                .build()),
                Runtimes.initializers());

        for (String step : List.of("node", "dataset-initializer", "model-initializer")) {
            assertThat(pod(spec, step).at("securityContext").strings())
                    .isEqualTo(Map.of("fsGroup", "2000", "runAsUser", "1000"));
        }
    }

    private static Tree pod(Tree spec, String step) {
        return spec.at("runtimePatches")
                .list()
                .get(0)
                .at("trainingRuntimeSpec", "template", "spec", "replicatedJobs")
                .find("name", step)
                .at("template", "spec", "template", "spec");
    }

    @Test
    void aPatchOfWhatTheRuntimeDoesNotHaveIsRefused() {
        refused(
                InvalidJobException.class,
                job(COMMAND).option(PodPatch.of("launcher").serviceAccount("a").build()),
                Runtimes.plain(),
                "for the step 'launcher'",
                "the runtime plain has only node");
        refused(
                InvalidJobException.class,
                job(COMMAND).option(new RuntimePatch(Json.parseObject("""
                    {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": {"spec": {"template":
                      {"spec": {"containers": [{"name": "istio"}]}}}}}]}}}
                    """))),
                Runtimes.torch(),
                "the container 'istio' of node",
                "sidecar, node");
    }

    @Test
    void aVolumeThatIsMountedTwiceIsRefusedBecauseNoVersionTakesIt() {
        refused(
                UnsupportedFeatureException.class,
                job(COMMAND)
                        .option(PodPatch.of("node").mount("data", "/data").build())
                        .option(PodPatch.of("node").mount("data", "/more").build()),
                Runtimes.plain(),
                "mounts the volume data of node twice",
                "a volume of another name");
    }

    @Test
    void anOptionThatNoFieldOfATrainJobCanSayIsRefused() {
        refused(
                UnsupportedFeatureException.class,
                job(COMMAND).option(ImagePullPolicy.ALWAYS),
                Runtimes.plain(),
                "backend kubernetes does not know the option imagePullPolicy");
    }

    @Test
    void aClassPathOfThisMachineIsRefused() {
        refused(
                UnsupportedFeatureException.class,
                job(JavaTrainer.mainClass("a.Main").classPath(Path.of("app.jar"))),
                Runtimes.plain(),
                "[app.jar]",
                "build an image that has it",
                "--class-path=");
    }

    @Test
    void aJobHasOneNodeAtLeast() {
        assertThatThrownBy(() -> COMMAND.numNodes(0))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("numNodes is 0; give at least 1");
    }
}
