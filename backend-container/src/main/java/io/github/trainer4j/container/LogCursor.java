package io.github.trainer4j.container;

import io.github.trainer4j.container.LineJoiner.Line;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Remembers how far a container's log was read, so that a later reading goes on there, with each line once. Engines number
 * no lines, and podman tells their times in whole seconds; so the lines of the last seconds are counted, and left out when
 * they come again. Not for several threads.
 */
final class LogCursor {
    private final Optional<Instant> from;
    private final TreeMap<Long, Long> linesBySecond = new TreeMap<>();
    private long resume = Long.MIN_VALUE;
    private long toSkip;

    /**
     * Makes a cursor at the start of a log.
     *
     * @param from the time before which no line is wanted
     */
    LogCursor(Optional<Instant> from) {
        this.from = from;
    }

    /** Begins another reading; returns since when the engine is to be asked for lines. */
    Optional<Instant> begin() {
        if (linesBySecond.isEmpty()) {
            toSkip = 0;
            return from;
        }
        linesBySecond.headMap(resume).clear();
        toSkip = linesBySecond.values().stream().mapToLong(Long::longValue).sum();
        // A second earlier: whether an engine gives what was written at the very time differs.
        Instant since = Instant.ofEpochSecond(resume - 1);
        return Optional.of(from.filter(since::isBefore).orElse(since));
    }

    /** Whether a line of this reading is a new one; it then counts as read. */
    boolean isNew(Line line, Optional<Instant> oldestPending) {
        long second = line.ended().getEpochSecond();
        if (second < resume) {
            return false;
        }
        if (toSkip > 0) {
            toSkip--;
            return false;
        }
        linesBySecond.merge(second, 1L, Long::sum);
        // Two seconds back: the lines of the two outputs are not quite in the order of their times.
        long newest = linesBySecond.lastKey() - 2;
        resume = Math.max(
                resume,
                oldestPending
                        .map(begun -> Math.min(newest, begun.getEpochSecond()))
                        .orElse(newest));
        if (linesBySecond.size() > 8) {
            linesBySecond.headMap(resume).clear();
        }
        return true;
    }
}
