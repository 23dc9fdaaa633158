package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogLinesTest {
    private static final String TIME = "2026-11-30T12:00:00.123456789Z ";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1 << 20})
    void linesAreTheSameHoweverTheyCome(int atOnce) throws IOException {
        assertThat(lines("one\n\n größe 漢字 🚀 \nfour", true, atOnce))
                .containsExactly("one", "", " größe 漢字 🚀 ", "four");
    }

    @Test
    void halfALineOfAStreamThatEndsIsNotALine() throws IOException {
        assertThat(lines("one\ntw", false, 100)).containsExactly("one");
        assertThat(lines("one\n", true, 100)).containsExactly("one");
    }

    @Test
    void aLineThatIsTooLongComesInPartsEachWithItsTime() throws IOException {
        int length = 2 * LogLines.LONGEST + 1000;
        String text = TIME + "x".repeat(length);

        List<String> parts = lines(text + "\n" + TIME + "next\n", true, 1000);

        assertThat(parts).hasSize(4).allSatisfy(part -> assertThat(part).startsWith(TIME));
        assertThat(parts.subList(0, 3).stream()
                        .mapToInt(part -> part.length() - TIME.length())
                        .sum())
                .isEqualTo(length);
        assertThat(parts.get(3)).isEqualTo(TIME + "next");
    }

    @Test
    void aLineOfExactlyTheGreatestLengthIsOneLine() throws IOException {
        String longest = TIME + "x".repeat(LogLines.LONGEST - TIME.length() - 1);

        assertThat(lines(longest + "\nnext\n", true, 1 << 20)).containsExactly(longest, "next");
    }

    private static List<String> lines(String text, boolean endsWithLog, int atOnce) throws IOException {
        InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int from, int length) {
                return super.read(bytes, from, Math.min(length, atOnce));
            }
        };
        List<String> lines = new ArrayList<>();
        try (LogLines reader = new LogLines(in, endsWithLog)) {
            for (String line = reader.next(); line != null; line = reader.next()) {
                lines.add(line);
            }
        }
        return lines;
    }
}
