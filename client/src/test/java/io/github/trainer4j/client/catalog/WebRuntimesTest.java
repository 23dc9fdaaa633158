package io.github.trainer4j.client.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import io.github.trainer4j.api.spi.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runtimes from web servers and GitHub, over real sockets. */
@Timeout(60)
class WebRuntimesTest {
    private static final String A = RuntimeYamlTest.minimal("a");

    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock();
    private final Map<String, String> settings = new HashMap<>();
    private TextServer server;

    @BeforeEach
    void serve() throws IOException {
        server = new TextServer().text("/r.yaml", A, "\"1\"");
        settings.put("runtimes.sources", server.url() + "/r.yaml");
        settings.put("runtimes.github-api-url", server.url() + "/api/");
        settings.put("runtimes.github-raw-url", server.url() + "/raw");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void twoListsAreOneDownloadAlsoOfTwoClients() {
        assertThat(catalog().list()).extracting(TrainingRuntime::name).containsExactly("a");
        RuntimeCatalog second = catalog();
        assertThat(second.list()).isEqualTo(second.list());
        assertThat(second.get("a").source()).isEqualTo(server.url() + "/r.yaml");
        assertThat(server.requests).containsExactly("/r.yaml");
    }

    @Test
    void anUnknownNameIsOneScan() {
        settings.put("runtimes.cache-ttl", "0s");
        settings.merge("runtimes.sources", "," + server.url() + "/s.yaml", String::concat);
        server.text("/s.yaml", RuntimeYamlTest.minimal("b"), "\"1\"");
        assertThatExceptionOfType(RuntimeNotFoundException.class)
                .isThrownBy(() -> catalog().get("c"))
                .satisfies(e -> assertThat(e.available()).containsExactly("a", "b"));
        assertThat(server.requests).containsExactly("/r.yaml", "/s.yaml");
    }

    @Test
    void whatHasGrownOldIsAskedForByItsVersion() {
        RuntimeCatalog catalog = catalog();
        catalog.list();
        clock.advance(Duration.ofHours(23));
        catalog.list();
        assertThat(server.requests).hasSize(1);
        clock.advance(Duration.ofHours(1));
        assertThat(catalog.list()).hasSize(1);
        assertThat(catalog.list()).hasSize(1);
        assertThat(server.requests).containsExactly("/r.yaml", "/r.yaml \"1\"");
        server.text("/r.yaml", RuntimeYamlTest.minimal("new"), "\"2\"");
        clock.advance(Duration.ofHours(24));
        assertThat(catalog.list()).extracting(TrainingRuntime::name).containsExactly("new");
        clock.advance(Duration.ofHours(24));
        assertThat(catalog.list()).extracting(TrainingRuntime::name).containsExactly("new");
        assertThat(server.requests).endsWith("/r.yaml \"1\"", "/r.yaml \"2\"");
    }

    @Test
    void aClockThatWasSetBackMakesNoCopyLastForYears() {
        catalog().list();
        clock.advance(Duration.ofDays(-1000));
        catalog().list();
        assertThat(server.requests).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 429, 408})
    void aServerInTroubleIsReplacedByTheCopy(int status) {
        catalog().list();
        clock.advance(Duration.ofDays(2));
        server.status("/r.yaml", status);
        RuntimeCatalog catalog = catalog();
        assertThat(catalog.list()).extracting(TrainingRuntime::name).containsExactly("a");
        assertThat(catalog.list()).hasSize(1);
        assertThat(server.requests).as("it is left alone for a while").hasSize(2);
        clock.advance(Duration.ofMinutes(2));
        server.text("/r.yaml", RuntimeYamlTest.minimal("new"), "\"2\"");
        assertThat(catalog.list()).extracting(TrainingRuntime::name).containsExactly("new");
    }

    @Test
    void aServerThatIsGoneIsReplacedByTheCopy() {
        catalog().list();
        server.close();
        clock.advance(Duration.ofDays(400));
        assertThat(catalog().list()).extracting(TrainingRuntime::name).containsExactly("a");
    }

    @Test
    void aServerThatIsGoneIsToldWhenThereIsNoCopy() {
        server.close();
        assertThatExceptionOfType(TrainerException.class)
                .isThrownBy(() -> catalog().list())
                .withMessageContainingAll(server.url() + "/r.yaml", "ConnectException", "optional:")
                .satisfies(e -> assertThat(e.reason()).contains("RuntimeSourceUnavailable"));
        settings.put("runtimes.sources", "optional:" + server.url() + "/r.yaml,builtin");
        assertThat(catalog().list()).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 410})
    void anAddressThatIsWrongIsToldAlsoWhenThereIsACopy(int status) {
        catalog().list();
        clock.advance(Duration.ofDays(2));
        server.status("/r.yaml", status);
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> catalog().list())
                .withMessageContaining("/r.yaml answered with status " + status);
    }

    @Test
    void aServerThatAnswersTooSlowlyIsNotWaitedForLongerThanSaid() {
        settings.put("runtimes.timeout", "300ms");
        CountDownLatch end = new CountDownLatch(1);
        server.answer("/r.yaml", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                while (end.getCount() > 0) {
                    out.write('#');
                    out.flush();
                    end.await(50, java.util.concurrent.TimeUnit.MILLISECONDS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        long start = System.nanoTime();
        assertThatExceptionOfType(TrainerException.class)
                .isThrownBy(() -> catalog().list())
                .withMessageContaining("in time");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        end.countDown();
    }

    @Test
    void aBodyThatIsCutHugeOrNoTextIsNoRuntime() {
        server.answer("/r.yaml", exchange -> {
            exchange.sendResponseHeaders(200, A.length());
            exchange.getResponseBody().write(A.substring(0, 40).getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        });
        assertFails("the answer was cut: 40 of " + A.length() + " bytes");
        server.answer("/r.yaml", exchange -> TextServer.send(exchange, 200, new byte[(1 << 20) + 1]));
        assertFails("more than 1048576 bytes");
        server.answer("/r.yaml", exchange -> TextServer.send(exchange, 200, new byte[] {(byte) 0xe4, 'x'}));
        assertFails("not UTF-8");
        server.text("/r.yaml", "<html>\n<p>a: [</p>", "\"3\"");
        assertFails("/r.yaml line 2");
    }

    @Test
    void anAnswerThatIsNoRuntimeDoesNotTakeThePlaceOfACopy() {
        catalog().list();
        clock.advance(Duration.ofDays(2));
        server.text("/r.yaml", "title: log in first", "\"portal\"");
        assertFails("/r.yaml line 1");
        server.text("/r.yaml", A, "\"1\"");
        assertThat(catalog().list()).hasSize(1);
        assertThat(server.requests).endsWith("/r.yaml \"1\"");
    }

    @Test
    void redirectsAreFollowedButNotForEverAndNotToFiles() {
        server.redirect("/r.yaml", "/moved?x=y").text("/moved?x=y", A, "\"1\"");
        assertThat(catalog().list()).hasSize(1);
        settings.put("runtimes.sources", server.url() + "/loop");
        server.redirect("/loop", "/loop");
        assertFails("redirects");
        assertThat(server.requests.stream().filter("/loop"::equals)).hasSize(6);
        server.redirect("/loop", "file:///etc/passwd");
        assertFails("a redirect from http to file is not followed");
    }

    @Test
    void aTokenInTheAddressIsNeitherToldNorStored() throws IOException {
        settings.put("runtimes.sources", server.url() + "/r.yaml?token=canary");
        server.text("/r.yaml?token=canary", A, "\"1\"");
        assertThat(catalog().get("a").source()).doesNotContain("canary");
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(file.toString() + Files.readString(file)).doesNotContain("canary");
            }
        }
        clock.advance(Duration.ofDays(2));
        server.status("/r.yaml?token=canary", 404);
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> catalog().list())
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("canary"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "{}\nx",
                "{\"checked\":\"yesterday\"}\nx",
                "{\"checked\":null}\nx",
                "{\"checked\":\"2026-01-01T00:00:00Z\"}\na: ["
            })
    void aCopyThatIsDamagedIsGotAgain(String damaged) throws IOException {
        catalog().list();
        Path copy = copy();
        Files.writeString(copy, damaged);
        assertThat(catalog().list()).hasSize(1);
        assertThat(server.requests).hasSize(2);
        assertThat(copy()).isEqualTo(copy).content().contains("registry.test/torch:1");
    }

    @Test
    void aWorkDirectoryThatCannotBeWrittenIsNoReasonToFail() throws IOException {
        Files.writeString(directory.resolve("work"), "a file where the directory should be");
        assertThat(catalog().list()).hasSize(1);
    }

    @Test
    void manyThreadsShareOneDownload() throws Exception {
        RuntimeCatalog catalog = catalog();
        List<FutureTask<List<TrainingRuntime>>> tasks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            FutureTask<List<TrainingRuntime>> task = new FutureTask<>(catalog::list);
            tasks.add(task);
            new Thread(task, "lister-" + i).start();
        }
        for (FutureTask<List<TrainingRuntime>> task : tasks) {
            assertThat(task.get()).hasSize(1);
        }
        assertThat(server.requests).containsExactly("/r.yaml");
    }

    @Test
    void aFileOnGithubIsOneRequest() {
        settings.put("runtimes.sources", "github:org/repo@feature%2Fx/some dir/r.yaml");
        server.text("/raw/org/repo/feature/x/some%20dir/r.yaml", A, "\"1\"");
        assertThat(catalog().get("a").source()).isEqualTo("github:org/repo@feature%2Fx/some dir/r.yaml");
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void aDirectoryOnGithubIsListedOnce() {
        settings.put("runtimes.sources", "github:org/repo@v1/manifests");
        server.text("/api/repos/org/repo/contents/manifests?ref=v1", """
                [{"name":"b.yaml","type":"file","download_url":"http://evil.test/x"},
                 {"name":"a.yml","type":"file"},{"name":"deeper.yaml","type":"dir"},{"name":"README.md","type":"file"},
                 {"name":"../c.yaml","type":"file"},{"name":".d.yaml","type":"file"},{"name":3,"type":"file"},7]
                """, "\"l\"");
        server.text("/raw/org/repo/v1/manifests/a.yml", A, "\"1\"");
        server.text("/raw/org/repo/v1/manifests/b.yaml", RuntimeYamlTest.minimal("b"), "\"2\"");
        assertThat(catalog().list())
                .extracting(TrainingRuntime::source)
                .containsExactly("github:org/repo@v1/manifests/a.yml", "github:org/repo@v1/manifests/b.yaml");
        catalog().list();
        assertThat(server.requests)
                .containsExactly(
                        "/api/repos/org/repo/contents/manifests?ref=v1",
                        "/raw/org/repo/v1/manifests/a.yml",
                        "/raw/org/repo/v1/manifests/b.yaml");
    }

    @Test
    void withoutARefGithubsDefaultBranchIsRead() {
        settings.put("runtimes.sources", "github:org/repo");
        server.text("/api/repos/org/repo/contents/", "[{\"name\":\"a.yaml\",\"type\":\"file\"}]", "\"l\"");
        server.text("/raw/org/repo/HEAD/a.yaml", A, "\"1\"");
        assertThat(catalog().list()).extracting(TrainingRuntime::source).containsExactly("github:org/repo/a.yaml");
    }

    @Test
    void aDirectoryOnGithubThatIsNoneIsTold() {
        settings.put("runtimes.sources", "github:org/repo/x");
        server.text("/api/repos/org/repo/contents/x", "{\"type\":\"file\"}", "\"l\"");
        assertFails("github:org/repo/x is no directory");
        clock.advance(Duration.ofDays(2));
        server.text("/api/repos/org/repo/contents/x", "[]", "\"m\"");
        assertFails("github:org/repo/x has no YAML file with a runtime in it");
        clock.advance(Duration.ofDays(2));
        server.text("/api/repos/org/repo/contents/x", "<html>", "\"n\"");
        assertFails("answered no JSON");
    }

    @Test
    void githubsLimitIsNoWrongAddress() {
        settings.put("runtimes.sources", "github:org/repo/x");
        server.answer("/api/repos/org/repo/contents/x", exchange -> {
            exchange.getResponseHeaders().set("X-RateLimit-Remaining", "0");
            TextServer.send(exchange, 403, new byte[0]);
        });
        assertThatExceptionOfType(TrainerException.class)
                .isThrownBy(() -> catalog().list())
                .satisfies(e -> assertThat(e.reason()).contains("RuntimeSourceUnavailable"));
    }

    private void assertFails(String message) {
        assertThatExceptionOfType(TrainerException.class)
                .isThrownBy(() -> catalog().list())
                .withMessageContaining(message);
    }

    private Path copy() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("work/cache/runtimes"))) {
            return files.reduce((one, other) -> {
                        throw new AssertionError("two files: " + one + ", " + other);
                    })
                    .orElseThrow();
        }
    }

    private RuntimeCatalog catalog() {
        Settings values = Settings.of(settings);
        RuntimeCatalog catalog = RuntimeSources.of(values, directory, directory, directory.resolve("work"), clock);
        values.check();
        return catalog;
    }

    private static final class SettableClock extends Clock {
        private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

        void advance(Duration duration) {
            now = now.plus(duration);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
