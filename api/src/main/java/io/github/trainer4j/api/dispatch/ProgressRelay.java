package io.github.trainer4j.api.dispatch;

import io.github.trainer4j.api.ProgressEvent;
import io.github.trainer4j.api.ProgressListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings progress from many threads to one listener: throttled for each step, called by one thread at a time, and never
 * holding a worker up behind another's call. A newer state of a step replaces one that was not delivered yet, and the last
 * state of each step is always delivered.
 */
public final class ProgressRelay {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressRelay.class);
    private static final long INTERVAL_NANOS = 100_000_000;

    private final ProgressListener listener;
    private final Map<String, ProgressEvent> waiting = new LinkedHashMap<>();
    private final Map<String, Long> delivered = new LinkedHashMap<>();
    private boolean delivering;
    private boolean draining;

    /** Makes a relay to this listener. */
    public ProgressRelay(ProgressListener listener) {
        this.listener = listener;
    }

    /** Takes the newest state of a step, and delivers it if the step's last one was delivered long enough ago. */
    public void publish(String step, long bytesDone, OptionalLong bytesTotal) {
        synchronized (this) {
            waiting.put(step, new ProgressEvent(step, bytesDone, bytesTotal));
            boolean done = bytesTotal.isPresent() && bytesDone >= bytesTotal.getAsLong();
            if (!done && !due(step)) {
                return;
            }
        }
        deliver();
    }

    /** Delivers what was held back. */
    public void drain() {
        synchronized (this) {
            draining = true;
        }
        deliver();
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
                    draining = false;
                    return;
                }
                waiting.remove(event.step());
                delivered.put(event.step(), System.nanoTime());
            }
            try {
                listener.onProgress(event);
            } catch (RuntimeException e) {
                LOG.warn("a progress listener failed on {}", event, e);
            }
        }
    }

    private @Nullable ProgressEvent next() {
        for (ProgressEvent event : waiting.values()) {
            boolean done = event.bytesTotal().isPresent()
                    && event.bytesDone() >= event.bytesTotal().getAsLong();
            if (draining || done || due(event.step())) {
                return event;
            }
        }
        return null;
    }

    private boolean due(String step) {
        Long last = delivered.get(step);
        return last == null || System.nanoTime() - last >= INTERVAL_NANOS;
    }
}
