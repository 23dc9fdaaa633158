package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What tests do with jobs on a cluster. */
final class Jobs {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long POLL_MILLIS = 2000;

    private Jobs() {}

    /** Waits as a client does: looks whenever there is a hint, now and then without one, and on while the cluster is away. */
    static TrainJob await(Backend backend, String name, Duration patience, Predicate<TrainJob> reached)
            throws Exception {
        long end = System.nanoTime() + patience.toNanos();
        Semaphore hints = new Semaphore(0);
        try (AutoCloseable watch = backend.watch(name, hints::release)) {
            while (true) {
                TrainJob job = null;
                try {
                    job = backend.get(name);
                } catch (BackendUnavailableException e) {
                    assertThat(System.nanoTime()).as(e.toString()).isLessThan(end);
                }
                if (job != null && reached.test(job)) {
                    return job;
                }
                assertThat(System.nanoTime()).as("too long: " + job).isLessThan(end);
                if (hints.tryAcquire(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    hints.drainPermits();
                }
            }
        }
    }

    static TrainJob over(Backend backend, String name) throws Exception {
        return await(backend, name, PATIENCE, job -> job.status().isFinal());
    }

    static List<String> lines(Backend backend, String name, LogQuery query) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        try (LogStream log = backend.logs(name, query)) {
            log.forEach(line -> lines.add(line.text()));
        }
        return lines;
    }
}
