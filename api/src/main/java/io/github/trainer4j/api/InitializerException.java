package io.github.trainer4j.api;

import org.jspecify.annotations.Nullable;

/** An initializer could not fetch what it was asked for; the message says what and why. */
public final class InitializerException extends TrainerException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the error.
     *
     * @param message what could not be fetched, why, and what to do
     * @param reason one word for programs, such as {@code NotFound}, {@code Forbidden}, {@code Stalled}, {@code DiskFull}
     * @param cause what it came from, or null
     */
    public InitializerException(String message, String reason, @Nullable Throwable cause) {
        super(message, cause, null, null, reason);
    }
}
