package io.github.trainer4j.testkit;

import io.github.trainer4j.api.ProgressEvent;
import io.github.trainer4j.api.ProgressListener;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps all it is told, and notices when it is called by two threads at once, which no backend may do. Safe for several
 * threads.
 */
public final class RecordingProgressListener implements ProgressListener {
    private final List<ProgressEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicBoolean overlapped = new AtomicBoolean();

    /** Makes a listener that was told nothing yet. */
    public RecordingProgressListener() {}

    @Override
    public void onProgress(ProgressEvent event) {
        if (inside.incrementAndGet() > 1) {
            overlapped.set(true);
        }
        events.add(event);
        inside.decrementAndGet();
    }

    /** Returns all it was told so far, in order. */
    public List<ProgressEvent> events() {
        return List.copyOf(events);
    }

    /** Returns all it was told of one step, in order. */
    public List<ProgressEvent> events(String step) {
        return events.stream().filter(event -> event.step().equals(step)).toList();
    }

    /** Returns the newest state of a step, if it was told of it. */
    public Optional<ProgressEvent> last(String step) {
        List<ProgressEvent> of = events(step);
        return of.isEmpty() ? Optional.empty() : Optional.of(of.get(of.size() - 1));
    }

    /** Returns whether it was ever called while another call was under way. */
    public boolean wasCalledByTwoThreadsAtOnce() {
        return overlapped.get();
    }
}
