package io.github.trainer4j.container;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does one thing to many, a few at a time: an engine gets slower when it is asked for more at once. */
final class Parallel {
    /** How many calls are made at a time. */
    static final int WIDTH = 8;

    private Parallel() {}

    /**
     * Does an action to each, and returns when all are done. After the first failure nothing more is begun; it is thrown
     * when what was begun is over, with the others attached.
     *
     * @throws EngineException of kind INTERRUPTED if the thread is interrupted; what was begun is interrupted, too
     */
    static <T> void each(List<T> items, String threadPrefix, Consumer<T> action) {
        if (items.size() <= 1) {
            items.forEach(action);
            return;
        }
        AtomicInteger next = new AtomicInteger();
        AtomicBoolean failed = new AtomicBoolean();
        int width = Math.min(WIDTH, items.size());
        AtomicInteger count = new AtomicInteger();
        ExecutorService pool =
                Executors.newFixedThreadPool(width, body -> new Thread(body, threadPrefix + count.incrementAndGet()));
        List<Future<?>> runs = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            runs.add(pool.submit(() -> {
                for (int at = next.getAndIncrement(); at < items.size() && !failed.get(); at = next.getAndIncrement()) {
                    try {
                        action.accept(items.get(at));
                    } catch (RuntimeException | Error e) {
                        failed.set(true);
                        throw e;
                    }
                }
            }));
        }
        pool.shutdown();
        await(runs, pool, failed);
    }

    private static void await(List<Future<?>> runs, ExecutorService pool, AtomicBoolean failed) {
        @Nullable Throwable first = null;
        boolean interrupted = false;
        for (Future<?> run : runs) {
            while (true) {
                try {
                    run.get();
                    break;
                } catch (ExecutionException e) {
                    Throwable cause = e.getCause() == null ? e : e.getCause();
                    if (first == null) {
                        first = cause;
                    } else if (first != cause) {
                        first.addSuppressed(cause);
                    }
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                    failed.set(true);
                    pool.shutdownNow();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
            EngineException e =
                    new EngineException(EngineException.Kind.INTERRUPTED, "interrupted", new InterruptedException());
            if (first != null) {
                e.addSuppressed(first);
            }
            throw e;
        }
        if (first instanceof RuntimeException e) {
            throw e;
        }
        if (first instanceof Error e) {
            throw e;
        }
    }
}
