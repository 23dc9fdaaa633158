package io.github.trainer4j.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A backend cannot be reached, or cannot work; the message lists all that was tried. */
public final class BackendUnavailableException extends TrainerException {
    private static final long serialVersionUID = 1L;

    private final List<String> attempts;

    /**
     * Makes the error.
     *
     * @param message what is not available and what to do
     * @param attempts what was tried, each with how it failed
     * @param cause the last failure, or null
     */
    public BackendUnavailableException(String message, List<String> attempts, @Nullable Throwable cause) {
        super(attempts.isEmpty() ? message : message + "; tried:\n  " + String.join("\n  ", attempts), cause);
        this.attempts = List.copyOf(attempts);
    }

    /** Returns what was tried, each with how it failed. */
    public List<String> attempts() {
        return attempts;
    }
}
