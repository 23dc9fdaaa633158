package io.github.trainer4j.api.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a dispatcher. The calling thread takes ended tasks out of a queue. A failure is acted on by the very thread
 * that saw it, so that the others are cancelled at once even while the caller is busy with a result.
 */
final class Run<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    private final List<Execution<T>> executions = new ArrayList<>();
    private final List<Execution<T>> running;
    private final BlockingQueue<Execution<T>> ended = new LinkedBlockingQueue<>();
    private final ProgressRelay relay;
    private final Consumer<TaskResult<T>> completed;
    private final long graceNanos;
    private final Timer timer;

    Run(
            List<Task<T>> tasks,
            ProgressRelay relay,
            Consumer<TaskResult<T>> completed,
            Duration grace,
            Dispatcher.Threads threads) {
        this.relay = relay;
        this.completed = completed;
        this.graceNanos = Timer.nanos(grace);
        this.timer = new Timer(threads);
        for (Task<T> task : tasks) {
            executions.add(new Execution<>(task, relay, timer, graceNanos, threads, this::ended));
        }
        running = new ArrayList<>(executions);
    }

    List<TaskResult<T>> run() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before anything was started");
        }
        try {
            List<TaskResult<T>> results = new ArrayList<>();
            Execution<T> failed = complete(results);
            if (failed != null) {
                throw failure(failed);
            }
            return List.copyOf(results);
        } finally {
            timer.close();
            relay.close();
        }
    }

    /** Starts all tasks and takes their results; returns the first that failed. */
    private @Nullable Execution<T> complete(List<TaskResult<T>> results) throws InterruptedException {
        try {
            executions.forEach(Execution::start);
            while (!running.isEmpty()) {
                Execution<T> execution = ended.take();
                leave(execution);
                if (execution.failure() != null) {
                    return execution;
                }
                relay.flush(execution.name());
                TaskResult<T> result = execution.result();
                results.add(result);
                completed.accept(result);
            }
            return null;
        } catch (InterruptedException | RuntimeException | Error e) {
            attach(e, stop());
            throw e;
        }
    }

    /** Is called by the thread that saw the end of a task. */
    private void ended(Execution<T> execution) {
        ended.add(execution);
        if (execution.failure() != null) {
            executions.forEach(Execution::cancel);
        }
    }

    private void leave(Execution<T> execution) {
        running.remove(execution);
        execution.join();
    }

    private DispatchException failure(Execution<T> first) {
        List<Execution<T>> others = stop();
        List<TaskFailure> further = new ArrayList<>();
        List<TaskFailure> cancelled = new ArrayList<>();
        List<String> stuck = new ArrayList<>();
        if (first.isAbandoned()) {
            stuck.add(first.name());
        }
        for (Execution<T> other : others) {
            TaskFailure failure = other.failure();
            if (failure != null) {
                (other.endedByCancellation() ? cancelled : further).add(failure);
            }
            if (other.isAbandoned()) {
                stuck.add(other.name());
            }
        }
        running.forEach(execution -> stuck.add(execution.name()));
        return new DispatchException(first.requireFailure(), further, cancelled, stuck);
    }

    /** Attaches what else went wrong to an error that is not a task's own. */
    private void attach(Throwable error, List<Execution<T>> others) {
        List<String> stuck = new ArrayList<>();
        for (Execution<T> other : others) {
            TaskFailure failure = other.failure();
            if (failure != null
                    && failure.cause() != error
                    && (!other.endedByCancellation() || failure.cause().getSuppressed().length > 0)) {
                error.addSuppressed(failure.cause());
            }
            if (other.isAbandoned()) {
                stuck.add(other.name());
            }
        }
        running.forEach(execution -> stuck.add(execution.name()));
        if (!stuck.isEmpty()) {
            String sentence = "ignoring their cancellation and still running: " + String.join(", ", stuck);
            LOG.warn("tasks are {}", sentence);
            error.addSuppressed(new IllegalStateException(sentence));
        }
    }

    /** Cancels whatever still runs and waits for it, at most the grace; what has not ended then stays in running. */
    private List<Execution<T>> stop() {
        running.forEach(Execution::cancel);
        List<Execution<T>> over = new ArrayList<>();
        boolean interrupted = false;
        long start = System.nanoTime();
        while (!running.isEmpty()) {
            try {
                long left = graceNanos - (System.nanoTime() - start);
                Execution<T> execution = ended.poll(left, TimeUnit.NANOSECONDS);
                if (execution == null) {
                    break;
                }
                leave(execution);
                over.add(execution);
            } catch (InterruptedException e) {
                // The tasks are being cancelled already; the caller sees the interrupt when they have ended.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return over;
    }
}
