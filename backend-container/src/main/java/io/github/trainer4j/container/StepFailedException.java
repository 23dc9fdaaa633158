package io.github.trainer4j.container;

import io.github.trainer4j.api.TrainerException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A step of a launch did not do what it should. */
final class StepFailedException extends TrainerException {
    private static final long serialVersionUID = 1L;

    private final transient OptionalInt exitCode;

    /**
     * Makes the error.
     *
     * @param exitCode the exit code, if its program ended with one
     */
    StepFailedException(
            String message,
            String job,
            @Nullable String step,
            String reason,
            OptionalInt exitCode,
            @Nullable Throwable cause) {
        super(message, cause, job, step, reason);
        this.exitCode = exitCode;
    }

    OptionalInt exitCode() {
        return exitCode;
    }
}
