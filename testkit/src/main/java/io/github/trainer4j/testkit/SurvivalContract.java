package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import org.junit.jupiter.api.Test;

/** The part of the contract about jobs that outlive the backend that started them. */
interface SurvivalContract {
    @Test
    default void anotherBackendSeesTheSameJobs(Bench bench) {
        String complete = bench.complete(bench.script("echo hello")).name();
        String failed = bench.run(bench.script("echo oh >&2; exit 3")).name();
        Backend other = bench.another();

        for (String name : new String[] {complete, failed}) {
            assertThat(other.get(name)).isEqualTo(bench.backend().get(name));
            assertThat(other.list()).contains(bench.backend().get(name));
            assertThat(other.events(name)).isEqualTo(bench.backend().events(name));
        }
        assertThat(bench.read(other.logs(complete, LogQuery.all())))
                .isEqualTo(bench.lines(complete, LogQuery.all()))
                .isNotEmpty();
        assertThat(other.get(failed).failure().map(Failure::describe))
                .get()
                .asString()
                .contains("oh");
    }

    @Test
    default void aJobGoesOnWhenItsBackendIsClosed(Bench bench) {
        String name = bench.start(bench.script("echo begin; sleep 3; echo end; exit 4"))
                .name();
        bench.wrote(name, "node-0", "begin");

        bench.backend().close();

        Backend other = bench.another();
        TrainJob job = bench.await(other, name, "be over", read -> read.status().isFinal());
        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.failure().orElseThrow().exitCode())
                .as("the exit code is not lost")
                .hasValue(4);
        if (bench.has(Feature.LOGS_OF_FAILED_STEPS)) {
            assertThat(bench.read(other.logs(name, LogQuery.step("node-0"))))
                    .extracting(line -> line.text())
                    .containsExactly("begin", "end");
        }
    }

    @Test
    default void anotherBackendFollowsARunningJobToItsEnd(Bench bench) {
        String name = bench.start(bench.script("echo begin; sleep 4; echo end")).name();
        bench.wrote(name, "node-0", "begin");
        bench.backend().close();
        Backend other = bench.another();

        Follower follower =
                Follower.of(bench, other.logs(name, LogQuery.step("node-0").following()));

        assertThat(follower.all()).containsExactly("begin", "end");
        assertThat(bench.await(other, name, "be over", job -> job.status().isFinal())
                        .status())
                .isEqualTo(JobStatus.COMPLETE);
    }

    @Test
    default void anotherBackendDeletesARunningJob(Bench bench) throws InterruptedException {
        Sleeper sleeper = bench.sleeper();
        String name = bench.start(bench.script(sleeper.command())).name();
        sleeper.awaitStart();
        Backend other = bench.another();

        other.delete(name);

        sleeper.awaitEnd();
        bench.hasNo(name);
        assertThatThrownBy(() -> other.get(name)).isInstanceOf(JobNotFoundException.class);
    }

    @Test
    default void closingWaitsForALaunchThatIsUnderWay(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.sleep(3)))
                .trainer(bench.sh("sleep 2; echo trained"))
                .build();
        if (!bench.has(Feature.INITIALIZERS)) {
            return;
        }
        String name = bench.start(request).name();

        bench.backend().close();

        Backend other = bench.another();
        TrainJob job = bench.await(other, name, "be over", read -> read.status().isFinal());
        assertThat(job.status()).isEqualTo(JobStatus.COMPLETE);
    }

    @Test
    default void anInterruptEndsAClosingThatWaits(Bench bench) throws InterruptedException {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.sleep(3600)))
                .trainer(bench.sh("echo trained"))
                .build();
        if (!bench.has(Feature.INITIALIZERS)) {
            return;
        }
        String name = bench.start(request).name();
        bench.wrote(name, "dataset-initializer", "dataset: sleep-3600");
        Thread closing = new Thread(() -> bench.backend().close(), "contract-close");

        closing.start();
        Bench.pause(500);
        closing.interrupt();
        closing.join(bench.patience().toMillis());

        assertThat(closing.isAlive()).as("close() still waits").isFalse();
        Backend other = bench.another();
        if (bench.has(Feature.INITIALIZER_PROGRESS)) {
            // This process ran the initializer, so it was stopped, and the job says so.
            TrainJob job =
                    bench.await(other, name, "be over", read -> read.status().isFinal());
            assertThat(job.status()).isEqualTo(JobStatus.FAILED);
            bench.until("the initializer is stopped", () -> bench.actions().running() == 0);
        }
        other.delete(name);
        assertThatThrownBy(() -> other.get(name)).isInstanceOf(JobNotFoundException.class);
    }

    @Test
    default void closingTwiceHarmsNothing(Bench bench) {
        bench.complete(bench.script("true"));
        Backend other = bench.another();

        other.close();
        other.close();
    }
}
