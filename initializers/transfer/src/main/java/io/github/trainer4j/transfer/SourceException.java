package io.github.trainer4j.transfer;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A request failed in a way that the engine knows how to deal with. Any other {@link IOException} counts as
 * {@link Kind#RETRY}; what no repetition mends is an {@link io.github.trainer4j.api.InitializerException} instead.
 */
public final class SourceException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What is the matter. */
    public enum Kind {
        /** It may work in a while. */
        RETRY,
        /** Too many requests: all connections of the download pause. Has a budget of its own. */
        RATE_LIMITED,
        /** The file is not the one that was listed: the source is listed again, once. */
        CHANGED,
        /** The file ends before the range starts: the source is listed again, once. */
        UNSATISFIABLE
    }

    private final Kind kind;
    private final Duration retryAfter;

    private SourceException(Kind kind, String message, Optional<Duration> retryAfter) {
        super(message);
        this.kind = kind;
        this.retryAfter = Objects.requireNonNull(retryAfter, "retryAfter").orElse(Duration.ZERO);
    }

    /**
     * Returns an error after which another try may work.
     *
     * @param message what the source answered, without a secret
     * @param retryAfter how long it wants to be left alone, if it says so
     */
    public static SourceException retry(String message, Optional<Duration> retryAfter) {
        return new SourceException(Kind.RETRY, message, retryAfter);
    }

    /**
     * Returns an error after which all requests to the source must pause.
     *
     * @param message what the source answered, without a secret
     * @param retryAfter how long it wants to be left alone, if it says so
     */
    public static SourceException rateLimited(String message, Optional<Duration> retryAfter) {
        return new SourceException(Kind.RATE_LIMITED, message, retryAfter);
    }

    /** Returns the error for a file whose version is not the listed one (HTTP 412). */
    public static SourceException changed(String message) {
        return new SourceException(Kind.CHANGED, message, Optional.empty());
    }

    /** Returns the error for a range beyond the end of the file (HTTP 416). */
    public static SourceException unsatisfiable(String message) {
        return new SourceException(Kind.UNSATISFIABLE, message, Optional.empty());
    }

    /** Returns what is the matter. */
    public Kind kind() {
        return kind;
    }

    /** Returns how long the source wants to be left alone, if it said so. */
    public Optional<Duration> retryAfter() {
        return retryAfter.isZero() ? Optional.empty() : Optional.of(retryAfter);
    }
}
