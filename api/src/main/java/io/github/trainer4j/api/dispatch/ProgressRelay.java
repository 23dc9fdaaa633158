package io.github.trainer4j.api.dispatch;

import io.github.trainer4j.api.ProgressEvent;
import io.github.trainer4j.api.ProgressListener;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings progress from many threads to one listener: throttled for each step, called by one thread at a time, and never
 * holding a worker up behind another's call. A newer state of a step replaces one that was not delivered yet, and the last
 * state of each step is always delivered. Safe for several threads; it has none of its own.
 */
public final class ProgressRelay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressRelay.class);
    static final long INTERVAL_NANOS = 100_000_000;

    private final ProgressListener listener;
    private final LongSupplier nanoTime;
    private final Map<String, Waiting> waiting = new LinkedHashMap<>();
    private final Map<String, Delivered> delivered = new HashMap<>();
    private boolean delivering;
    private boolean closed;
    private boolean complained;

    private record Waiting(ProgressEvent event, boolean urgent) {}

    private record Delivered(long nanos, boolean complete) {}

    /** Makes a relay to this listener. */
    public ProgressRelay(ProgressListener listener) {
        this(listener, System::nanoTime);
    }

    ProgressRelay(ProgressListener listener, LongSupplier nanoTime) {
        this.listener = Objects.requireNonNull(listener, "listener");
        this.nanoTime = nanoTime;
    }

    /**
     * Takes the newest state of a step, and delivers it if the step's last one was delivered long enough ago, or if the
     * step is complete with it.
     *
     * @throws io.github.trainer4j.api.InvalidJobException if the step is blank or a number is negative
     */
    public void publish(String step, long bytesDone, OptionalLong bytesTotal) {
        ProgressEvent event = new ProgressEvent(step, bytesDone, bytesTotal);
        synchronized (this) {
            if (closed) {
                return;
            }
            Delivered last = delivered.get(step);
            boolean urgent = isComplete(event) && (last == null || !last.complete);
            waiting.put(step, new Waiting(event, urgent));
        }
        deliver();
    }

    /** Delivers the state of a step that was held back, if there is one: for a step that has ended. */
    public void flush(String step) {
        synchronized (this) {
            waiting.computeIfPresent(step, (name, held) -> new Waiting(held.event, true));
        }
        deliver();
    }

    /**
     * Delivers what was held back. When another thread is within the listener, that thread delivers it, and this one
     * does not wait for it.
     */
    public void drain() {
        synchronized (this) {
            waiting.replaceAll((name, held) -> new Waiting(held.event, true));
        }
        deliver();
    }

    /** Delivers what was held back, and from then on takes nothing more. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        drain();
    }

    private void deliver() {
        synchronized (this) {
            if (delivering) {
                return;
            }
            delivering = true;
        }
        while (true) {
            ProgressEvent event;
            synchronized (this) {
                event = next();
                if (event == null) {
                    delivering = false;
                    return;
                }
                waiting.remove(event.step());
                delivered.put(event.step(), new Delivered(nanoTime.getAsLong(), isComplete(event)));
            }
            try {
                listener.onProgress(event);
            } catch (Throwable e) {
                complain(event, e);
            }
        }
    }

    /** Once is enough: a listener that throws does so many times a second. */
    private void complain(ProgressEvent event, Throwable failure) {
        if (complained) {
            LOG.debug("a progress listener failed again on {}", event, failure);
        } else {
            complained = true;
            LOG.warn("a progress listener failed on {}; further failures of it are logged as debug", event, failure);
        }
    }

    private @Nullable ProgressEvent next() {
        for (Waiting held : waiting.values()) {
            if (held.urgent || due(held.event.step())) {
                return held.event;
            }
        }
        return null;
    }

    private boolean due(String step) {
        Delivered last = delivered.get(step);
        return last == null || nanoTime.getAsLong() - last.nanos >= INTERVAL_NANOS;
    }

    private static boolean isComplete(ProgressEvent event) {
        return event.bytesTotal().isPresent()
                && event.bytesDone() >= event.bytesTotal().getAsLong();
    }
}
