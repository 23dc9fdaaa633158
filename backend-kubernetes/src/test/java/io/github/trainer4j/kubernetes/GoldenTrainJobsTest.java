package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.PodPatch;
import io.github.trainer4j.api.ReadOnlyInputs;
import io.github.trainer4j.api.RuntimeTrainer;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.WorkspaceClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What becomes of requests, in every version of Kubeflow Trainer: files {@code trainjobs/<version>/<name>.yaml}, or what a
 * version refuses with {@code <name>.txt}. With {@code -Dgolden.write=true} they are written anew, to be read before they
 * are believed.
 */
class GoldenTrainJobsTest {
    private static final Path FILES = Path.of("src/test/resources/trainjobs");
    private static final List<String> VERSIONS = List.of("2.0.0", "2.1.0", "2.3.0");

    private record Case(String name, ClusterRuntime runtime, TrainJobRequest.Builder request) {}

    private static List<Case> cases() {
        return List.of(
                new Case(
                        "command",
                        Runtimes.plain(),
                        job().label("team", "vision")
                                .annotation("example.org/note", "a b")
                                .trainer(CommandTrainer.of("sh", "-c", "echo $GREETING $(HOME) $$")
                                        .env("GREETING", "hello $(HOME) \"x\"")
                                        .secretEnv("TOKEN", Secret.of("geheim"))
                                        .secretEnv("KEPT", Secret.reference("team-secrets", "token"))
                                        .numNodes(2)
                                        .resources(r -> r.cpu("500m").memory("1Gi")))),
                new Case("nothing-but-the-runtime", Runtimes.plain(), job()),
                new Case(
                        "arguments-of-the-runtime",
                        Runtimes.plain(),
                        job().trainer(RuntimeTrainer.defaults()
                                .args("--epochs", "$(X)")
                                .numNodes(2))),
                new Case("namespaced-runtime", Runtimes.plainOfNamespace(), job()),
                new Case(
                        "deadline",
                        Runtimes.plain(),
                        job().deadline(Duration.ofMillis(90_500)).trainer(CommandTrainer.of("true"))),
                new Case(
                        "script",
                        Runtimes.torch(),
                        job().trainer(CustomTrainer.source("train.py", "print('hi')\n")
                                .args("--epochs", "3")
                                .numNodes(4)
                                .numProcPerNode(2)
                                .image("example.org/mine:1")
                                .resources(r -> r.gpu(1).shm("1Gi")))),
                new Case(
                        "packages",
                        Runtimes.initializers(),
                        job().trainer(CustomTrainer.source("train.py", "print('hi')\n")
                                .packagesToInstall("numpy==2.1.0")
                                .pipIndexUrls("https://user:geheim@index.example.org/simple"))),
                new Case(
                        "script-on-mpi",
                        Runtimes.mpi(),
                        job().trainer(CustomTrainer.source("train.py", "print('hi')\n"))),
                new Case(
                        "java",
                        Runtimes.plain(),
                        job().trainer(JavaTrainer.mainClass("com.example.Train")
                                .jvmOptions("--class-path=/app/*", "-Xmx1g")
                                .args("x"))),
                new Case(
                        "image",
                        Runtimes.plain(),
                        job().trainer(CustomTrainerContainer.of("example.org/mine:1")
                                .env("A", "b"))),
                new Case(
                        "fine-tuning",
                        Runtimes.tune(),
                        job().dataset(InitializerSpec.dataset("hf://org/data/train")
                                        .option("ignore_patterns", "*.md"))
                                .model(InitializerSpec.model("hf://org/base")
                                        .secret("access_token", Secret.of("geheim")))
                                .trainer(BuiltinTrainer.of(
                                        TorchTuneConfig.defaults().batchSize(8).epochs(1)))),
                new Case(
                        "cache",
                        Runtimes.initializers(),
                        job().dataset(InitializerSpec.dataset("cache://schema/table")
                                        .option("metadata_loc", "s3://bucket/metadata.json")
                                        .option("cluster_size", "3"))
                                .trainer(CommandTrainer.of("true"))),
                new Case(
                        "resources",
                        Runtimes.plain(),
                        job().trainer(CommandTrainer.of("true")
                                .resources(r -> r.cpu(1)
                                        .memory("1Gi")
                                        .with("storage", "10Gi")
                                        .with("nvidia.com/gpu", "1")
                                        .with("rdma/hca", "1")
                                        .with("example.com/Odd-NPU", "2")))),
                new Case("mig", Runtimes.plain(), job().trainer(device("mig-1g.5gb"))),
                new Case("npu", Runtimes.plain(), job().trainer(device("npu"))),
                new Case("tpu", Runtimes.plain(), job().trainer(device("tpu"))),
                new Case(
                        "queued",
                        Runtimes.plain(),
                        job().label("kueue.x-k8s.io/queue-name", "team")
                                .option(new TrainJobField("spec.suspend", true))
                                .option(new TrainJobField("spec.managedBy", "kueue.x-k8s.io/multikueue"))
                                .trainer(CommandTrainer.of("true"))),
                new Case("placed", Runtimes.initializers(), placed()),
                new Case(
                        "own-volume",
                        Runtimes.torch(),
                        job().dataset("hf://org/data")
                                .option(WorkspaceClaim.of("20Gi").storageClass("fast"))
                                .option(new ReadOnlyInputs())
                                .trainer(CommandTrainer.of("true"))),
                new Case(
                        "read-only",
                        Runtimes.initializers(),
                        job().dataset("hf://org/data")
                                .model("hf://org/base")
                                .option(new ReadOnlyInputs())
                                .trainer(CommandTrainer.of("true"))),
                new Case(
                        "pulled-and-labelled",
                        Runtimes.initializers(),
                        job().option(PodPatch.of("node", "model-initializer")
                                        .label("cost", "x1")
                                        .annotation("example.org/note", "a b")
                                        .affinity(Map.of("podAntiAffinity", Map.of()))
                                        .imagePullSecret("login")
                                        .build())
                                .trainer(CommandTrainer.of("true"))),
                new Case(
                        "secured",
                        Runtimes.initializers(),
                        job().option(PodPatch.of("node", "dataset-initializer", "model-initializer")
                                        .securityContext(Map.of("fsGroup", 2000))
                                        .containerSecurityContext(Map.of("allowPrivilegeEscalation", false))
                                        .build())
                                .trainer(CommandTrainer.of("true"))));
    }

    private static TrainJobRequest.Builder placed() {
        return job().option(PodPatch.of("node")
                        .nodeSelector("accelerator", "a100")
                        .toleration(Map.of("key", "gpu", "operator", "Exists", "effect", "NoSchedule"))
                        .schedulingGate("example.org/quota")
                        .serviceAccount("trainer")
                        .volume("scratch", Map.of("emptyDir", Map.of("sizeLimit", "5Gi")))
                        .mount("scratch", "/scratch")
                        .volume("shared", Map.of("persistentVolumeClaim", Map.of("claimName", "team-data")))
                        .readOnlyMount("shared", "/data")
                        .build())
                .option(PodPatch.of("dataset-initializer")
                        .serviceAccount("fetcher")
                        .build())
                .trainer(CustomTrainer.source("train.py", "print('hi')\n"));
    }

    private static CommandTrainer device(String name) {
        return CommandTrainer.of("true").resources(r -> r.with(name, "1"));
    }

    private static TrainJobRequest.Builder job() {
        return TrainJobRequest.builder().name("golden");
    }

    static Stream<Arguments> goldens() {
        return VERSIONS.stream().flatMap(version -> cases().stream().map(golden -> Arguments.of(version, golden)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("goldens")
    void aRequestBecomesWhatTheFileSaysAndTheVersionTakes(String version, Case golden) throws IOException {
        Tree schema = StructuralSchema.ofTrainJobs(version);
        TrainJobSchema served = new TrainJobSchema(schema.at("properties", "spec"));
        String file = version + "/" + golden.name();
        try {
            Map<String, Object> trainJob =
                    Plans.of(golden.request(), golden.runtime(), served::fit).trainJob();

            isAsWritten(file + ".yaml", Serialization.asYaml(trainJob));
            assertThat(StructuralSchema.problems(new Tree(trainJob), schema)).isEmpty();
            assertThat(Serialization.asYaml(trainJob)).doesNotContain("geheim");
        } catch (UnsupportedFeatureException e) {
            isAsWritten(file + ".txt", e.getMessage() + "\n");
        }
    }

    private static void isAsWritten(String name, String text) throws IOException {
        Path file = FILES.resolve(name);
        if (Boolean.getBoolean("golden.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
        // The order of a map's entries says nothing.
        assertThat(file).exists();
        assertThat(Serialization.unmarshal(text, Object.class))
                .isEqualTo(Serialization.unmarshal(Files.readString(file), Object.class));
    }
}
