package io.github.trainer4j.api.dispatch;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * One thing to do.
 *
 * @param name its name, which its thread and all reports carry; unique within a run
 * @param timeout how long one attempt may take; empty: without limit
 * @param retries how many further attempts there are after one that failed or timed out; there is none after a
 *     cancellation or an {@link Error}
 * @param body what to do
 * @param <T> what it results in
 */
public record Task<T>(String name, Optional<Duration> timeout, int retries, Body<T> body) {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the name is blank, the timeout not positive or the retries negative
     */
    public Task {
        Objects.requireNonNull(body, "body");
        if (name.isBlank()
                || retries < 0
                || timeout.filter(t -> t.isNegative() || t.isZero()).isPresent()) {
            throw new IllegalArgumentException("task '" + name + "', timeout " + timeout + ", retries " + retries);
        }
    }

    /** Returns a task without timeout and retries. */
    public static <T> Task<T> of(String name, Body<T> body) {
        return new Task<>(name, Optional.empty(), 0, body);
    }

    /** What a task does, on a thread of its own. */
    @FunctionalInterface
    public interface Body<T> {
        /**
         * Does it. When it is cancelled or times out its thread is interrupted: end soon then, with an
         * {@link InterruptedException} or what was caused by one. Anything else that is thrown then, and an
         * {@link InterruptedException} at any other time, is a failure of its own.
         *
         * @throws Exception if it failed
         */
        T run(TaskContext context) throws Exception;
    }
}
