package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.LogLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogCursorTest {
    private static final String A = "2026-11-30T12:00:00.1Z ";
    private static final String B = "2026-11-30T12:00:01.5Z ";

    private final LogCursor cursor = new LogCursor("node-0", Optional.empty());

    @Test
    void linesThatComeAgainAreReadOnce() {
        assertThat(read(A + "one", A + "one", B + "two")).containsExactly("one", "one", "two");
        assertThat(cursor.begin()).hasValue("2026-11-30T12:00:01Z");
        assertThat(read(A + "one", A + "one", B + "two", B + "two", B + "three"))
                .containsExactly("two", "three");
    }

    @Test
    void linesOfTwoOutputsWhoseTimesCrossAreAllReadOnce() {
        String out = "2026-11-30T12:00:01.2Z ";
        String late = "2026-11-30T12:00:00.9Z ";

        assertThat(read(A + "one", B + "to stderr", out + "to stdout", late + "late"))
                .containsExactly("one", "to stderr", "to stdout", "late");
        assertThat(read(B + "to stderr", out + "to stdout", out + "more", B + "and more", B + "end"))
                .containsExactly("more", "and more", "end");
    }

    @Test
    void whatWasBeforeTheTailThatWasReadStaysOut() {
        assertThat(read(B + "the tail")).containsExactly("the tail");
        assertThat(read("2026-11-30T12:00:01.4Z before it", B + "the tail", B + "more"))
                .containsExactly("more");
    }

    @Test
    void theFirstReadingAsksForAll() {
        assertThat(cursor.begin()).isEmpty();
    }

    @Test
    void aLineKeepsItsBlanksAndLosesACarriageReturn() {
        assertThat(read(A + "  a  b \r", A)).containsExactly("  a  b ", "");
    }

    @Test
    void wordsOfTheKubeletAreLinesWithoutATime() {
        Optional<LogLine> line = cursor.read("unable to retrieve container logs for x");

        assertThat(line.orElseThrow().time()).isEmpty();
        assertThat(line.orElseThrow().text()).isEqualTo("unable to retrieve container logs for x");
    }

    @Test
    void whatIsOlderThanWantedIsLeftOutAndNotReadAgain() {
        LogCursor late = new LogCursor("node-0", Optional.of(Instant.parse("2026-11-30T12:00:01Z")));

        assertThat(late.read(A + "one")).isEmpty();
        assertThat(late.read(B + "two").orElseThrow().text()).isEqualTo("two");
    }

    @Test
    void timesOfAllLengthsAreReadExactly() {
        for (String time : List.of(
                "2026-11-30T12:00:00Z",
                "2026-11-30T12:00:00.000000001Z",
                "2026-11-30T12:00:00.02Z",
                "2026-11-30T12:00:00.123456789Z",
                "2026-11-30T12:00:00.2+00:00",
                "2026-11-30T12:00:00.3Z",
                "2026-11-30T12:00:01.123Z",
                "2026-11-30T14:00:01.124+02:00",
                "2026-11-30T12:00:01.125Z")) {
            assertThat(cursor.read(time + " text").orElseThrow())
                    .isEqualTo(new LogLine("node-0", Optional.of(Instant.parse(time)), "text"));
        }
        assertThat(cursor.read("2026-11-30T12:00:01.1x5Z text").orElseThrow().time())
                .isEmpty();
    }

    private List<String> read(String... raw) {
        cursor.begin();
        List<String> texts = new ArrayList<>();
        for (String line : raw) {
            cursor.read(line).ifPresent(read -> texts.add(read.text()));
        }
        return texts;
    }
}
