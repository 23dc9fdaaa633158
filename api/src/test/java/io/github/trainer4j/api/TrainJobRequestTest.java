package io.github.trainer4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainJobRequestTest {
    @Test
    void theBuilderOfARequestHasAllOfItAndTakesOtherParts() {
        TrainJobRequest request = Samples.request();

        assertThat(request.toBuilder().build()).isEqualTo(request);
        assertThat(request.toBuilder()
                        .initializers(List.of())
                        .options(List.of())
                        .build())
                .satisfies(bare -> assertThat(bare.initializers()).isEmpty())
                .satisfies(bare -> assertThat(bare.options()).isEmpty())
                .satisfies(bare -> assertThat(bare.trainer()).isEqualTo(request.trainer()));
        assertThat(request.toBuilder().option(new ReadOnlyInputs()).build().options())
                .containsExactly(ImagePullPolicy.ALWAYS, new ReadOnlyInputs());
        assertThat(request.options()).containsExactly(ImagePullPolicy.ALWAYS);
    }

    @Test
    void aBuilderCollectsEveryPart() {
        RuntimePatch patch = new RuntimePatch(java.util.Map.of("a", 1));
        TrainJobRequest request = TrainJobRequest.builder()
                .name("mnist")
                .runtime("torch-distributed")
                .trainer(CommandTrainer.of("x"))
                .dataset("hf://org/data")
                .model(InitializerSpec.model("s3://bucket/model"))
                .label("team", "vision")
                .annotation("note", "any text")
                .deadline(Duration.ofHours(1))
                .option(ImagePullPolicy.NEVER)
                .option(patch)
                .option(patch)
                .build();

        assertThat(request.name()).contains("mnist");
        assertThat(request.runtime()).contains(RuntimeRef.named("torch-distributed"));
        assertThat(request.trainer()).contains(CommandTrainer.of("x"));
        assertThat(request.initializers())
                .containsExactly(InitializerSpec.dataset("hf://org/data"), InitializerSpec.model("s3://bucket/model"));
        assertThat(request.labels()).containsEntry("team", "vision");
        assertThat(request.annotations()).containsEntry("note", "any text");
        assertThat(request.deadline()).contains(Duration.ofHours(1));
        assertThat(request.options()).containsExactly(ImagePullPolicy.NEVER, patch, patch);
    }

    @Test
    void anEmptyRequestLeavesEverythingToTheRuntime() {
        TrainJobRequest request = TrainJobRequest.builder().build();

        assertThat(request.name()).isEmpty();
        assertThat(request.runtime()).isEmpty();
        assertThat(request.nodes()).isEqualTo(NodeSettings.defaults());
    }

    @Test
    void aBuilderDoesNotReachIntoWhatItBuilt() {
        TrainJobRequest.Builder builder = TrainJobRequest.builder().label("a", "1");
        TrainJobRequest first = builder.build();
        TrainJobRequest second = builder.label("b", "2")
                .dataset("hf://org/data")
                .option(ImagePullPolicy.ALWAYS)
                .build();

        assertThat(first.labels()).containsOnlyKeys("a");
        assertThat(first.initializers()).isEmpty();
        assertThat(first.options()).isEmpty();
        assertThat(second.labels()).containsOnlyKeys("a", "b");
    }

    @Test
    void copiesLeaveTheOriginalAsItWas() {
        TrainJobRequest request = Samples.request();

        assertThat(request.withName("other").name()).contains("other");
        assertThat(request.withRuntime(TrainingRuntime.of("r", "jax", "test"))
                        .runtime()
                        .orElseThrow()
                        .name())
                .isEqualTo("r");
        assertThat(request).isEqualTo(Samples.request());
        assertThat(request.withName("mnist")).isEqualTo(request);
    }

    @Test
    void everyChangeOfATrainerIsACopyAndKeepsTheRest() {
        CustomTrainer script = Samples.script();

        assertThat(script.numNodes(5).nodes().numNodes()).hasValue(5);
        assertThat(script.numProcPerNode(5).nodes().numProcPerNode()).hasValue(5);
        assertThat(script.resourcesPerNode(Resources.none()).nodes().resourcesPerNode())
                .isEqualTo(Resources.none());
        assertThat(script.resources(r -> r.gpu(1)).nodes().resourcesPerNode().amounts())
                .containsKeys("cpu", "memory", "gpu");
        assertThat(script.env("MORE", "1").nodes().env()).containsOnlyKeys("LEVEL", "MORE");
        assertThat(script.secretEnv("MORE", Samples.SECRET).nodes().secretEnv()).containsOnlyKeys("TOKEN", "MORE");
        assertThat(script.image("other").nodes().image()).contains("other");
        assertThat(script.args("x").args()).containsExactly("x");
        assertThat(script.packagesToInstall("x").packagesToInstall()).containsExactly("x");
        assertThat(script.pipIndexUrls("https://x").pipIndexUrls()).containsExactly("https://x");
        assertThat(script.numNodes(5).numNodes(2)).isEqualTo(script).isEqualTo(Samples.script());
    }

    @Test
    void everyChangeOfAnInitializerIsACopyAndKeepsTheRest() {
        InitializerSpec dataset = Samples.dataset();

        assertThat(dataset.option("region", "x").options()).containsOnlyKeys("ignore_patterns", "region");
        assertThat(dataset.secret("more", Samples.SECRET).secrets()).containsOnlyKeys("access_token", "more");
        assertThat(dataset.image("other").image()).contains("other");
        assertThat(dataset.timeout(Duration.ofSeconds(1)).timeout()).contains(Duration.ofSeconds(1));
        assertThat(dataset.retries(7).retries()).isEqualTo(7);
        assertThat(dataset.resources(Resources.none()).resources()).isEqualTo(Resources.none());
        assertThat(dataset.retries(7).retries(1)).isEqualTo(dataset).isEqualTo(Samples.dataset());
        assertThat(dataset.scheme()).isEqualTo("hf");
        assertThat(dataset.location()).isEqualTo("org/data");
    }

    @Test
    void aScriptIsReadWhenTheTrainerIsMade(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("train.py"), "print(1)");
        TrainJobRequest request = TrainJobRequest.builder().script(file).build();
        Files.writeString(file, "changed");

        assertThat(request.trainer()).contains(CustomTrainer.source("train.py", "print(1)"));
    }

    @Test
    void generatedNamesAreValidAndDiffer() {
        Set<String> names =
                IntStream.range(0, 1_000).mapToObj(i -> JobName.generate()).collect(Collectors.toSet());

        assertThat(names).hasSize(1_000).allSatisfy(name -> {
            assertThat(name).matches("[a-z][0-9a-f]{11}");
            assertThat(JobName.check(name)).isEqualTo(name);
        });
    }

    @Test
    void aWaitHasTheBoundsThatItsWordsSay() {
        assertThat(WaitOptions.complete().statuses()).containsExactly(JobStatus.COMPLETE);
        assertThat(WaitOptions.ended().statuses()).containsExactly(JobStatus.COMPLETE, JobStatus.FAILED);
        assertThat(WaitOptions.complete().within(Duration.ofSeconds(1)).pollInterval())
                .isEqualTo(Duration.ofMillis(500));
        assertThat(WaitOptions.complete().within(Duration.ofHours(1)).pollInterval())
                .isEqualTo(Duration.ofSeconds(2));
        assertThat(WaitOptions.complete()
                        .within(Duration.ofSeconds(5))
                        .pollEvery(Duration.ofMillis(4_999))
                        .pollInterval())
                .isEqualTo(Duration.ofMillis(4_999));
        assertThat(WaitOptions.forStatus(JobStatus.RUNNING, JobStatus.RUNNING).statuses())
                .hasSize(1);
    }

    @Test
    void finalStatusesAreTheTwoThatKubeflowCallsSo() {
        assertThat(List.of(JobStatus.values()).stream()
                        .filter(JobStatus::isFinal)
                        .map(JobStatus::text))
                .containsExactly("Complete", "Failed");
        assertThat(JobStatus.CREATED).hasToString("Created");
    }

    @Test
    void stepsAndDirectoriesHaveKubeflowsNames() {
        assertThat(InitializerTarget.DATASET.step()).isEqualTo("dataset-initializer");
        assertThat(InitializerTarget.MODEL.step()).isEqualTo("model-initializer");
        assertThat(InitializerTarget.MODEL.directory()).isEqualTo("model");
        assertThat(ImagePullPolicy.IF_NOT_PRESENT.text()).isEqualTo("IfNotPresent");
        assertThat(TrainingRuntime.Scope.NAMESPACE.kind()).isEqualTo("TrainingRuntime");
        assertThat(Samples.job(JobStatus.RUNNING).step("node-0")).contains(Samples.step());
        assertThat(Samples.job(JobStatus.RUNNING).step("node-9")).isEmpty();
    }

    @Test
    void aPlanIsReadableAndNamesWhereItsSecretsGo() {
        JobPlan.PlannedStep step = new JobPlan.PlannedStep(
                "node-0",
                List.of("python", "a b"),
                java.util.Optional.of("image (chosen by the trainer)"),
                java.util.Map.of("A", "b"),
                Set.of("TOKEN"),
                List.of("train.py"),
                List.of("memory is not limited"));

        assertThat(new JobPlan("local", "mnist", "torch (built-in)", List.of(step), java.util.Optional.of("kind: X")))
                .hasToString("""
                        job mnist on backend local, runtime torch (built-in)
                        node-0
                          image:   image (chosen by the trainer)
                          command: [python, a b]
                          env:     A=b
                          secret:  TOKEN
                          file:    train.py
                          note:    memory is not limited
                        kind: X
                        """);
    }
}
