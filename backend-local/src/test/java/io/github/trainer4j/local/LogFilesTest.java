package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs as files, without processes. */
class LogFilesTest {
    private JobDirectory directory;
    private Path log;

    @BeforeEach
    void open(@TempDir Path root) throws IOException {
        directory = new JobDirectory(root.resolve("job"));
        Files.createDirectories(directory.logs());
        log = Files.createFile(directory.log("node-0"));
    }

    private List<String> read(LogQuery query) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        try (JobLogs logs = JobLogs.open(directory, List.of("node-0"), query, () -> true)) {
            logs.forEach(line -> lines.add(line.text()));
        }
        return lines;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void linesAreSplitAtLineBreaksOnly(boolean follow) throws Exception {
        Files.writeString(log, "one\r\n\ntwo\rtwo\n\u2028three\u0085\n\0four\nlast");

        LogQuery query = follow ? LogQuery.all().following() : LogQuery.all();
        assertThat(read(query)).containsExactly("one", "", "two\rtwo", "\u2028three\u0085", "\0four", "last");
        assertThat(read(query.tail(2))).containsExactly("\0four", "last");
    }

    @Test
    void bytesThatAreNoTextBecomeReplacementCharacters() throws Exception {
        Files.write(log, new byte[] {'a', (byte) 0xFF, 'b', '\n', (byte) 0xC3, '\n', 'c', '\n'});

        assertThat(read(LogQuery.all())).containsExactly("a\uFFFDb", "\uFFFD", "c");
    }

    @Test
    void aLineOfAMebibyteIsWholeAndALongerOneIsCutBetweenCharacters() throws Exception {
        String whole = "x".repeat(LogSource.LONGEST_LINE - 1);
        // Four bytes each, and one before them: no cut falls between two by itself.
        String longer = "y" + "\uD83D\uDE00".repeat(LogSource.LONGEST_LINE / 2);
        Files.writeString(log, whole + "\n" + longer + "\nend\n");

        List<String> lines = read(LogQuery.all());

        assertThat(lines.get(0)).isEqualTo(whole);
        assertThat(lines).last().isEqualTo("end");
        assertThat(lines).hasSize(5);
        assertThat(String.join("", lines.subList(1, 4))).isEqualTo(longer);
    }

    @Test
    void aCharacterThatIsCutByABlockIsOneCharacter() throws Exception {
        String line = "a" + "ü".repeat(200_000);
        Files.writeString(log, line + "\n");

        assertThat(read(LogQuery.all())).containsExactly(line);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 9, 10, 11, 100})
    void aTailHasTheLastLines(int lines) throws Exception {
        List<String> all =
                IntStream.range(0, 10).mapToObj(i -> i + "-".repeat(30_000)).toList();
        for (String end : List.of("\n", "")) {
            Files.writeString(log, String.join("\n", all) + end);
            assertThat(read(LogQuery.all().tail(lines))).isEqualTo(all.subList(Math.max(0, 10 - lines), 10));
        }
    }

    @Test
    void aTailOfAnEmptyLogIsEmpty() throws Exception {
        assertThat(read(LogQuery.all().tail(5))).isEmpty();
        assertThat(LogTail.lines(log, 10)).isEmpty();
        assertThat(LogTail.lines(directory.log("none"), 10)).isEmpty();
    }

    @Test
    void theTailOfAFailureIsShortWhateverTheLinesAre() throws Exception {
        Files.writeString(log, "first\n" + "z".repeat(3_000_000) + "\nlast\n");

        assertThat(LogTail.lines(log, 2)).hasSize(2).last().isEqualTo("last");
        assertThat(LogTail.lines(log, 2).get(0)).hasSizeLessThan(2100);
    }

    @Test
    void aLineIsDeliveredWhenItIsWholeAndNoSooner() throws Exception {
        boolean[] over = new boolean[1];
        try (JobLogs logs = JobLogs.open(
                        directory, List.of("node-0"), LogQuery.all().following(), () -> over[0]);
                FileOutputStream out = new FileOutputStream(log.toFile(), true)) {
            out.write("ha".getBytes(StandardCharsets.UTF_8));
            Thread writer = new Thread(() -> {
                try {
                    Thread.sleep(300);
                    out.write("lf\nrest".getBytes(StandardCharsets.UTF_8));
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            writer.start();
            assertThat(logs.next()).map(LogLine::text).hasValue("half");
            writer.join();
            over[0] = true;
            assertThat(logs.next()).map(LogLine::text).hasValue("rest");
            assertThat(logs.next()).isEmpty();
        }
    }

    @Test
    void sinceIsNeverTooLateAndLeavesOutWhatIsKnownToBeOlder() throws Exception {
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        StringBuilder text = new StringBuilder();
        for (int second = 0; second < 100; second++) {
            text.append("line ").append(second).append('\n');
            LogTimes.add(directory.times("node-0"), start.plusSeconds(second), text.length());
        }
        Files.writeString(log, text + "unknown\n");
        Files.setLastModifiedTime(log, FileTime.from(start.plusSeconds(200)));

        assertThat(read(LogQuery.all().since(start.minusSeconds(1)))).hasSize(101);
        assertThat(read(LogQuery.all().since(start.plusSeconds(50))))
                .startsWith("line 50")
                .hasSize(51);
        assertThat(read(LogQuery.all().since(start.plusMillis(50_001)))).startsWith("line 51");
        assertThat(read(LogQuery.all().since(start.plusSeconds(150)))).containsExactly("unknown");
        assertThat(read(LogQuery.all().since(start.plusSeconds(201)))).isEmpty();
        assertThat(read(LogQuery.all().since(start.plusSeconds(50)).tail(2))).containsExactly("line 99", "unknown");
    }

    @Test
    void sinceBeginsWithAWholeLine() throws Exception {
        Files.writeString(log, "one\ntwo\nthree\n");
        LogTimes.add(directory.times("node-0"), Instant.EPOCH, 6);
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            assertThat(LogTail.lineStart(file, 6)).isEqualTo(4);
            assertThat(LogTail.lineStart(file, 4)).isEqualTo(4);
            assertThat(LogTail.lineStart(file, 2)).isZero();
            assertThat(LogTail.lineStart(file, 0)).isZero();
        }

        assertThat(read(LogQuery.all().since(Instant.EPOCH.plusSeconds(1)))).containsExactly("two", "three");
    }

    @Test
    void withoutTimesSinceHasEverything() throws Exception {
        Files.writeString(log, "one\n");

        assertThat(read(LogQuery.all().since(Instant.now().minusSeconds(5)))).containsExactly("one");
    }

    @Test
    void anInterruptEndsAWaitAndNotTheStream() throws Exception {
        try (JobLogs logs =
                JobLogs.open(directory, List.of("node-0"), LogQuery.all().following(), () -> false)) {
            Thread.currentThread().interrupt();
            org.assertj.core.api.Assertions.assertThatThrownBy(logs::next).isInstanceOf(InterruptedException.class);
            Files.writeString(log, "later\n");
            assertThat(logs.next()).map(LogLine::text).hasValue("later");
        }
    }
}
