package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The part of the contract about jobs that do not end well. */
interface FailureContract {
    @Test
    default void aJobThatExitsWithThreeIsFailedAndSaysWhy(Bench bench) {
        // The pause: whoever reads the two outputs apart cannot know which line came first.
        String name = bench.start(bench.script("echo fine; sleep 1; echo last words >&2; exit 3"))
                .name();

        Failure failure = bench.failed(name);

        assertThat(failure.step()).hasValue("node-0");
        assertThat(failure.exitCode()).hasValue(3);
        assertThat(failure.logTail()).endsWith("last words");
        assertThat(failure.describe()).contains("node-0", "3", "last words");
        Step node = bench.backend().get(name).step("node-0").orElseThrow();
        assertThat(node.status()).isEqualTo(JobStatus.FAILED);
        assertThat(node.exitCode()).hasValue(3);
    }

    @Test
    default void aFailureHasTheLastTenLinesOfTheLog(Bench bench) {
        Failure failure = bench.failed(
                bench.start(bench.script("i=1; while [ $i -le 30 ]; do echo \"line $i\"; i=$((i+1)); done; exit 1"))
                        .name());

        assertThat(failure.logTail())
                .hasSize(Failure.LOG_TAIL_LINES)
                .startsWith("line 21")
                .endsWith("line 30");
    }

    @Test
    default void aProgramThatDoesNotExistIsToldByName(Bench bench) {
        TrainJobRequest request = bench.job()
                .trainer(CommandTrainer.of("no-such-program-at-all", "x"))
                .build();
        String name = request.name().orElseThrow();

        try {
            bench.start(request);
        } catch (InvalidJobException e) {
            // A backend that knows what its nodes have refuses the job; one that runs images can only try.
            assertThat(e).hasMessageContaining("no-such-program-at-all");
            bench.hasNo(name);
            return;
        }
        Failure failure = bench.failed(name);
        assertThat(failure.step()).hasValue("node-0");
        assertThat(failure.describe()).contains("no-such-program-at-all");
    }

    @Test
    default void aProcessThatIsKilledIsToldAsSuch(Bench bench) {
        // In a shell of its own: the first process of a container cannot kill itself.
        Failure failure = bench.failed(
                bench.start(bench.script("sh -c 'kill -9 $$'; exit $?")).name());

        assertThat(failure.exitCode()).hasValue(137);
        assertThat(failure.describe()).as("what 137 means").containsAnyOf("SIGKILL", "signal 9");
    }

    @Test
    default void oneFailedNodeFailsTheJobAndStopsTheOthers(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        TrainJobRequest request = bench.job("torch")
                .trainer(bench.sh("if [ $PET_NODE_RANK = 1 ]; then sleep 2; exit 7; fi; " + sleeper.command())
                        .numNodes(3))
                .build();
        if (bench.refusedWithout(Feature.SEVERAL_NODES, request)) {
            return;
        }

        String name = bench.start(request).name();
        Failure failure = bench.failed(name);

        assertThat(failure.step()).hasValue("node-1");
        assertThat(failure.exitCode()).hasValue(7);
        sleeper.awaitEnd();
        assertThat(bench.backend().get(name).steps()).extracting(Step::status).doesNotContain(JobStatus.RUNNING);
    }

    @Test
    default void aJobIsCompleteOnlyWhenAllItsNodesAre(Bench bench) {
        TrainJobRequest request = bench.job("torch")
                .trainer(bench.sh("if [ $PET_NODE_RANK = 0 ]; then exit 0; fi; sleep 3; exit 5")
                        .numNodes(2))
                .build();
        if (bench.refusedWithout(Feature.SEVERAL_NODES, request)) {
            return;
        }

        Failure failure = bench.failed(bench.start(request).name());

        assertThat(failure.step()).hasValue("node-1");
        assertThat(failure.exitCode()).hasValue(5);
    }

    @Test
    default void aJobIsEndedAtItsDeadline(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        TrainJobRequest request = bench.job()
                .trainer(bench.sh(sleeper.command()))
                .deadline(bench.seconds(3))
                .build();
        if (bench.refusedWithout(Feature.DEADLINE, request)) {
            return;
        }

        long start = System.nanoTime();
        TrainJob job = bench.start(request);
        Failure failure = bench.failed(job.name());

        assertThat(failure.reason()).isEqualTo("DeadlineExceeded");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("not before its time")
                .isGreaterThan(bench.seconds(2));
        sleeper.awaitEnd();
    }

    @Test
    default void aDeadlineThatIsNotReachedHarmsNothing(Bench bench) {
        TrainJobRequest request = bench.job()
                .trainer(bench.sh("true"))
                .deadline(Duration.ofHours(2))
                .build();
        if (bench.has(Feature.DEADLINE)) {
            bench.complete(request);
        }
    }
}
