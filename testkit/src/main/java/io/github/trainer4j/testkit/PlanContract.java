package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The part of the contract about plans, and about secrets, which neither a plan nor anything else shows. */
interface PlanContract {
    @Test
    default void aPlanIsWhatThenRuns(Bench bench) {
        TrainJobRequest request = bench.job("torch")
                .trainer(bench.sh("echo \"foo=$FOO\"", "an argument", "$HOME")
                        .env("FOO", "1")
                        .numNodes(bench.has(Feature.SEVERAL_NODES) ? 2 : 1))
                .build();

        JobPlan plan = bench.backend().plan(request);
        TrainJob job = bench.complete(request);

        assertThat(plan.backend()).isEqualTo(bench.backendName());
        assertThat(plan.job()).isEqualTo(job.name());
        assertThat(plan.runtime()).contains(job.runtime().orElseThrow());
        assertThat(plan.steps())
                .extracting(JobPlan.PlannedStep::name)
                .isEqualTo(job.steps().stream().map(Step::name).toList());
        assertThat(plan.steps())
                .extracting(JobPlan.PlannedStep::command)
                .isEqualTo(job.steps().stream().map(Step::command).toList());
        assertThat(plan.steps()).allSatisfy(step -> assertThat(step.env()).containsEntry("FOO", "1"));
        assertThat(plan.toString()).contains(bench.backendName(), job.name(), "an argument", "FOO");
    }

    @Test
    default void planningRecordsNothingAndIsTheSameEachTime(Bench bench) {
        TrainJobRequest request = bench.script("true");

        JobPlan first = bench.backend().plan(request);
        JobPlan second = bench.backend().plan(request);

        assertThat(second).isEqualTo(first);
        bench.hasNo(request.name().orElseThrow());
        assertThat(bench.actions().started()).isZero();
    }

    @Test
    default void aRequestIsNotChangedByItsUse(Bench bench) {
        TrainJobRequest request = bench.script("echo hello");
        TrainJobRequest same = request.toBuilder().build();

        bench.complete(request);

        assertThat(request).isEqualTo(same);
    }

    @Test
    default void aSecretReachesItsProcessAndNothingElse(Bench bench) throws IOException {
        String canary = canary();
        TrainJobRequest request = bench.job()
                .trainer(bench.sh("case \"$TOKEN\" in canary-*-end) echo \"got one of ${#TOKEN}\";; esac;"
                                + " while [ ! -e \"$TRAINJOB_WORKSPACE/go\" ]; do sleep 1; i=$((i+1));"
                                + " if [ $i -ge 3 ]; then : > \"$TRAINJOB_WORKSPACE/go\"; fi; done; exit 3")
                        .secretEnv("TOKEN", Secret.of(canary)))
                .build();

        JobPlan plan = bench.backend().plan(request);
        String name = bench.start(request).name();
        bench.wrote(name, "node-0", "got one of " + canary.length());
        nowhere(canary, bench, name, plan);
        bench.failed(name);

        assertThat(plan.steps().get(0).secretEnv()).contains("TOKEN");
        nowhere(canary, bench, name, plan);
    }

    @Test
    default void aSecretOfAnInitializerIsSeenNowhere(Bench bench) throws IOException {
        String canary = canary();
        InitializerSpec dataset =
                bench.dataset(InitializerActions.failAfter(2)).secret("access_token", Secret.of(canary));
        TrainJobRequest request =
                bench.job().dataset(dataset).trainer(bench.sh("true")).build();
        if (!bench.has(Feature.INITIALIZERS)) {
            return;
        }

        JobPlan plan = bench.backend().plan(request);
        String name = bench.start(request).name();
        bench.await(
                name,
                "run its initializer",
                job -> job.step("dataset-initializer").orElseThrow().startTime().isPresent());
        nowhere(canary, bench, name, plan);
        bench.failed(name);

        nowhere(canary, bench, name, plan);
    }

    private static String canary() {
        byte[] random = new byte[12];
        ThreadLocalRandom.current().nextBytes(random);
        return "canary-" + HexFormat.of().formatHex(random) + "-end";
    }

    private static void nowhere(String canary, Bench bench, String name, JobPlan plan) throws IOException {
        TrainJob job = bench.backend().get(name);
        assertThat(plan.toString()).as("the plan").doesNotContain(canary);
        assertThat(job.toString()).as("the job").doesNotContain(canary);
        assertThat(job.failure().map(Failure::describe).orElse(""))
                .as("the failure")
                .doesNotContain(canary);
        assertThat(bench.backend().events(name)).extracting(Event::toString).noneMatch(text -> text.contains(canary));
        if (job.failure().isEmpty() || bench.has(Feature.LOGS_OF_FAILED_STEPS)) {
            assertThat(bench.lines(name, LogQuery.all()))
                    .extracting(LogLine::toString)
                    .noneMatch(text -> text.contains(canary));
        }
        assertThat(bench.commandLines()).as("command lines").noneMatch(line -> line.contains(canary));
        byte[] bytes = canary.getBytes(StandardCharsets.UTF_8);
        for (Path file : files(bench.work())) {
            assertThat(indexOf(Files.readAllBytes(file), bytes))
                    .as("the secret in " + file)
                    .isNegative();
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static int indexOf(byte[] all, byte[] part) {
        String text = new String(all, StandardCharsets.ISO_8859_1);
        return text.indexOf(new String(part, StandardCharsets.ISO_8859_1));
    }
}
