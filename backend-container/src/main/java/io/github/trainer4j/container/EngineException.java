package io.github.trainer4j.container;

import io.github.trainer4j.api.BackendUnavailableException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call to the engine did not work. The kind follows from status codes and the kind of error, never from words. */
final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What became of the call. */
    enum Kind {
        /** There is no such container, network, volume or image. */
        NOT_FOUND,
        /** The name is taken, or the thing is in a state that does not allow it. */
        CONFLICT,
        /** The engine refused it. */
        REFUSED,
        /** The engine tried and failed. */
        FAILED,
        /** Contact was lost, or never there. */
        LOST,
        /** The engine did not answer in time. */
        TIMEOUT,
        /** The calling thread was interrupted; its flag is set again. */
        INTERRUPTED
    }

    private final Kind kind;

    EngineException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    boolean isNotFound() {
        return kind == Kind.NOT_FOUND;
    }

    /** Whether it says nothing about what was asked for, only that the engine could not be asked. */
    boolean isLostContact() {
        return kind == Kind.LOST || kind == Kind.TIMEOUT;
    }

    /** Returns the error that users see when there is no better one. */
    BackendUnavailableException toUnavailable() {
        return new BackendUnavailableException(String.valueOf(getMessage()), List.of(), this);
    }
}
