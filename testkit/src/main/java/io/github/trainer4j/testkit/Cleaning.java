package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.spi.Backend;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Removes what a test has left. A part that fails keeps no other from being done; all that failed is told in the end. */
final class Cleaning {
    private final Function<String, List<String>> traces;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /**
     * Makes a cleaning.
     *
     * @param traces lists what exists of a job
     */
    Cleaning(Function<String, List<String>> traces) {
        this.traces = traces;
    }

    /** A part of the cleaning. */
    interface Part {
        void run() throws InterruptedException, IOException;
    }

    void attempt(Part part) {
        try {
            part.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failures.add(e);
        } catch (IOException | RuntimeException | AssertionError e) {
            failures.add(e);
        }
    }

    /** Deletes jobs, all at once: each may take as long as its processes are given to end. */
    void delete(Backend backend, Collection<String> jobs) throws InterruptedException {
        List<Thread> threads = jobs.stream()
                .map(name -> new Thread(() -> delete(backend, name), "contract-clean-" + name))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void delete(Backend backend, String name) {
        attempt(() -> {
            try {
                backend.delete(name);
            } catch (JobNotFoundException e) {
                // The test deleted it, or it was never accepted.
            }
        });
        attempt(() ->
                assertThat(traces.apply(name)).as("what is left of " + name).isEmpty());
    }

    /** Fails if a part did. */
    void check() {
        if (!failures.isEmpty()) {
            AssertionError error = new AssertionError("the test's jobs were not cleaned up: " + failures.get(0));
            failures.forEach(error::addSuppressed);
            throw error;
        }
    }
}
