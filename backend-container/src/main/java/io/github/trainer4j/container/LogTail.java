package io.github.trainer4j.container;

import io.github.trainer4j.container.EngineStreams.LogRange;
import io.github.trainer4j.container.LineJoiner.Line;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Finds the last lines of a container's log. */
final class LogTail {
    private static final int LONGEST_LINE = 2000;
    private static final int SPARE_PIECES = 50;

    private LogTail() {}

    /** Returns the last lines, whole. Of a log that goes on, a line that is not ended yet counts too if {@code ended}. */
    static List<Line> lines(Engine engine, String id, int lines, Optional<Instant> since, boolean ended) {
        if (lines == 0) {
            return List.of();
        }
        if (!engine.version().dialect().exactTail()) {
            return pass(engine, id, lines, since, OptionalInt.empty(), ended).lines();
        }
        // Engines count pieces, and a long line has many: ask for more until there are lines enough.
        int pieces = lines + SPARE_PIECES;
        while (true) {
            Pass pass = pass(engine, id, lines, since, OptionalInt.of(pieces), ended);
            if (pass.pieces() < pieces || pass.lines().size() == lines || pieces > Integer.MAX_VALUE / 8) {
                return pass.lines();
            }
            pieces *= 8;
        }
    }

    /** Returns the last lines as a failure shows them: long ones cut, and why not if they cannot be read. */
    static List<String> texts(Engine engine, String id, int lines) {
        try {
            return lines(engine, id, lines, Optional.empty(), true).stream()
                    .map(line -> shorten(line.text()))
                    .toList();
        } catch (EngineException e) {
            return List.of("(the log cannot be read: " + e.getMessage() + ")");
        }
    }

    static String shorten(String line) {
        return line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "…" : line;
    }

    private record Pass(List<Line> lines, int pieces) {}

    private static Pass pass(
            Engine engine, String id, int lines, Optional<Instant> since, OptionalInt tail, boolean ended) {
        Deque<Line> kept = new ArrayDeque<>();
        List<Line> doubtful = new ArrayList<>();
        boolean[] seen = new boolean[256];
        LineJoiner joiner = new LineJoiner();
        int pieces = 0;
        try (LogFrames frames = engine.streams().logs(id, new LogRange(false, since, tail))) {
            for (Optional<LogFrames.Frame> frame = frames.next(); frame.isPresent(); frame = frames.next()) {
                pieces++;
                for (Line line : joiner.add(frame.get())) {
                    if (!seen[frame.get().channel()]) {
                        seen[frame.get().channel()] = true;
                        doubtful.add(line);
                    }
                    kept.addLast(line);
                    if (kept.size() > lines) {
                        kept.removeFirst();
                    }
                }
            }
        }
        if (ended) {
            joiner.finish().forEach(kept::addLast);
        }
        if (tail.isPresent() && pieces >= tail.getAsInt()) {
            // The first line of each output may be the rest of one.
            doubtful.forEach(kept::remove);
        }
        while (kept.size() > lines) {
            kept.removeFirst();
        }
        return new Pass(List.copyOf(kept), pieces);
    }
}
