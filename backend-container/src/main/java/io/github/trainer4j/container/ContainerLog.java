package io.github.trainer4j.container;

import io.github.trainer4j.container.EngineStreams.LogRange;
import io.github.trainer4j.container.LineJoiner.Line;
import java.io.Closeable;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The log of one container, read in one or several passes, each line once. One thread reads; any may close.
 */
final class ContainerLog implements Closeable {
    private final Engine engine;
    private final String id;
    private final LogCursor cursor;
    private final Deque<Line> ready = new ArrayDeque<>();
    private LineJoiner joiner = new LineJoiner();
    private boolean last;
    private volatile boolean closed;
    private volatile @Nullable LogFrames frames;

    ContainerLog(Engine engine, String id, Optional<Instant> since) {
        this.engine = engine;
        this.id = id;
        this.cursor = new LogCursor(since);
    }

    /**
     * Begins a pass.
     *
     * @param follow whether to wait for more until the container ends
     * @param last whether the container has ended, so that a line without its end will have none
     */
    void begin(boolean follow, boolean last) {
        end();
        this.last = last;
        joiner = new LineJoiner();
        LogFrames opened = engine.streams().logs(id, new LogRange(follow, cursor.begin(), OptionalInt.empty()));
        frames = opened;
        if (closed) {
            opened.close();
        }
    }

    /** Returns the next new line of the pass; empty at its end, or once this is closed. */
    Optional<Line> next() {
        while (true) {
            Line line = ready.poll();
            if (line != null) {
                if (cursor.isNew(line, joiner.oldestPending())) {
                    return Optional.of(line);
                }
                continue;
            }
            LogFrames open = frames;
            if (open == null || closed) {
                return Optional.empty();
            }
            Optional<LogFrames.Frame> frame = open.next();
            if (frame.isPresent()) {
                ready.addAll(joiner.add(frame.get()));
            } else {
                end();
                if (last) {
                    ready.addAll(joiner.finish());
                }
            }
        }
    }

    /** Ends a pass that waits for more in another thread. */
    void cut() {
        LogFrames open = frames;
        if (open != null) {
            open.close();
        }
    }

    private void end() {
        LogFrames open = frames;
        frames = null;
        if (open != null) {
            open.close();
        }
    }

    /** Ends a reading, also one that waits in another thread. */
    @Override
    public void close() {
        closed = true;
        cut();
    }
}
