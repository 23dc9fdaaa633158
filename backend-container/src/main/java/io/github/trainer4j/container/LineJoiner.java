package io.github.trainer4j.container;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Joins the pieces of a log to lines, apart for each of the two outputs. Not for several threads. */
final class LineJoiner {
    /** A line that is longer is given in parts, so that a program that never ends its line fills nobody's memory. */
    static final int LONGEST = 1 << 20;

    /**
     * A line.
     *
     * @param begun when it was begun
     * @param ended when it was ended: the time of the piece with the line break, or of the last piece
     * @param text its text, without the line break
     */
    record Line(Instant begun, Instant ended, String text) {}

    private static final class Pending {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private @Nullable Instant begun;
        private Instant last = Instant.EPOCH;
    }

    private final Pending out = new Pending();
    private final Pending err = new Pending();

    /** Takes a piece, and returns the lines that it ends. */
    List<Line> add(LogFrames.Frame frame) {
        Pending pending = frame.channel() == 2 ? err : out;
        List<Line> lines = new ArrayList<>(1);
        byte[] bytes = frame.bytes();
        int start = 0;
        if (pending.begun == null && bytes.length > 0) {
            pending.begun = frame.time();
        }
        pending.last = frame.time();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                pending.bytes.write(bytes, start, i - start);
                take(pending).ifPresent(lines::add);
                start = i + 1;
                if (start < bytes.length) {
                    pending.begun = frame.time();
                }
            }
        }
        pending.bytes.write(bytes, start, bytes.length - start);
        if (pending.bytes.size() > LONGEST) {
            take(pending).ifPresent(lines::add);
        }
        return lines;
    }

    /** Returns when the oldest line was begun that is not ended yet; empty if there is none. */
    Optional<Instant> oldestPending() {
        return Stream.of(out, err)
                .flatMap(pending -> Optional.ofNullable(pending.begun).stream())
                .min(Instant::compareTo);
    }

    /** Returns the lines that were not ended, at the end of the log. */
    List<Line> finish() {
        List<Line> lines = new ArrayList<>(2);
        take(out).ifPresent(lines::add);
        take(err).ifPresent(lines::add);
        return lines;
    }

    private static Optional<Line> take(Pending pending) {
        if (pending.begun == null) {
            return Optional.empty();
        }
        Line line = new Line(pending.begun, pending.last, pending.bytes.toString(StandardCharsets.UTF_8));
        pending.bytes.reset();
        pending.begun = null;
        return Optional.of(line);
    }
}
