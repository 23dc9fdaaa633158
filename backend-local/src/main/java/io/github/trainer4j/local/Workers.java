package io.github.trainer4j.local;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A few threads for short tasks, now or later. They end when there is nothing to do. */
final class Workers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final int THREADS = 4;

    private final ScheduledThreadPoolExecutor executor;

    Workers() {
        AtomicInteger number = new AtomicInteger();
        executor = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, "trainer4j-local-worker-" + number.incrementAndGet());
            // Jobs go on without us, and so must nobody wait for us.
            thread.setDaemon(true);
            return thread;
        });
        executor.setKeepAliveTime(2, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs a task soon; returns false if these workers are closed. */
    boolean run(Runnable task) {
        return after(0, task);
    }

    /** Runs a task in so many milliseconds; returns false if these workers are closed. */
    boolean after(long millis, Runnable task) {
        try {
            Future<?> unused = executor.schedule(() -> guarded(task), millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("a task of backend local failed", e);
        }
    }

    /** Ends all threads; tasks that were not started are dropped. */
    @Override
    public void close() {
        executor.shutdownNow();
        boolean interrupted = Thread.interrupted();
        try {
            if (!executor.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("a worker of backend local does not end");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
