package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.ProgressEvent;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The part of the contract about fetching the dataset and the model before the nodes start. */
interface InitializersContract {
    @Test
    default void trainReturnsWhileInitializersStillRun(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.sleep(3)))
                .trainer(bench.sh("true"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)) {
            return;
        }

        TrainJob created = bench.start(request);

        assertThat(created.status()).isEqualTo(JobStatus.CREATED);
        assertThat(created.steps()).extracting(Step::name).containsExactly("dataset-initializer", "node-0");
        TrainJob fetching = bench.await(
                created.name(),
                "run its initializer",
                job -> job.step("dataset-initializer").orElseThrow().status() == JobStatus.RUNNING);
        assertThat(fetching.status()).as("while initializers run").isEqualTo(JobStatus.CREATED);
        assertThat(fetching.step("node-0").orElseThrow().startTime()).isEmpty();
        TrainJob complete = bench.completed(created.name());
        assertThat(complete.steps()).extracting(Step::status).containsOnly(JobStatus.COMPLETE);
    }

    @Test
    default void twoInitializersRunAtTheSameTime(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.sleep(3)))
                .model(bench.model(InitializerActions.sleep(3)))
                .trainer(bench.sh("true"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)) {
            return;
        }

        TrainJob job = bench.complete(request);

        Step dataset = job.step("dataset-initializer").orElseThrow();
        Step model = job.step("model-initializer").orElseThrow();
        assertThat(start(dataset)).isBefore(end(model));
        assertThat(start(model)).isBefore(end(dataset));
        Instant first = start(dataset).isBefore(start(model)) ? start(dataset) : start(model);
        Instant last = end(dataset).isAfter(end(model)) ? end(dataset) : end(model);
        assertThat(Duration.between(first, last))
                .as("both together take less than one after the other")
                .isLessThan(Duration.ofMillis(5900));
        assertThat(start(job.step("node-0").orElseThrow()))
                .as("the node starts when both are done")
                .isAfterOrEqualTo(last.minusSeconds(1));
    }

    @Test
    default void theDataIsThereBeforeTheFirstLineOfEveryNode(Bench bench) {
        TrainJobRequest request = bench.job("torch")
                .dataset(bench.dataset(InitializerActions.sleep(2).then(InitializerActions.size(1000))))
                .model(bench.model(InitializerActions.ok()))
                .trainer(bench.sh("cd \"$TRAINJOB_WORKSPACE\" && wc -c < dataset/data.bin | tr -d ' '; ls model")
                        .numNodes(bench.has(Feature.SEVERAL_NODES) ? 2 : 1))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)) {
            return;
        }

        TrainJob job = bench.complete(request);

        for (int rank = 0; rank < job.numNodes(); rank++) {
            assertThat(bench.log(job.name(), "node-" + rank)).containsExactly("1000", "given.txt");
        }
    }

    @Test
    default void aFailedInitializerFailsTheJobAndTellsStageAndReason(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.lines(2).then(InitializerActions.failAfter(1))))
                .trainer(bench.sh("echo started"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)) {
            return;
        }

        String name = bench.start(request).name();
        Failure failure = bench.failed(name);

        assertThat(failure.step()).hasValue("dataset-initializer");
        assertThat(failure.logTail()).isNotEmpty();
        assertThat(failure.logTail().get(failure.logTail().size() - 1)).contains("fail-after-1");
        assertThat(failure.describe()).contains("dataset-initializer", "fail-after-1");
        theNodeNeverStarted(bench, name);
        if (bench.has(Feature.LOGS_OF_FAILED_STEPS)) {
            assertThat(bench.log(name, "dataset-initializer")).containsSubsequence("dataset line 1", "dataset line 2");
        }
        assertThat(bench.backend()
                        .get(name)
                        .step("dataset-initializer")
                        .orElseThrow()
                        .status())
                .isEqualTo(JobStatus.FAILED);
    }

    @Test
    default void theFirstFailureStopsTheOtherInitializerAtOnce(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.failAfter(1)))
                .model(bench.model(InitializerActions.sleep(3600)))
                .trainer(bench.sh("echo started"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)) {
            return;
        }

        // Waits far less than the model's initializer would take.
        String name = bench.start(request).name();
        Failure failure = bench.failed(name);

        assertThat(failure.step()).hasValue("dataset-initializer");
        assertThat(failure.further())
                .as("what became of the other")
                .anySatisfy(other -> assertThat(other.step()).hasValue("model-initializer"));
        bench.until("all initializers are stopped", () -> bench.actions().running() == 0);
        assertThat(bench.backend().get(name).steps()).extracting(Step::status).doesNotContain(JobStatus.RUNNING);
        theNodeNeverStarted(bench, name);
    }

    @Test
    default void everyFailureIsTold(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.failAfter(2)))
                .model(bench.model(InitializerActions.failAfter(2)))
                .trainer(bench.sh("echo started"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)) {
            return;
        }

        Failure failure = bench.failed(bench.start(request).name());

        // Which one comes first is chance, and the second may be cancelled before it fails by itself.
        assertThat(failure.describe()).contains("dataset-initializer", "model-initializer");
        assertThat(failure.further()).hasSize(1);
    }

    @Test
    default void anInitializerThatTakesTooLongIsStopped(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.sleep(3600)).timeout(bench.seconds(2)))
                .trainer(bench.sh("echo started"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)
                || bench.refusedWithout(Feature.INITIALIZER_TIMEOUT, request)) {
            return;
        }

        String name = bench.start(request).name();
        Failure failure = bench.failed(name);

        assertThat(failure.step()).hasValue("dataset-initializer");
        assertThat(failure.reason()).isEqualTo("Timeout");
        bench.until("the initializer is stopped", () -> bench.actions().running() == 0);
        theNodeNeverStarted(bench, name);
    }

    @Test
    default void aDeadlineCountsFromTheCreationOfTheJob(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.sleep(3600)))
                .trainer(bench.sh("echo started"))
                .deadline(bench.seconds(3))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request) || bench.refusedWithout(Feature.DEADLINE, request)) {
            return;
        }

        String name = bench.start(request).name();
        Failure failure = bench.failed(name);

        assertThat(failure.reason()).isEqualTo("DeadlineExceeded");
        bench.until("the initializer is stopped", () -> bench.actions().running() == 0);
        theNodeNeverStarted(bench, name);
    }

    @Test
    default void aFailedInitializerIsTriedAgainAsOftenAsAskedFor(Bench bench) {
        TrainJobRequest enough = bench.job()
                .dataset(bench.dataset(InitializerActions.flaky(2)).retries(2))
                .trainer(bench.sh("echo trained"))
                .build();
        TrainJobRequest tooFew = bench.job()
                .dataset(bench.dataset(InitializerActions.flaky(2)).retries(1))
                .trainer(bench.sh("echo trained"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, enough)
                || bench.refusedWithout(Feature.INITIALIZER_RETRIES, enough)) {
            return;
        }

        TrainJob complete = bench.complete(enough);
        Failure failure = bench.failed(bench.start(tooFew).name());

        assertThat(bench.log(complete.name(), "node-0")).containsExactly("trained");
        assertThat(failure.step()).hasValue("dataset-initializer");
    }

    @Test
    default void theListenerIsToldHowFarInitializersAre(Bench bench) {
        if (!bench.has(Feature.INITIALIZERS) || !bench.has(Feature.INITIALIZER_PROGRESS)) {
            return;
        }
        RecordingProgressListener listener = new RecordingProgressListener();
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.size(1000)))
                .model(bench.model(InitializerActions.size(500)))
                .trainer(bench.sh("true"))
                .build();

        TrainJob job = bench.completed(bench.start(request, listener).name());

        assertThat(listener.last("dataset-initializer"))
                .hasValue(new ProgressEvent("dataset-initializer", 1000, OptionalLong.of(1000)));
        assertThat(listener.last("model-initializer"))
                .hasValue(new ProgressEvent("model-initializer", 500, OptionalLong.of(500)));
        assertThat(listener.wasCalledByTwoThreadsAtOnce()).isFalse();
        Step dataset = job.step("dataset-initializer").orElseThrow();
        assertThat(dataset.bytesDone()).hasValue(1000);
        assertThat(dataset.bytesTotal()).hasValue(1000);
    }

    @Test
    default void aListenerThatThrowsHarmsNothing(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.size(1000)))
                .trainer(bench.sh("echo trained"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)) {
            return;
        }

        String name = bench.start(request, event -> {
                    throw new IllegalStateException("a listener of the contract throws");
                })
                .name();

        bench.completed(name);
        assertThat(bench.log(name, "node-0")).containsExactly("trained");
    }

    private static Instant start(Step step) {
        return step.startTime().orElseThrow(() -> new AssertionError(step.name() + " has no start time"));
    }

    private static Instant end(Step step) {
        return step.endTime().orElseThrow(() -> new AssertionError(step.name() + " has no end time"));
    }

    private static void theNodeNeverStarted(Bench bench, String name) {
        Step node = bench.backend().get(name).step("node-0").orElseThrow();
        assertThat(node.startTime()).as("the start of the node").isEmpty();
        assertThat(node.exitCode()).isEmpty();
        assertThat(bench.log(name, "node-0")).isEmpty();
    }
}
