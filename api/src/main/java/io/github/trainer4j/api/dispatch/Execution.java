package io.github.trainer4j.api.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One task as it runs: its attempts, one after the other, on a thread of its own. */
final class Execution<T> {
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final Task<T> task;
    private final ProgressRelay relay;
    private final Consumer<Execution<T>> ended;
    private final long startNanos = System.nanoTime();

    private boolean cancelled;
    private @Nullable Attempt attempt;
    private @Nullable TaskResult<T> result;
    private @Nullable TaskFailure failure;

    Execution(Task<T> task, ProgressRelay relay, Consumer<Execution<T>> ended) {
        this.task = task;
        this.relay = relay;
        this.ended = ended;
    }

    void start(String threadPrefix) {
        Thread thread = new Thread(this::run, threadPrefix + task.name());
        thread.setDaemon(false);
        thread.start();
    }

    String name() {
        return task.name();
    }

    synchronized @Nullable TaskFailure failure() {
        return failure;
    }

    synchronized TaskResult<T> result() {
        if (result == null) {
            throw new IllegalStateException(task.name() + " has no result");
        }
        return result;
    }

    /** Whether it failed for no other reason than that it was cancelled. */
    synchronized boolean endedByCancellation() {
        return cancelled && failure != null && (failure.cause() instanceof InterruptedException);
    }

    void cancel() {
        Attempt current;
        synchronized (this) {
            cancelled = true;
            current = attempt;
        }
        if (current != null) {
            current.stop(false);
        }
    }

    private void run() {
        Throwable last = new InterruptedException("cancelled before it started");
        for (int number = 1; number <= task.retries() + 1; number++) {
            Attempt current = new Attempt(number, Thread.currentThread());
            synchronized (this) {
                if (cancelled) {
                    break;
                }
                attempt = current;
            }
            try {
                T value = current.call();
                end(
                        new TaskResult<>(task.name(), value, Duration.ofNanos(System.nanoTime() - startNanos), number),
                        null);
                return;
            } catch (Throwable e) {
                last = e;
            }
        }
        end(null, new TaskFailure(task.name(), last));
    }

    private void end(@Nullable TaskResult<T> result, @Nullable TaskFailure failure) {
        synchronized (this) {
            this.result = result;
            this.failure = failure;
            attempt = null;
        }
        ended.accept(this);
    }

    /** One attempt at the task. */
    private final class Attempt implements TaskContext {
        private final int number;
        private final Thread thread;
        private final List<Runnable> onCancel = new ArrayList<>();
        private final List<Throwable> cancelFailures = new ArrayList<>();
        private boolean stopped;
        private boolean timedOut;
        private boolean over;

        Attempt(int number, Thread thread) {
            this.number = number;
            this.thread = thread;
        }

        T call() throws Throwable {
            @Nullable
            ScheduledFuture<?> timeout = task.timeout()
                    .map(limit -> TIMER.schedule(() -> stop(true), limit.toNanos(), TimeUnit.NANOSECONDS))
                    .orElse(null);
            @Nullable Throwable thrown = null;
            try {
                T value = task.body().run(this);
                if (!finish()) {
                    return value;
                }
            } catch (Throwable e) {
                thrown = e;
                finish();
            } finally {
                if (timeout != null) {
                    timeout.cancel(false);
                }
            }
            throw failure(thrown);
        }

        /** Ends the attempt, so that no late interrupt reaches the thread; returns whether it was stopped before. */
        private boolean finish() {
            synchronized (this) {
                over = true;
                // A late interrupt would end the next attempt.
                Thread.interrupted();
                return stopped;
            }
        }

        private synchronized Throwable failure(@Nullable Throwable thrown) {
            Throwable cause;
            if (timedOut) {
                cause = new TimeoutException("not done within its timeout of "
                        + task.timeout().map(Duration::toString).orElse(""));
                if (thrown != null && !(thrown instanceof InterruptedException)) {
                    cause.addSuppressed(thrown);
                }
            } else if (thrown == null) {
                cause = new InterruptedException("cancelled");
            } else {
                cause = thrown;
            }
            for (Throwable failure : cancelFailures) {
                if (failure != cause) {
                    cause.addSuppressed(failure);
                }
            }
            return cause;
        }

        void stop(boolean byTimeout) {
            List<Runnable> actions;
            synchronized (this) {
                if (over || stopped) {
                    return;
                }
                stopped = true;
                timedOut = byTimeout;
                actions = List.copyOf(onCancel);
                thread.interrupt();
            }
            actions.forEach(this::act);
        }

        private void act(Runnable action) {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                synchronized (this) {
                    cancelFailures.add(e);
                }
            }
        }

        @Override
        public void onCancel(Runnable action) {
            synchronized (this) {
                if (!stopped) {
                    onCancel.add(action);
                    return;
                }
            }
            act(action);
        }

        @Override
        public synchronized boolean isCancelled() {
            return stopped;
        }

        @Override
        public void progress(long bytesDone, OptionalLong bytesTotal) {
            relay.publish(task.name(), bytesDone, bytesTotal);
        }

        @Override
        public int attempt() {
            return number;
        }
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "trainer4j-dispatch-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(5, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }
}
