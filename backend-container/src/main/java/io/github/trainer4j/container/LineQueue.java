package io.github.trainer4j.container;

import io.github.trainer4j.api.LogLine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lines on their way from several readers to one that takes them; full at so many characters, whatever the lines are. */
final class LineQueue {
    private static final long FULL = 4 << 20;
    private static final int OVERHEAD = 64;

    private final Deque<LogLine> lines = new ArrayDeque<>();
    private long weight;
    private int writers;
    private @Nullable RuntimeException failure;
    private boolean closed;

    LineQueue(int writers) {
        this.writers = writers;
    }

    /** Adds a line, waiting for room; returns false when nobody takes lines any more. */
    synchronized boolean put(LogLine line) throws InterruptedException {
        while (!closed && weight > FULL) {
            wait();
        }
        if (closed) {
            return false;
        }
        lines.addLast(line);
        weight += line.text().length() + OVERHEAD;
        notifyAll();
        return true;
    }

    /** Says that a writer has no more lines. */
    synchronized void end() {
        writers--;
        notifyAll();
    }

    /** Says that a writer failed; whoever takes lines is told once there are none left. */
    synchronized void fail(RuntimeException reason) {
        if (failure == null) {
            failure = reason;
        }
        notifyAll();
    }

    /** Returns the next line, waiting for it; empty when there will be none any more. */
    synchronized Optional<LogLine> take() throws InterruptedException {
        while (true) {
            if (closed) {
                return Optional.empty();
            }
            LogLine line = lines.pollFirst();
            if (line != null) {
                weight -= line.text().length() + OVERHEAD;
                notifyAll();
                return Optional.of(line);
            }
            if (failure != null) {
                throw failure;
            }
            if (writers <= 0) {
                return Optional.empty();
            }
            wait();
        }
    }

    synchronized void close() {
        closed = true;
        lines.clear();
        notifyAll();
    }
}
