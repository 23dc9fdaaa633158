package io.github.trainer4j.api.dispatch;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One task as it runs: its attempts, one after the other, on a thread of its own. */
final class Execution<T> {
    private final Task<T> task;
    private final ProgressRelay relay;
    private final Timer timer;
    private final long graceNanos;
    private final Dispatcher.Threads threads;
    private final Consumer<Execution<T>> ended;

    private long startNanos;
    private boolean cancelled;
    private boolean over;
    private boolean abandoned;
    private boolean endedByCancellation;
    private @Nullable Thread thread;
    private @Nullable Attempt<T> attempt;
    private @Nullable TaskResult<T> result;
    private @Nullable TaskFailure failure;

    Execution(
            Task<T> task,
            ProgressRelay relay,
            Timer timer,
            long graceNanos,
            Dispatcher.Threads threads,
            Consumer<Execution<T>> ended) {
        this.task = task;
        this.relay = relay;
        this.timer = timer;
        this.graceNanos = graceNanos;
        this.threads = threads;
        this.ended = ended;
    }

    /** Starts the task. When the system has no thread for it, that is the task's failure. */
    void start() {
        try {
            Thread made = threads.newThread(task.name(), this::run);
            boolean wanted;
            synchronized (this) {
                thread = made;
                startNanos = System.nanoTime();
                wanted = !cancelled;
            }
            if (wanted) {
                made.start();
            } else {
                fail(notStarted(), true, null);
            }
        } catch (RuntimeException | Error e) {
            fail(e, false, null);
        }
    }

    String name() {
        return task.name();
    }

    synchronized @Nullable TaskFailure failure() {
        return failure;
    }

    TaskFailure requireFailure() {
        TaskFailure found = failure();
        if (found == null) {
            throw new IllegalStateException(task.name() + " did not fail");
        }
        return found;
    }

    synchronized TaskResult<T> result() {
        if (result == null) {
            throw new IllegalStateException(task.name() + " has no result");
        }
        return result;
    }

    /** Whether it failed for no other reason than that it was cancelled. */
    synchronized boolean endedByCancellation() {
        return endedByCancellation;
    }

    /** Whether it was given up while its thread still ran, because it ignored its timeout. */
    synchronized boolean isAbandoned() {
        return abandoned;
    }

    /** Cancels the task, now or before it starts. Does not block. */
    void cancel() {
        Attempt<T> current;
        synchronized (this) {
            cancelled = true;
            current = attempt;
        }
        if (current != null) {
            current.stop(false);
        }
    }

    /** Waits for the thread of a task that has ended. */
    void join() {
        Thread ending;
        synchronized (this) {
            ending = abandoned ? null : thread;
        }
        Timer.join(ending);
    }

    private void run() {
        Throwable last = notStarted();
        boolean byCancellation = true;
        for (int number = 1; number <= task.retries() + 1; number++) {
            Attempt<T> current = new Attempt<>(this, task, number, relay, threads);
            synchronized (this) {
                if (cancelled || over) {
                    break;
                }
                attempt = current;
            }
            try {
                succeed(current.call(timer), number);
                return;
            } catch (Throwable e) {
                last = e;
                byCancellation = current.endedByCancellation(e);
                synchronized (this) {
                    attempt = null;
                }
            }
            if (last instanceof Error) {
                // What is wrong with the JVM does not get better by doing it again.
                break;
            }
        }
        fail(last, byCancellation, null);
    }

    private static InterruptedException notStarted() {
        return new InterruptedException("cancelled before it started");
    }

    /** Gives an attempt that was told to stop the grace to do so. */
    void timedOut(Attempt<T> current) {
        timer.after(graceNanos, () -> fail(current.timeout(), false, current));
    }

    private void succeed(T value, int attempts) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            attempt = null;
            result = new TaskResult<>(task.name(), value, Duration.ofNanos(System.nanoTime() - startNanos), attempts);
        }
        ended.accept(this);
    }

    /**
     * Ends the task as failed.
     *
     * @param givenUp the attempt that still runs and is given up, unless it is over by now
     */
    private void fail(Throwable cause, boolean byCancellation, @Nullable Attempt<T> givenUp) {
        synchronized (this) {
            if (over || (givenUp != null && givenUp != attempt)) {
                return;
            }
            over = true;
            abandoned = givenUp != null;
            attempt = null;
            failure = new TaskFailure(task.name(), cause);
            endedByCancellation = byCancellation;
        }
        ended.accept(this);
    }
}
