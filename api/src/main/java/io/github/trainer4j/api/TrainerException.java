package io.github.trainer4j.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The root of all errors that are told to users. Its message says what is wrong and what to do next; job, step and reason
 * are there for programs, where they are known. The same mistake gives the same type on every backend.
 */
public class TrainerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String job;
    private final @Nullable String step;
    private final @Nullable String reason;

    /**
     * Makes an error without job, step or reason.
     *
     * @param message what is wrong and what to do next
     * @param cause what it came from, or null
     */
    public TrainerException(String message, @Nullable Throwable cause) {
        this(message, cause, null, null, null);
    }

    /**
     * Makes an error.
     *
     * @param message what is wrong and what to do next
     * @param cause what it came from, or null
     * @param job the job's name, or null
     * @param step the step's name, or null
     * @param reason one word for programs, or null
     */
    public TrainerException(
            String message,
            @Nullable Throwable cause,
            @Nullable String job,
            @Nullable String step,
            @Nullable String reason) {
        super(message, cause);
        this.job = job;
        this.step = step;
        this.reason = reason;
    }

    /** Returns the name of the job it is about. */
    public Optional<String> job() {
        return Optional.ofNullable(job);
    }

    /** Returns the name of the step it is about. */
    public Optional<String> step() {
        return Optional.ofNullable(step);
    }

    /** Returns one word on what is wrong, such as {@code OOMKilled}. */
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }
}
