package io.github.trainer4j.api.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.TrainingProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressFileTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final Instant WRITTEN = Instant.parse("2026-11-30T13:00:00Z");

    @TempDir
    private Path directory;

    @Test
    void theDocumentedTextIsRead() {
        assertThat(parse("{\"progressPercentage\": 40, \"estimatedRemainingSeconds\": 90,"
                        + "\"metrics\": [{\"name\": \"loss\", \"value\": \"0.12\"}],"
                        + "\"lastUpdatedTime\": \"2026-11-30T12:00:00Z\"}"))
                .contains(new TrainingProgress(
                        OptionalInt.of(40), Optional.of(Duration.ofSeconds(90)), Map.of("loss", "0.12"), NOON));
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Map<String, String> metrics = new LinkedHashMap<>();
        metrics.put("loss \"x\"", "0.12");
        metrics.put("größe", "NaN");
        TrainingProgress progress =
                new TrainingProgress(OptionalInt.of(100), Optional.of(Duration.ZERO), metrics, NOON.plusMillis(5));

        assertThat(ProgressFile.parse(ProgressFile.text(progress), WRITTEN)).contains(progress);
    }

    @Test
    void whatIsNotKnownIsNotWritten() {
        TrainingProgress progress = new TrainingProgress(OptionalInt.empty(), Optional.empty(), Map.of(), NOON);

        assertThat(ProgressFile.text(progress))
                .isEqualTo("{\"trainerStatus\":{\"lastUpdatedTime\":\"2026-11-30T12:00:00Z\"}}");
        assertThat(ProgressFile.parse(ProgressFile.text(progress), WRITTEN)).contains(progress);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "33.9, 33", "100, 100", "100.1, 100", "-1, 0", "1e300, 100", "'\"40\"', 40"})
    void percentagesAreCutToWholeOnesFromZeroToHundred(String written, int expected) {
        assertThat(parse("{\"progressPercentage\": " + written + "}")
                        .orElseThrow()
                        .percent())
                .hasValue(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "true", "\"much\"", "\"40%\"", "[40]", "{}", "\"\""})
    void whatIsNoPercentageIsLeftOut(String written) {
        TrainingProgress progress = parse("{\"progressPercentage\": " + written + ", \"estimatedRemainingSeconds\": "
                        + written + ", \"metrics\": {\"a\": 1}}")
                .orElseThrow();

        assertThat(progress.percent()).isEmpty();
        assertThat(progress.remaining()).isEmpty();
        assertThat(progress.metrics()).containsEntry("a", "1");
    }

    @ParameterizedTest
    @CsvSource({"0, PT0S", "90.7, PT1M30S", "1e300, PT596523H14M7S", "'\"5\"', PT5S"})
    void theTimeThatIsLeftIsInWholeSeconds(String written, Duration expected) {
        assertThat(parse("{\"estimatedRemainingSeconds\": " + written + "}")
                        .orElseThrow()
                        .remaining())
                .contains(expected);
    }

    @Test
    void aNegativeTimeIsLeftOut() {
        assertThat(parse("{\"estimatedRemainingSeconds\": -1}").orElseThrow().remaining())
                .isEmpty();
    }

    @Test
    void metricsMayBeNumbersStringsOrAnObject() {
        Map<String, String> expected = Map.of("loss", "0.10", "lr", "0.00001", "note", "warm", "done", "true");

        assertThat(parse("{\"metrics\": [{\"name\": \"loss\", \"value\": 0.10}, {\"name\": \"lr\", \"value\": 1e-05},"
                                + "{\"name\": \"note\", \"value\": \"warm\"}, {\"name\": \"done\", \"value\": true}]}")
                        .orElseThrow()
                        .metrics())
                .isEqualTo(expected);
        assertThat(parse("{\"metrics\": {\"loss\": 0.10, \"lr\": 1e-05, \"note\": \"warm\", \"done\": true}}")
                        .orElseThrow()
                        .metrics())
                .isEqualTo(expected);
    }

    @Test
    void metricsThatAreNoneAreLeftOut() {
        assertThat(parse(
                                "{\"metrics\": [1, null, {}, {\"name\": \"\", \"value\": 1}, {\"name\": \"a\\nb\", \"value\": 1},"
                                        + "{\"name\": \"a\"}, {\"value\": 1}, {\"name\": 1, \"value\": 1}, {\"name\": \"b\", \"value\": []},"
                                        + "{\"name\": \"good\", \"value\": 1}]}")
                        .orElseThrow()
                        .metrics())
                .isEqualTo(Map.of("good", "1"));
        assertThat(parse("{\"metrics\": \"many\"}").orElseThrow().metrics()).isEmpty();
    }

    @Test
    void ofTooManyMetricsTheFirstAreTaken() {
        StringBuilder metrics = new StringBuilder("{\"m0\": 0");
        for (int i = 1; i < 300; i++) {
            metrics.append(", \"m").append(i).append("\": ").append(i);
        }

        assertThat(parse("{\"metrics\": " + metrics + "}}").orElseThrow().metrics())
                .hasSize(256)
                .containsKeys("m0", "m255")
                .doesNotContainKey("m256");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-30T12:00:00Z, 2026-11-30T12:00:00Z",
        "2026-11-30T13:00:00+01:00, 2026-11-30T12:00:00Z",
        "2026-11-30T12:00:00.123456+00:00, 2026-11-30T12:00:00.123456Z",
        "2026-11-30T12:00:00, 2026-11-30T13:00:00Z",
        "yesterday, 2026-11-30T13:00:00Z"
    })
    void aTimeThatIsNoneIsThatOfTheFile(String written, Instant expected) {
        assertThat(parse("{\"lastUpdatedTime\": \"" + written + "\"}")
                        .orElseThrow()
                        .updated())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"trainerStatus\": {\"progressPercentage\": 4",
                "{\"trainerStatus\": 40}",
                "{\"progressPercentage\": 40}",
                "[]",
                "40",
                "null",
                "{\"trainerStatus\": {\"progressPercentage\": 1e999999999}}"
            })
    void aHalfWrittenOrForeignTextIsNoProgress(String text) throws IOException {
        assertThat(ProgressFile.parse(text, WRITTEN)).isEmpty();
        assertThat(ProgressFile.read(Files.writeString(directory.resolve("progress.json"), text)))
                .isEmpty();
    }

    @Test
    void aFileHasItsOwnTimeWhereItSaysNone() throws IOException {
        Path file = Files.writeString(directory.resolve("progress.json"), "{\"trainerStatus\": {}}");
        Files.setLastModifiedTime(file, FileTime.from(NOON));

        assertThat(ProgressFile.read(file).orElseThrow().updated()).isEqualTo(NOON);
    }

    @Test
    void whatCannotBeReadIsNoProgress() throws IOException {
        Path huge = directory.resolve("huge.json");
        Files.writeString(huge, "{\"trainerStatus\": {}}" + " ".repeat(1 << 20));
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertThat(ProgressFile.read(directory.resolve("missing"))).isEmpty();
        assertThat(ProgressFile.read(directory)).isEmpty();
        assertThat(ProgressFile.read(huge)).isEmpty();
        assertThat(ProgressFile.read(binary)).isEmpty();
    }

    @Test
    @Timeout(10)
    void aPipeOrALinkInItsPlaceIsNoProgress() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path secret =
                Files.writeString(directory.resolve("elsewhere"), "{\"trainerStatus\":{\"progressPercentage\":1}}");
        Path link = Files.createSymbolicLink(directory.resolve("link"), secret);

        assertThat(ProgressFile.read(pipe)).isEmpty();
        assertThat(ProgressFile.read(link)).isEmpty();
        assertThat(ProgressFile.read(secret)).isPresent();
    }

    @Test
    void ofSeveralNodesTheOneThatReportedLastCounts() throws IOException {
        write(0, 10, NOON);
        write(2, 30, NOON.plusSeconds(60));
        write(3, 20, NOON.plusSeconds(30));
        Files.writeString(directory.resolve(".trainer4j/progress-1.json"), "{");

        assertThat(ProgressFile.newest(directory, 4).orElseThrow().percent()).hasValue(30);
        assertThat(ProgressFile.newest(directory, 2).orElseThrow().percent()).hasValue(10);
        assertThat(ProgressFile.newest(directory.resolve("elsewhere"), 4)).isEmpty();
    }

    private void write(int rank, int percent, Instant time) throws IOException {
        Files.createDirectories(directory.resolve(".trainer4j"));
        Files.writeString(
                directory.resolve(".trainer4j/progress-" + rank + ".json"),
                ProgressFile.text(new TrainingProgress(OptionalInt.of(percent), Optional.empty(), Map.of(), time)));
    }

    private static Optional<TrainingProgress> parse(String status) {
        return ProgressFile.parse("{\"trainerStatus\": " + status + "}", WRITTEN);
    }
}
