package io.github.trainer4j.api.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.sun.net.httpserver.HttpServer;
import io.github.trainer4j.api.TrainingProgress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class TrainingReporterTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    @TempDir
    private static Path keysDirectory;

    private static StatusServer.Keys keys;
    private static StatusServer.Keys keysOfAnotherName;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeKeys() throws Exception {
        keys = StatusServer.keys(keysDirectory, "own", "ip:127.0.0.1");
        keysOfAnotherName = StatusServer.keys(keysDirectory, "other", "dns:other.example");
    }

    @AfterEach
    void noThreadIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("trainer4j-progress");
    }

    @Test
    void aReportIsPostedToTheStatusServer() throws Exception {
        try (StatusServer server = StatusServer.start(keys, directory)) {
            try (TrainingReporter reporter = TrainingReporter.fromEnvironment(server.environment())) {
                assertThat(reporter.isActive()).isTrue();
                reporter.report(new TrainingProgress(
                        OptionalInt.of(40), Optional.of(Duration.ofSeconds(90)), Map.of("loss", "0.12"), NOON));
            }

            assertThat(server.requests)
                    .containsExactly(new StatusServer.Request(
                            "POST",
                            "/status/my-job",
                            "Bearer t0ken",
                            "application/json",
                            "{\"trainerStatus\":{\"progressPercentage\":40,\"estimatedRemainingSeconds\":90,"
                                    + "\"metrics\":[{\"name\":\"loss\",\"value\":\"0.12\"}],"
                                    + "\"lastUpdatedTime\":\"2026-11-30T12:00:00Z\"}}"));
        }
    }

    @Test
    void theServerGetsOneReportInFiveSecondsAndTheLastAtTheEnd() throws Exception {
        assertThat(TrainingReporter.SERVER_INTERVAL).isEqualTo(Duration.ofSeconds(5));
        try (StatusServer server = StatusServer.start(keys, directory)) {
            try (TrainingReporter reporter = TrainingReporter.fromEnvironment(server.environment(), LONG, LONG)) {
                reporter.report(1);
                assertThat(percent(server.requests.take())).isEqualTo(1);
                for (int percent = 2; percent <= 99; percent++) {
                    reporter.report(percent);
                }
                assertThat(server.requests).isEmpty();
            }

            assertThat(server.requests)
                    .extracting(TrainingReporterTest::percent)
                    .containsExactly(99);
        }
    }

    @Test
    void tokenAndCertificateAreReadAtEachReport() throws Exception {
        try (StatusServer server = StatusServer.start(keys, directory)) {
            Path certificate = Files.move(server.certificate(), directory.resolve("elsewhere"));
            Files.writeString(server.certificate(), "not there yet");
            try (TrainingReporter reporter = TrainingReporter.fromEnvironment(server.environment(), SHORT, SHORT)) {
                reporter.report(1);
                Files.copy(certificate, server.certificate(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                assertThat(server.requests.take().authorization()).isEqualTo("Bearer t0ken");

                Files.writeString(server.token(), "  n3w  \n");
                reporter.report(2);
                assertThat(server.requests.take().authorization()).isEqualTo("Bearer n3w");
            }
        }
    }

    @Test
    void aReportThatTheServerRefusesIsSentAgain() throws Exception {
        try (StatusServer server = StatusServer.start(keys, directory)) {
            server.answer.set(500);
            try (TrainingReporter reporter = TrainingReporter.fromEnvironment(server.environment(), SHORT, SHORT)) {
                reporter.report(7);
                assertThat(percent(server.requests.take())).isEqualTo(7);
                server.answer.set(200);
                assertThat(percent(server.requests.take())).isEqualTo(7);
            }
        }
    }

    @Test
    void aServerThatDoesNotAnswerDoesNotHoldUpTheTraining() throws Exception {
        CountDownLatch trainingIsDone = new CountDownLatch(1);
        try (StatusServer server = StatusServer.start(keys, directory)) {
            server.beforeAnswer(() -> await(trainingIsDone));
            try (TrainingReporter reporter = TrainingReporter.fromEnvironment(server.environment(), SHORT, SHORT)) {
                reporter.report(1);
                server.requests.take();
                for (int percent = 2; percent <= 99; percent++) {
                    reporter.report(percent);
                }
                trainingIsDone.countDown();
            }

            assertThat(server.requests)
                    .last()
                    .extracting(TrainingReporterTest::percent)
                    .isEqualTo(99);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308})
    void theTokenDoesNotFollowARedirect(int code) throws Exception {
        try (StatusServer server = StatusServer.start(keys, directory)) {
            server.answer.set(code);
            try (TrainingReporter reporter = TrainingReporter.fromEnvironment(server.environment(), LONG, LONG)) {
                reporter.report(1);
                server.requests.take();
            }

            assertThat(server.requests).extracting(StatusServer.Request::path).doesNotContain("/elsewhere");
        }
    }

    @Test
    void aServerOfAnotherNameGetsNothing() throws Exception {
        try (StatusServer server = StatusServer.start(keysOfAnotherName, directory)) {
            report(server.environment());

            assertThat(server.requests).isEmpty();
        }
    }

    @Test
    void aServerOfAnotherAuthorityGetsNothing() throws Exception {
        try (StatusServer server = StatusServer.start(keys, directory)) {
            Map<String, String> environment = new HashMap<>(server.environment());
            environment.put(
                    TrainingReporter.SERVER_CA_CERT,
                    keysOfAnotherName.certificate().toString());
            report(environment);
            environment.remove(TrainingReporter.SERVER_CA_CERT);
            report(environment);

            assertThat(server.requests).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "two words", "line\nbreak: x", "größe"})
    void withoutATokenTheServerGetsNothing(String token) throws Exception {
        try (StatusServer server = StatusServer.start(keys, directory)) {
            Files.writeString(server.token(), token);
            report(server.environment());
            Files.delete(server.token());
            report(server.environment());

            assertThat(server.requests).isEmpty();
        }
    }

    @Test
    void aTokenDoesNotTravelWithoutTls() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        HttpServer plain = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        plain.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        plain.start();
        try {
            Path token = Files.writeString(directory.resolve("token"), "t0ken");
            Map<String, String> environment = Map.of(
                    TrainingReporter.SERVER_URL,
                    "http://127.0.0.1:" + plain.getAddress().getPort() + "/",
                    TrainingReporter.SERVER_TOKEN,
                    token.toString());
            report(environment);

            assertThat(TrainingReporter.fromEnvironment(environment).isActive()).isFalse();
            assertThat(requests).hasValue(0);
        } finally {
            plain.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"not a url", "https://", "https:///path", "ftp://host/", "host:8080", "\0"})
    void aMalformedAddressIsNoReasonToFail(String url) {
        assertThat(TrainingReporter.fromEnvironment(
                                Map.of(TrainingReporter.SERVER_URL, url, TrainingReporter.SERVER_TOKEN, "/token"))
                        .isActive())
                .isFalse();
    }

    @Test
    void withoutAServerReportsGoIntoTheFile() {
        Path file = directory.resolve("workspace/.trainer4j/progress-0.json");
        try (TrainingReporter reporter = TrainingReporter.fromEnvironment(file(file))) {
            reporter.report(40, Duration.ofSeconds(90), Map.of("loss", 0.5));
        }

        TrainingProgress read = ProgressFile.read(file).orElseThrow();
        assertThat(read.percent()).hasValue(40);
        assertThat(read.remaining()).contains(Duration.ofSeconds(90));
        assertThat(read.metrics()).isEqualTo(Map.of("loss", "0.5"));
        assertThat(read.updated()).isBetween(NOON.minus(Duration.ofDays(10_000)), Instant.now());
    }

    @Test
    void theServerIsPreferredToTheFile() throws Exception {
        Path file = directory.resolve("progress.json");
        try (StatusServer server = StatusServer.start(keys, directory)) {
            Map<String, String> environment = new HashMap<>(server.environment());
            environment.putAll(file(file));
            report(environment);

            assertThat(server.requests).hasSize(1);
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void aReaderOfTheFileMeetsWholeReportsOnly() throws IOException {
        Path file = directory.resolve("progress.json");
        try (TrainingReporter reporter = TrainingReporter.fromEnvironment(file(file), SHORT, Duration.ZERO)) {
            for (int i = 0; i < 2_000; i++) {
                reporter.report(i % 100, Map.of("padding", "x".repeat(i)));
                if (Files.exists(file)) {
                    assertThat(ProgressFile.read(file)).isPresent();
                }
            }
        }

        assertThat(ProgressFile.read(file).orElseThrow().percent()).hasValue(99);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aFileThatCannotBeWrittenIsNoReasonToFail() throws IOException {
        Path notADirectory = Files.writeString(directory.resolve("file"), "");

        report(file(notADirectory.resolve("progress.json")));
        report(file(directory));
        report(file(Path.of("/")));

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(notADirectory);
        }
    }

    @Test
    void withoutEitherNothingHappens() {
        try (TrainingReporter reporter = TrainingReporter.fromEnvironment(Map.of())) {
            assertThat(reporter.isActive()).isFalse();
            reporter.report(1);
        }
        try (TrainingReporter reporter = TrainingReporter.fromEnvironment(
                Map.of("TRAINJOB_PROGRESS_FILE", "", TrainingReporter.SERVER_URL, "https://127.0.0.1:1/"))) {
            assertThat(reporter.isActive()).isFalse();
        }
    }

    @Test
    void reportsThatMakeNoSenseAreMendedOrIgnored() {
        Path file = directory.resolve("progress.json");
        Map<String, Object> metrics = new HashMap<>();
        metrics.put(null, 1);
        metrics.put("nothing", null);
        metrics.put(" ", 1);
        metrics.put("a\nb", 1);
        metrics.put("broken", new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("broken");
            }
        });
        try (TrainingReporter reporter = TrainingReporter.fromEnvironment(file(file))) {
            assertThatCode(() -> {
                        reporter.report(1, metrics);
                        reporter.report(null);
                        reporter.report(1, (Map<String, Object>) null);
                        metrics.remove("broken");
                        metrics.put("good", Double.NaN);
                        reporter.report(-5, metrics);
                        reporter.report(1_000, Duration.ofSeconds(-1), metrics);
                    })
                    .doesNotThrowAnyException();
        }

        TrainingProgress read = ProgressFile.read(file).orElseThrow();
        assertThat(read.percent()).hasValue(100);
        assertThat(read.remaining()).isEmpty();
        assertThat(read.metrics()).isEqualTo(Map.of("good", "NaN"));
    }

    @Test
    void ofTooManyMetricsTheFirstAreTaken() {
        Path file = directory.resolve("progress.json");
        Map<String, Integer> metrics = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            metrics.put("m" + i, i);
        }
        try (TrainingReporter reporter = TrainingReporter.fromEnvironment(file(file))) {
            reporter.report(1, metrics);
        }

        assertThat(ProgressFile.read(file).orElseThrow().metrics()).hasSize(TrainingProgress.MOST_METRICS);
    }

    @Test
    void afterTheEndNothingIsReported() {
        Path file = directory.resolve("progress.json");
        TrainingReporter reporter = TrainingReporter.fromEnvironment(file(file));
        reporter.close();
        reporter.report(1);
        reporter.close();

        assertThat(file).doesNotExist();
    }

    @Test
    void anInterruptEndsTheWaitAtTheEnd() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (StatusServer server = StatusServer.start(keys, directory)) {
            server.beforeAnswer(() -> await(release));
            TrainingReporter reporter = TrainingReporter.fromEnvironment(server.environment(), LONG, LONG);
            reporter.report(1);
            server.requests.take();
            Thread.currentThread().interrupt();
            reporter.close();

            assertThat(Thread.interrupted()).isTrue();
            release.countDown();
            reporter.close();
        }
    }

    private static void report(Map<String, String> environment) {
        try (TrainingReporter reporter = TrainingReporter.fromEnvironment(environment)) {
            reporter.report(1);
        }
    }

    private static Map<String, String> file(Path file) {
        return Map.of("TRAINJOB_PROGRESS_FILE", file.toString());
    }

    private static int percent(StatusServer.Request request) {
        return ProgressFile.parse(request.body(), NOON).orElseThrow().percent().orElseThrow();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
