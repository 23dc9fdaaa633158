package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.TrainerException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The word by which an API server knows us, which may change while we work. Safe for several threads. */
final class Token {
    private static final Logger LOG = LoggerFactory.getLogger(Token.class);

    private final Supplier<Reading> source;
    private @Nullable Reading known;
    private long readAt;

    /**
     * What was read.
     *
     * @param word the token; empty if there is none
     * @param goodFor how long it need not be read again; empty: until it is refused
     */
    record Reading(Optional<String> word, Optional<Duration> goodFor) {
        @Override
        public String toString() {
            return "a token, hidden";
        }
    }

    /** Makes one that is read from a source, which may throw the errors that users see. */
    Token(Supplier<Reading> source) {
        this.source = source;
    }

    /** Returns the token. One that cannot be read anew is used on: the server says whether it still counts. */
    synchronized Optional<String> now() {
        Reading last = known;
        if (last == null) {
            return read().word();
        }
        if (last.goodFor()
                .filter(time -> System.nanoTime() - readAt > time.toNanos())
                .isPresent()) {
            try {
                return read().word();
            } catch (TrainerException e) {
                LOG.warn("the credentials of the cluster cannot be renewed: {}", e.getMessage());
            }
        }
        return last.word();
    }

    /** Reads it anew because one was refused; returns whether there is another now. */
    synchronized boolean renew(Optional<String> refused) {
        if (known != null && !known.word().equals(refused)) {
            return true;
        }
        try {
            return !read().word().equals(refused);
        } catch (TrainerException e) {
            LOG.warn("the credentials of the cluster cannot be renewed: {}", e.getMessage());
            return false;
        }
    }

    private Reading read() {
        Reading reading = source.get();
        known = reading;
        readAt = System.nanoTime();
        return reading;
    }
}
