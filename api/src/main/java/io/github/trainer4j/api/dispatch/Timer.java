package io.github.trainer4j.api.dispatch;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The clock of one run: its thread exists only when a task has a timeout, and ends with the run. */
final class Timer implements AutoCloseable {
    private final ScheduledThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    Timer(Dispatcher.Threads threads) {
        executor = new ScheduledThreadPoolExecutor(1, body -> {
            Thread made = threads.newThread("timer", body);
            thread = made;
            return made;
        });
        executor.setRemoveOnCancelPolicy(true);
    }

    /** Runs an action later, which must not block; returns what calls it off. */
    Runnable after(long nanos, Runnable action) {
        ScheduledFuture<?> scheduled = executor.schedule(action, nanos, TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public void close() {
        executor.shutdownNow();
        join(thread);
    }

    /** Waits for a thread that is about to end, through interrupts, which are kept. */
    static void join(@Nullable Thread thread) {
        boolean interrupted = false;
        while (thread != null && thread != Thread.currentThread() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the nanoseconds of a duration; what does not fit is as good as for ever. */
    static long nanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 2;
        }
    }
}
