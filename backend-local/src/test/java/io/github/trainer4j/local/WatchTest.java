package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.Backend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchTest extends BenchTests {
    @Test
    void anotherClientIsToldOfTheEndAndOfTheDeletion() throws Exception {
        Path gate = bench.work.resolve("gate");
        TrainJob job = backend.train(
                Bench.shell("until [ -e " + gate + " ]; do sleep 0.05; done", 1).build(), ProgressListener.none());
        Backend other = bench.backend();
        Bench.await(other, job.name(), java.time.Duration.ofSeconds(10), JobStatus.RUNNING);
        Semaphore hints = new Semaphore(0);
        try (AutoCloseable watch = other.watch(job.name(), hints::release)) {
            Files.createFile(gate);
            while (!other.get(job.name()).status().isFinal()) {
                assertThat(hints.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            }
            hints.drainPermits();
            backend.delete(job.name());
            assertThat(hints.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aCallbackThatThrowsHarmsNoOther() throws Exception {
        TrainJob job = backend.train(Bench.shell("sleep 0.5", 1).build(), ProgressListener.none());
        Semaphore hints = new Semaphore(0);
        try (AutoCloseable broken = backend.watch(job.name(), () -> {
                    throw new IllegalStateException("a callback that throws");
                });
                AutoCloseable good = backend.watch(job.name(), hints::release)) {
            assertThat(hints.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            assertThat(hints.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void afterItsEndNobodyIsCalled() throws Exception {
        TrainJob job = backend.train(Bench.shell("sleep 0.3", 1).build(), ProgressListener.none());
        Semaphore hints = new Semaphore(0);
        Semaphore others = new Semaphore(0);
        AutoCloseable watch = backend.watch(job.name(), hints::release);
        try (AutoCloseable second = backend.watch(job.name(), others::release)) {
            watch.close();
            watch.close();
            hints.drainPermits();
            assertThat(others.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(hints.availablePermits()).isZero();
    }

    @Test
    void aJobThatIsNotThereCannotBeWatched() {
        assertThatThrownBy(() -> backend.watch("nobody", () -> {})).isInstanceOf(JobNotFoundException.class);
    }
}
