package io.github.trainer4j.api.dispatch;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt at a task. */
final class Attempt<T> implements TaskContext {
    private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);
    private static final int DEEPEST_CAUSE = 16;

    private final Execution<T> execution;
    private final Task<T> task;
    private final int number;
    private final ProgressRelay relay;
    private final Dispatcher.Threads threads;
    private final Thread thread = Thread.currentThread();
    private final List<Runnable> onCancel = new ArrayList<>();
    private final List<Throwable> cancelFailures = new ArrayList<>();
    private @Nullable Thread canceller;
    private boolean stopped;
    private boolean timedOut;
    private boolean over;

    /** Makes an attempt that the calling thread will do. */
    Attempt(Execution<T> execution, Task<T> task, int number, ProgressRelay relay, Dispatcher.Threads threads) {
        this.execution = execution;
        this.task = task;
        this.number = number;
        this.relay = relay;
        this.threads = threads;
    }

    /**
     * Does the task once. When it returns, actions of its cancellation are over too, so that a further attempt does not
     * meet them.
     */
    T call(Timer timer) throws Throwable {
        @Nullable Throwable thrown = null;
        @Nullable Runnable callOff = null;
        try {
            if (task.timeout().isPresent()) {
                callOff = timer.after(Timer.nanos(task.timeout().get()), () -> stop(true));
            }
            T value = task.body().run(this);
            if (!finish()) {
                return value;
            }
        } catch (Throwable e) {
            thrown = e;
            finish();
        } finally {
            if (callOff != null) {
                callOff.run();
            }
        }
        throw failure(thrown);
    }

    /** Ends the attempt, so that no late interrupt reaches the thread; returns whether it was stopped before. */
    private boolean finish() {
        Thread acting;
        synchronized (this) {
            over = true;
            acting = canceller;
        }
        Timer.join(acting);
        // A late interrupt would end the next attempt.
        Thread.interrupted();
        return isCancelled();
    }

    private synchronized Throwable failure(@Nullable Throwable thrown) {
        Throwable cause;
        if (thrown instanceof Error) {
            cause = thrown;
        } else if (timedOut) {
            cause = timeout();
            if (thrown != null && !isInterruption(thrown)) {
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

    TimeoutException timeout() {
        return new TimeoutException("not done within its timeout of "
                + task.timeout().map(Duration::toString).orElse(""));
    }

    /** Whether a failure of this attempt says no more than that it was cancelled. */
    synchronized boolean endedByCancellation(Throwable failure) {
        return stopped && !timedOut && isInterruption(failure);
    }

    private static boolean isInterruption(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof InterruptedException
                    || cause instanceof ClosedByInterruptException
                    || cause instanceof CancellationException
                    || (cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException))) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /**
     * Interrupts the task and starts the actions of its cancellation on a thread of their own: one that blocks holds up
     * neither the clock nor the cancelling of others.
     */
    void stop(boolean byTimeout) {
        List<Runnable> actions;
        boolean started = true;
        synchronized (this) {
            if (over || stopped) {
                return;
            }
            stopped = true;
            timedOut = byTimeout;
            actions = List.copyOf(onCancel);
            thread.interrupt();
            if (!actions.isEmpty()) {
                started = startCanceller(actions);
            }
        }
        if (byTimeout) {
            execution.timedOut(this);
        }
        if (!started) {
            actions.forEach(this::act);
        }
    }

    private boolean startCanceller(List<Runnable> actions) {
        try {
            Thread made = threads.newThread(task.name() + "-cancel", () -> actions.forEach(this::act));
            made.start();
            canceller = made;
            return true;
        } catch (RuntimeException | Error e) {
            LOG.warn("no thread to cancel {} on; its actions hold up this one", task.name(), e);
            return false;
        }
    }

    private void act(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            boolean late;
            synchronized (this) {
                late = over && canceller != Thread.currentThread();
                cancelFailures.add(e);
            }
            if (late) {
                LOG.warn("an action of the cancelled task {} failed after its end", task.name(), e);
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
        boolean wasStopped;
        synchronized (this) {
            if (over) {
                return;
            }
            wasStopped = stopped;
        }
        boolean interruptible = !wasStopped || Thread.currentThread().isInterrupted();
        relay.publish(task.name(), bytesDone, bytesTotal);
        synchronized (this) {
            if (stopped && !over && interruptible && Thread.currentThread() == thread) {
                // A listener may have swallowed the interrupt that was meant for the task.
                thread.interrupt();
            }
        }
    }

    @Override
    public int attempt() {
        return number;
    }
}
