package io.github.trainer4j.benchmarks;

import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.dispatch.DispatchException;
import io.github.trainer4j.api.dispatch.Dispatcher;
import io.github.trainer4j.api.dispatch.Task;
import java.time.Duration;
import java.util.List;

/** Two tasks at once: what the dispatcher adds to the longer one, and how soon a failure is told. */
final class DispatchBenchmark {
    private static final long LONG = 2000;
    private static final long SHORT = 200;

    private DispatchBenchmark() {}

    static void run() throws Exception {
        Dispatcher dispatcher = new Dispatcher("bench-", Duration.ofSeconds(10));
        double both = Benchmarks.median(() -> {
            long start = System.nanoTime();
            dispatcher.run(List.of(sleeping("a", LONG), sleeping("b", LONG)), ProgressListener.none());
            return Benchmarks.millisecondsSince(start);
        });
        Benchmarks.print("two tasks of %d ms: %.1f ms, total / longest %.4f", LONG, both, both / LONG);
        double failing = Benchmarks.median(() -> {
            long start = System.nanoTime();
            try {
                dispatcher.run(List.of(failing("a", SHORT), sleeping("b", 60_000)), ProgressListener.none());
                throw new AssertionError("no failure was told");
            } catch (DispatchException e) {
                return Benchmarks.millisecondsSince(start);
            }
        });
        Benchmarks.print("one fails at %d ms: told, and the other stopped, after %.1f ms", SHORT, failing);
    }

    private static Task<String> sleeping(String name, long milliseconds) {
        return Task.of(name, context -> {
            Thread.sleep(milliseconds);
            return name;
        });
    }

    private static Task<String> failing(String name, long milliseconds) {
        return Task.of(name, context -> {
            Thread.sleep(milliseconds);
            throw new IllegalStateException("as planned");
        });
    }
}
