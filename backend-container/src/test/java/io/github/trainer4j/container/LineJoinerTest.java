package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.container.LineJoiner.Line;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineJoinerTest {
    private static final Instant T0 = Instant.parse("2026-11-30T12:00:00Z");

    private final LineJoiner joiner = new LineJoiner();
    private final List<Line> lines = new ArrayList<>();

    @Test
    void aLineInPiecesIsOneLine() {
        out(0, "abc");
        out(1, "def");
        out(2, "g\n");

        assertThat(lines).containsExactly(new Line(T0, T0.plusSeconds(2), "abcdefg"));
    }

    @Test
    void theTwoOutputsDoNotMixWithinALine() {
        out(0, "half ");
        err(1, "error\n");
        out(2, "whole\n");

        assertThat(lines).extracting(Line::text).containsExactly("error", "half whole");
    }

    @Test
    void aPieceMayHaveSeveralLines() {
        out(0, "a\n\nb\nc");

        assertThat(lines).extracting(Line::text).containsExactly("a", "", "b");
        assertThat(joiner.finish()).extracting(Line::text).containsExactly("c");
    }

    @Test
    void aCharacterCutInTwoIsWhole() {
        byte[] bytes = "ü🚀\n".getBytes(StandardCharsets.UTF_8);
        for (byte b : bytes) {
            lines.addAll(joiner.add(new LogFrames.Frame(1, T0, new byte[] {b})));
        }

        assertThat(lines).extracting(Line::text).containsExactly("ü🚀");
    }

    @Test
    void anEmptyLineIsALine() {
        out(0, "\n");

        assertThat(lines).extracting(Line::text).containsExactly("");
    }

    @Test
    void nothingIsNoLine() {
        out(0, "");

        assertThat(lines).isEmpty();
        assertThat(joiner.finish()).isEmpty();
    }

    @Test
    void aLineWithoutEndIsGivenInParts() {
        String piece = "x".repeat(16 << 10);
        for (int i = 0; i < 200; i++) {
            out(i, piece);
        }
        lines.addAll(joiner.finish());

        assertThat(lines)
                .hasSizeGreaterThan(1)
                .allMatch(line -> line.text().length() <= LineJoiner.LONGEST + piece.length());
        assertThat(lines.stream().mapToInt(line -> line.text().length()).sum()).isEqualTo(200 * piece.length());
    }

    @Test
    void theOldestUnendedLineIsKnown() {
        assertThat(joiner.oldestPending()).isEmpty();
        err(1, "e");
        out(2, "o");
        assertThat(joiner.oldestPending()).hasValue(T0.plusSeconds(1));
        err(3, "\n");
        assertThat(joiner.oldestPending()).hasValue(T0.plusSeconds(2));
    }

    private void out(int second, String text) {
        add(1, second, text);
    }

    private void err(int second, String text) {
        add(2, second, text);
    }

    private void add(int channel, int second, String text) {
        lines.addAll(joiner.add(
                new LogFrames.Frame(channel, T0.plusSeconds(second), text.getBytes(StandardCharsets.UTF_8))));
    }
}
