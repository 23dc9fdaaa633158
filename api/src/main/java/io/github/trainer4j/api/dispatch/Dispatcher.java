package io.github.trainer4j.api.dispatch;

import io.github.trainer4j.api.ProgressListener;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Runs named tasks in parallel, each on a thread of its own. The time it takes is that of the longest task. The first
 * failure cancels all others at once and waits for them a bounded grace. Immutable; one dispatcher may run many times,
 * also at once, and within a task of another run.
 *
 * <p>When a run is over, however it ended, no thread of it is left but those of tasks that ignore their cancellation;
 * such tasks are named in the exception.
 */
public final class Dispatcher {
    private final String threadPrefix;
    private final Duration grace;
    private final ThreadFactory threads;

    /**
     * Makes a dispatcher.
     *
     * @param threadPrefix what the names of its threads start with; the task's name follows
     * @param grace how long cancelled and timed-out tasks are waited for
     * @throws IllegalArgumentException if the grace is negative
     */
    public Dispatcher(String threadPrefix, Duration grace) {
        this(threadPrefix, grace, Thread::new);
    }

    /** Takes the factory of the threads too, so that tests can show what happens when there is none to be had. */
    Dispatcher(String threadPrefix, Duration grace, ThreadFactory threads) {
        this.threadPrefix = Objects.requireNonNull(threadPrefix, "threadPrefix");
        this.grace = Objects.requireNonNull(grace, "grace");
        this.threads = threads;
        if (grace.isNegative()) {
            throw new IllegalArgumentException("the grace is negative: " + grace);
        }
    }

    /**
     * Runs all tasks and returns their results in the order in which they were completed.
     *
     * @param tasks what to do; no two have one name
     * @param listener is told about progress, by one thread at a time; what it throws is logged
     * @throws DispatchException if a task failed; by then all others have ended, or are named in it as stuck
     * @throws InterruptedException if the calling thread was interrupted; by then all tasks were cancelled and waited for.
     *     What failed meanwhile, and a sentence that names the stuck tasks, are its suppressed exceptions
     * @throws IllegalArgumentException if two tasks have one name
     */
    public <T> List<TaskResult<T>> run(List<Task<T>> tasks, ProgressListener listener) throws InterruptedException {
        return run(tasks, listener, result -> {});
    }

    /**
     * Runs all tasks like {@link #run(List, ProgressListener)} and hands over each result as soon as it is there.
     *
     * @param tasks what to do; no two have one name
     * @param listener is told about progress, by one thread at a time; what it throws is logged
     * @param completed is handed each result, on the calling thread; what it throws ends the run as a task's failure does,
     *     and is thrown on
     * @throws DispatchException if a task failed; by then all others have ended, or are named in it as stuck
     * @throws InterruptedException if the calling thread was interrupted; by then all tasks were cancelled and waited for.
     *     What failed meanwhile, and a sentence that names the stuck tasks, are its suppressed exceptions
     * @throws IllegalArgumentException if two tasks have one name
     */
    public <T> List<TaskResult<T>> run(
            List<Task<T>> tasks, ProgressListener listener, Consumer<TaskResult<T>> completed)
            throws InterruptedException {
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(completed, "completed");
        Set<String> names = new HashSet<>();
        for (Task<T> task : tasks) {
            if (!names.add(task.name())) {
                throw new IllegalArgumentException("two tasks are called " + task.name());
            }
        }
        return new Run<>(tasks, new ProgressRelay(listener), completed, grace, this::newThread).run();
    }

    private Thread newThread(String name, Runnable body) {
        Thread thread = threads.newThread(body);
        thread.setName(threadPrefix + name);
        // A launch keeps its JVM alive until it is over.
        thread.setDaemon(false);
        return thread;
    }

    /** Makes the threads of a run. */
    @FunctionalInterface
    interface Threads {
        /** Returns a thread that was not started yet. */
        Thread newThread(String name, Runnable body);
    }
}
