package io.github.trainer4j.api.dispatch;

import io.github.trainer4j.api.ProgressListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs named tasks in parallel, each on a thread of its own. The time it takes is that of the longest task. The first
 * failure cancels all others at once and waits for them a bounded grace. Immutable; one dispatcher may run many times,
 * also at once.
 */
public final class Dispatcher {
    private final String threadPrefix;
    private final Duration grace;

    /**
     * Makes a dispatcher.
     *
     * @param threadPrefix what the names of its threads start with; the task's name follows
     * @param grace how long cancelled tasks are waited for
     */
    public Dispatcher(String threadPrefix, Duration grace) {
        this.threadPrefix = Objects.requireNonNull(threadPrefix, "threadPrefix");
        this.grace = Objects.requireNonNull(grace, "grace");
    }

    /**
     * Runs all tasks and returns their results in the order in which they were completed.
     *
     * @param tasks what to do; no two have one name
     * @param listener is told about progress, by one thread at a time; what it throws is logged
     * @throws DispatchException if a task failed; by then all others have ended, or are named in it as stuck
     * @throws InterruptedException if the calling thread was interrupted; by then all tasks were cancelled and waited for
     */
    public <T> List<TaskResult<T>> run(List<Task<T>> tasks, ProgressListener listener) throws InterruptedException {
        return run(tasks, listener, result -> {});
    }

    /**
     * Runs all tasks like {@link #run(List, ProgressListener)} and hands over each result as soon as it is there.
     *
     * @param completed is handed each result, on the calling thread; what it throws ends the run as a task's failure does
     * @throws DispatchException if a task failed; by then all others have ended, or are named in it as stuck
     * @throws InterruptedException if the calling thread was interrupted; by then all tasks were cancelled and waited for
     */
    public <T> List<TaskResult<T>> run(
            List<Task<T>> tasks, ProgressListener listener, Consumer<TaskResult<T>> completed)
            throws InterruptedException {
        Set<String> names = new HashSet<>();
        for (Task<T> task : tasks) {
            if (!names.add(task.name())) {
                throw new IllegalArgumentException("two tasks are called " + task.name());
            }
        }
        ProgressRelay relay = new ProgressRelay(listener);
        BlockingQueue<Execution<T>> ended = new LinkedBlockingQueue<>();
        List<Execution<T>> executions = new ArrayList<>();
        for (Task<T> task : tasks) {
            executions.add(new Execution<>(task, relay, ended::add));
        }
        List<Execution<T>> running = new ArrayList<>(executions);
        List<TaskResult<T>> results = new ArrayList<>();
        try {
            executions.forEach(execution -> execution.start(threadPrefix));
            while (!running.isEmpty()) {
                Execution<T> execution = ended.take();
                running.remove(execution);
                if (execution.failure() != null) {
                    throw failed(execution.failure(), running, ended);
                }
                TaskResult<T> result = execution.result();
                results.add(result);
                completed.accept(result);
            }
            relay.drain();
            return List.copyOf(results);
        } catch (InterruptedException e) {
            running.forEach(Execution::cancel);
            await(running, ended);
            throw e;
        } catch (RuntimeException | Error e) {
            running.forEach(Execution::cancel);
            if (!(e instanceof DispatchException)) {
                await(running, ended);
            }
            throw e;
        }
    }

    private <T> DispatchException failed(
            TaskFailure first, List<Execution<T>> running, BlockingQueue<Execution<T>> ended) {
        running.forEach(Execution::cancel);
        List<Execution<T>> others = await(running, ended);
        List<TaskFailure> further = new ArrayList<>();
        List<String> cancelled = new ArrayList<>();
        for (Execution<T> other : others) {
            if (other.failure() != null && !other.endedByCancellation()) {
                further.add(other.failure());
            } else if (other.failure() != null) {
                cancelled.add(other.name());
            }
        }
        List<String> stuck = running.stream().map(Execution::name).toList();
        return new DispatchException(first, further, cancelled, stuck);
    }

    /** Waits for cancelled executions to end, at most the grace; takes the ended ones out of {@code running}. */
    private <T> List<Execution<T>> await(List<Execution<T>> running, BlockingQueue<Execution<T>> ended) {
        List<Execution<T>> over = new ArrayList<>();
        boolean interrupted = false;
        long deadline = System.nanoTime() + grace.toNanos();
        while (!running.isEmpty()) {
            try {
                Execution<T> execution = ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (execution == null) {
                    break;
                }
                running.remove(execution);
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
