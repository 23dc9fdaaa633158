package io.github.trainer4j.transfer;

import io.github.trainer4j.api.spi.FetchContext;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a {@link FetchContext} how it goes; what that throws is logged and harms nothing. */
final class Report {
    private static final Logger LOG = LoggerFactory.getLogger(Transfer.class);
    private static final Duration AT_LEAST_EVERY = Duration.ofSeconds(2);

    private final FetchContext context;
    private final AtomicLong bytesDone = new AtomicLong();
    private volatile OptionalLong total = OptionalLong.empty();
    private long told = -1;
    private long toldAt;

    Report(FetchContext context) {
        this.context = context;
    }

    /** Returns the count of bytes that are there; threads add to it, and {@link #tick} tells. */
    AtomicLong bytesDone() {
        return bytesDone;
    }

    void start(long there, long all) {
        bytesDone.set(there);
        total = OptionalLong.of(all);
        tell(there);
    }

    /** Tells the progress if there is some, or if nothing was told for a while. One thread calls it. */
    void tick() {
        long now = bytesDone.get();
        if (now != told || System.nanoTime() - toldAt > AT_LEAST_EVERY.toNanos()) {
            tell(now);
        }
    }

    private void tell(long bytes) {
        told = bytes;
        toldAt = System.nanoTime();
        try {
            context.progress(bytes, total);
        } catch (RuntimeException e) {
            LOG.warn("the listener of a download's progress failed: {}", e.toString());
        }
    }

    void log(String line) {
        try {
            context.log(line);
        } catch (RuntimeException e) {
            LOG.warn("the log of a download failed to take the line '{}': {}", line, e.toString());
        }
    }
}
