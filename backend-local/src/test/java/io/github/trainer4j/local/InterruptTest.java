package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.Backend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An interrupt at each call that blocks. */
class InterruptTest extends BenchTests {
    private static final String DEAF = "trap '' TERM; echo ready; while :; do sleep 600; done";

    /** Runs a call on a thread of its own, interrupts it when it blocks, and returns what it threw. */
    private static Throwable interrupted(Callable<?> call) throws Exception {
        FutureTask<Throwable> outcome = new FutureTask<>(() -> {
            try {
                call.call();
                return Thread.currentThread().isInterrupted() ? null : new AssertionError("it ended by itself");
            } catch (Throwable e) {
                return e;
            }
        });
        Thread thread = new Thread(outcome);
        thread.start();
        Thread.sleep(500);
        assertThat(outcome.isDone()).as("it blocks").isFalse();
        thread.interrupt();
        return outcome.get(20, TimeUnit.SECONDS);
    }

    private TrainJob deaf() throws InterruptedException {
        bench.settings.put("grace-period", "4s");
        backend = bench.backend();
        TrainJob job = backend.train(Bench.shell(DEAF, 1).build(), ProgressListener.none());
        try (LogStream stream = backend.logs(job.name(), LogQuery.all().following())) {
            assertThat(stream.next()).isPresent();
        }
        return job;
    }

    @Test
    void aDeleteThatIsInterruptedCanBeDoneAgain() throws Exception {
        TrainJob job = deaf();

        assertThat(interrupted(() -> {
                    backend.delete(job.name());
                    return null;
                }))
                .isInstanceOf(InterruptedException.class);

        assertThat(backend.get(job.name()).name()).isEqualTo(job.name());
        backend.delete(job.name());
        assertThat(bench.jobs()).isEmptyDirectory();
        assertThat(Marked.processes(bench.jobs())).isEmpty();
    }

    @Test
    void aFollowIsInterrupted() throws Exception {
        TrainJob job = deaf();
        try (LogStream stream = backend.logs(job.name(), LogQuery.all().tail(0).following())) {
            assertThat(interrupted(stream::next)).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void aClosingThatWaitsStopsItsLaunches() throws Exception {
        CountDownLatch fetching = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        bench.fetcher("long", (directory, context) -> {
            fetching.countDown();
            try {
                Thread.sleep(600_000);
            } finally {
                stopped.countDown();
            }
        });
        TrainJob job =
                backend.train(Bench.shell("true", 1).dataset("test://long").build(), ProgressListener.none());
        fetching.await();

        assertThat(interrupted(() -> {
                    backend.close();
                    return null;
                }))
                .as("the flag is set again, and nothing is thrown")
                .isNull();

        stopped.await();
        TrainJob failed = bench.backend().get(job.name());
        assertThat(failed.status()).isEqualTo(JobStatus.FAILED);
        assertThat(failed.failure().orElseThrow().reason()).isEqualTo("ClientClosed");
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains(job.name()));
    }

    @Test
    void askingForPackagesIsInterruptedAndLeavesNoProcess() throws Exception {
        Path python = Files.writeString(bench.work.resolve("python3"), "#!/bin/sh\nsleep 600\n");
        assertThat(python.toFile().setExecutable(true)).isTrue();
        bench.settings.put("python", python.toString());
        Backend slow = bench.backend();

        assertThat(interrupted(() -> slow.runtimePackages(Bench.TORCH))).isInstanceOf(InterruptedException.class);
        Thread.sleep(100);
        assertThat(Marked.processes(python)).isEmpty();
    }

    @Test
    void callsThatDoNotBlockWorkOnAnInterruptedThread() throws Exception {
        Thread.currentThread().interrupt();
        TrainJob job = backend.train(Bench.shell("exit 4", 1).build(), ProgressListener.none());
        assertThat(backend.get(job.name()).name()).isEqualTo(job.name());
        assertThat(backend.list()).hasSize(1);
        assertThat(backend.events(job.name())).isNotEmpty();
        assertThat(Thread.interrupted()).isTrue();

        TrainJob failed = Bench.await(backend, job.name(), Duration.ofSeconds(20), JobStatus.FAILED);
        assertThat(failed.failure().orElseThrow().exitCode()).hasValue(4);
    }
}
