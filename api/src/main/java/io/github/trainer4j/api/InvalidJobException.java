package io.github.trainer4j.api;

import org.jspecify.annotations.Nullable;

/** A value of a job, or of a call, is not valid. Nothing was started. */
public final class InvalidJobException extends TrainerException {
    private static final long serialVersionUID = 1L;

    /** Makes the error; the message names the field, its value and what would be valid. */
    public InvalidJobException(String message) {
        this(message, null);
    }

    /** Makes the error with its cause, which may be null. */
    public InvalidJobException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns the error of a job whose name another one has; every backend tells it with these words. */
    public static InvalidJobException nameTaken(String name) {
        return new InvalidJobException(
                "there is a job '" + name + "' already; choose another name, or delete that job first");
    }
}
