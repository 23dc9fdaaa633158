package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.container.LineJoiner.Line;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogCursorTest {
    private static final Instant T0 = Instant.parse("2026-11-30T12:00:00Z");

    /** A log as an engine has it, read in passes that are cut anywhere: no line is lost, none comes twice. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void eachLineIsReadOnceHoweverTheReadingIsCut(int seed) {
        Random random = new Random(seed);
        boolean wholeSeconds = random.nextBoolean();
        List<LogFrames.Frame> log = log(random, wholeSeconds);
        List<String> expected = texts(log);
        LogCursor cursor = new LogCursor(Optional.empty());
        List<String> read = new ArrayList<>();

        int known = 0;
        while (known < log.size()) {
            known = Math.min(log.size(), known + random.nextInt(40));
            int upTo = random.nextInt(3) == 0 ? known : Math.max(0, known - random.nextInt(10));
            pass(cursor, log.subList(0, upTo), false, read);
        }
        pass(cursor, log, true, read);

        assertThat(read).containsExactlyElementsOf(expected);
    }

    private static void pass(LogCursor cursor, List<LogFrames.Frame> log, boolean last, List<String> read) {
        Instant since = cursor.begin().orElse(Instant.MIN);
        LineJoiner joiner = new LineJoiner();
        List<Line> lines = new ArrayList<>();
        for (LogFrames.Frame frame : log) {
            if (!frame.time().isBefore(since)) {
                lines.addAll(joiner.add(frame));
                for (Line line : lines) {
                    if (cursor.isNew(line, joiner.oldestPending())) {
                        read.add(line.text());
                    }
                }
                lines.clear();
            }
        }
        if (last) {
            for (Line line : joiner.finish()) {
                if (cursor.isNew(line, Optional.empty())) {
                    read.add(line.text());
                }
            }
        }
    }

    private static List<String> texts(List<LogFrames.Frame> log) {
        LineJoiner joiner = new LineJoiner();
        List<String> texts = new ArrayList<>();
        log.forEach(frame -> joiner.add(frame).forEach(line -> texts.add(line.text())));
        joiner.finish().forEach(line -> texts.add(line.text()));
        return texts;
    }

    /** Bursts and pauses, both outputs, lines in pieces over seconds, times a little out of order. */
    private static List<LogFrames.Frame> log(Random random, boolean wholeSeconds) {
        List<LogFrames.Frame> log = new ArrayList<>();
        Instant now = T0;
        for (int i = 0; i < 400; i++) {
            now = now.plusMillis(random.nextInt(20) == 0 ? random.nextInt(4000) : random.nextInt(30));
            Instant time = now.minusMillis(random.nextInt(3));
            boolean ends = random.nextInt(6) != 0;
            log.add(new LogFrames.Frame(
                    1 + random.nextInt(2),
                    wholeSeconds ? time.truncatedTo(ChronoUnit.SECONDS) : time,
                    ("line " + (random.nextInt(5) == 0 ? "same" : i) + (ends ? "\n" : "…"))
                            .getBytes(StandardCharsets.UTF_8)));
        }
        return log;
    }
}
