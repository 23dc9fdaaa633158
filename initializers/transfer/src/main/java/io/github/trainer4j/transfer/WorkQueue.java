package io.github.trainer4j.transfer;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What is left to do: files that are not begun, and ranges of those that are. A file is begun only when there is no range
 * left, so few are open at once. Safe for several threads.
 */
final class WorkQueue {
    private final Deque<RemoteFile> files;
    private final Deque<Part.Range> ranges = new ArrayDeque<>();
    private int busy;

    /** One of the two: a file to begin, or a range to fetch. */
    record Item(@Nullable RemoteFile file, Part.@Nullable Range range) {}

    WorkQueue(Collection<RemoteFile> files) {
        this.files = new ArrayDeque<>(files);
    }

    /**
     * Returns the next thing to do, or null when all is done; waits while others may still add to it. Whoever got one
     * calls {@link #done()} after it.
     */
    @Nullable
    synchronized Item next() throws InterruptedException {
        while (true) {
            if (!ranges.isEmpty()) {
                busy++;
                return new Item(null, ranges.poll());
            }
            if (!files.isEmpty()) {
                busy++;
                return new Item(files.poll(), null);
            }
            if (busy == 0) {
                return null;
            }
            wait();
        }
    }

    synchronized void done() {
        busy--;
        notifyAll();
    }

    synchronized void add(Collection<Part.Range> more) {
        ranges.addAll(more);
        notifyAll();
    }

    /** Has a file fetched from the start. */
    synchronized void again(RemoteFile file) {
        files.addFirst(file);
        notifyAll();
    }

    /** Takes out the ranges of a part that one thread fetches as a whole. */
    synchronized void drop(Part part) {
        ranges.removeIf(range -> range.part() == part);
    }
}
