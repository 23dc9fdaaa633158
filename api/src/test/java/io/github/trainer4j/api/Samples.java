package io.github.trainer4j.api;

import io.github.trainer4j.api.JobPlan.PlannedStep;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** A valid value of each record of the package, with every part given. */
final class Samples {
    static final String CANARY = "canary-7f3a9c-end";
    static final Secret SECRET = Secret.of(CANARY);
    static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    private Samples() {}

    static NodeSettings nodes() {
        return new NodeSettings(
                OptionalInt.of(2),
                OptionalInt.of(1),
                Resources.none().cpu(2).memory("4Gi"),
                Map.of("LEVEL", "high"),
                Map.of("TOKEN", SECRET),
                Optional.of("ghcr.io/org/image:1"));
    }

    static TrainingRuntime runtime() {
        return new TrainingRuntime(
                "torch-distributed",
                TrainingRuntime.Scope.CLUSTER,
                "torch",
                1,
                OptionalInt.of(1),
                Optional.of("pytorch/pytorch"),
                List.of("run"),
                List.of("--now"),
                Map.of("A", "b"),
                Resources.none().gpu(1),
                Map.of(InitializerTarget.DATASET, "ghcr.io/org/dataset"),
                "built-in");
    }

    static InitializerSpec dataset() {
        return new InitializerSpec(
                InitializerTarget.DATASET,
                "hf://org/data",
                Map.of("ignore_patterns", "*.bin"),
                Map.of("access_token", SECRET),
                Optional.of("ghcr.io/org/dataset"),
                Optional.of(Duration.ofMinutes(1)),
                1,
                Resources.none().cpu(1));
    }

    static CustomTrainer script() {
        return new CustomTrainer(
                "train.py",
                "print(1)",
                List.of("--epochs", "3"),
                List.of("numpy"),
                List.of("https://index.example/simple"),
                nodes());
    }

    static Failure failure() {
        return new Failure(
                Optional.of("node-0"),
                "ExitCode",
                "the process ended with 3",
                OptionalInt.of(3),
                List.of("Traceback", "ValueError: boom"),
                List.of(Failure.of("Cancelled", "node-1 was stopped")));
    }

    static Step step() {
        return Step.builder("node-0")
                .status(JobStatus.RUNNING)
                .instance("pid 7")
                .exitCode(0)
                .reason("Started")
                .message("started anew")
                .restarts(1)
                .startTime(NOON)
                .endTime(NOON)
                .image("ghcr.io/org/image")
                .command(List.of("run"))
                .device("gpu", "1")
                .bytes(1, OptionalLong.of(2))
                .build();
    }

    static TrainingProgress progress() {
        return new TrainingProgress(OptionalInt.of(40), Optional.of(Duration.ofSeconds(9)), Map.of("loss", "1"), NOON);
    }

    static TrainJob job(JobStatus status) {
        return new TrainJob(
                "mnist",
                status,
                Optional.of("torch-distributed"),
                List.of(step()),
                1,
                NOON,
                Map.of("team", "vision"),
                Map.of("note", "a b"),
                Optional.of(Path.of("/jobs/mnist")),
                Optional.of(failure()),
                Optional.of(progress()));
    }

    static TrainJobRequest request() {
        return new TrainJobRequest(
                Optional.of("mnist"),
                Optional.of(RuntimeRef.of(runtime())),
                Optional.of(script()),
                List.of(dataset()),
                Map.of("team", "vision"),
                Map.of("note", "a b"),
                Optional.of(Duration.ofHours(1)),
                List.of(ImagePullPolicy.ALWAYS));
    }

    static List<Record> all() {
        return List.of(
                nodes(),
                runtime(),
                RuntimeRef.of(runtime()),
                dataset(),
                script(),
                new CommandTrainer(List.of("run"), nodes()),
                new JavaTrainer("a.B", List.of(Path.of("a.jar")), List.of("-Xmx1g"), List.of("x"), nodes()),
                new CustomTrainerContainer(nodes()),
                new RuntimeTrainer(Optional.of(List.of("--epochs", "3")), nodes()),
                new BuiltinTrainer(new TorchTuneConfig(Map.of("epochs", "1")), nodes()),
                new TorchTuneConfig(Map.of("epochs", "1")),
                Resources.none().cpu(1),
                new Quantity("1"),
                new Secret.Reference("name", "key"),
                new RuntimePatch(Map.of("template", List.of(1, "a", true))),
                new TrainJobField("spec.suspend", true),
                new RuntimeField("led", "spec.template.spec.suspend", true),
                new ReadOnlyInputs(),
                WorkspaceClaim.of("1Gi").storageClass("fast"),
                request(),
                failure(),
                step(),
                progress(),
                job(JobStatus.FAILED),
                new Event(NOON, Optional.of("node-0"), Event.Type.NORMAL, "Started", "it started"),
                new LogLine("node-0", Optional.of(NOON), "text"),
                new LogQuery(Optional.of("node-0"), OptionalInt.of(5), false, Optional.of(NOON), true),
                new ProgressEvent("dataset-initializer", 1, OptionalLong.of(2)),
                new WaitOptions(
                        Set.of(JobStatus.COMPLETE),
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(1),
                        List.of(changed -> {})),
                plannedStep(),
                new JobPlan("local", "mnist", "torch", List.of(plannedStep()), Optional.of("manifest")));
    }

    private static PlannedStep plannedStep() {
        return new PlannedStep(
                "node-0",
                List.of("run"),
                Optional.of("image"),
                Map.of("A", "b"),
                Set.of("TOKEN"),
                List.of("train.py"),
                List.of("note"));
    }
}
