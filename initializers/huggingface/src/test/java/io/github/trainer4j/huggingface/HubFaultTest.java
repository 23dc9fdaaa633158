package io.github.trainer4j.huggingface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.testkit.hub.Content;
import io.github.trainer4j.testkit.hub.FakeHub;
import io.github.trainer4j.testkit.hub.Fault;
import io.github.trainer4j.testkit.hub.Origin;
import io.github.trainer4j.testkit.hub.RecordedRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fetches from a Hub where something goes wrong, over real sockets. */
class HubFaultTest {
    private static final String CANARY = "hf_canary0123456789";

    @TempDir
    Path directory;

    private final FakeHub hub = FakeHub.start();
    private final Content large = Content.generated(7, 4_500_000);

    @AfterEach
    void closeTheHub() {
        hub.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("trainer4j-transfer"));
    }

    private HuggingFace data() {
        return HuggingFace.dataset("hf://org/data").endpoint(hub.endpoint().toString());
    }

    private Fetches fetch() throws Exception {
        return Fetches.fetch(data(), directory);
    }

    private AbstractThrowableAssert<?, ? extends Throwable> fails(
            String reason, HuggingFace what, Map<String, String> env) {
        return assertThatThrownBy(() -> Fetches.fetch(what, directory, env))
                .isInstanceOfSatisfying(
                        InitializerException.class,
                        e -> assertThat(e.reason()).as(e.getMessage()).contains(reason));
    }

    private void isComplete() throws Exception {
        assertThat(large.isIn(directory.resolve("big"))).isTrue();
        assertThat(directory.resolve(".trainer4j/complete.json")).exists();
    }

    private void isAbsent() throws Exception {
        assertThat(Fetches.files(directory)).doesNotContain("big");
        assertThat(directory.resolve(".trainer4j/complete.json")).doesNotExist();
    }

    static Stream<Fault> passing() {
        return Stream.of(
                Fault.cutAfter(300_000).on("/lfs/*").times(3),
                Fault.cutAfter(0).on("/lfs/*").times(2),
                Fault.resetAfter(300_000).on("/lfs/*").times(3),
                Fault.resetAfter(10).on("/api/*").times(2),
                Fault.hangUp().on("/lfs/*").times(2),
                Fault.hangUp().on("/api/*").times(2),
                Fault.hangUp().on("*/resolve/*").times(2),
                Fault.stallAfter(200_000).on("/lfs/*").times(1),
                Fault.stallAfter(5).on("/api/*").times(1),
                Fault.status(500).on("/lfs/*").times(2),
                Fault.status(502).on("/api/*").times(2),
                Fault.status(503).on("*/resolve/*").times(2),
                Fault.status(504).on("*/resolve/*").times(2),
                Fault.status(408).on("/lfs/*").times(2),
                Fault.status(403).at(Origin.CDN).skip(1).times(1),
                Fault.corruptByteAt(2_000_000).on("/lfs/*").times(1),
                Fault.chunked(),
                Fault.untilClose(),
                Fault.untilClose().and(Fault.cutAfter(300_000)).on("/lfs/*").times(2),
                Fault.gzip(),
                Fault.ignoringRange(),
                Fault.ignoringRange().on("/lfs/*").skip(1),
                Fault.rangeFrom(0).on("/lfs/*").times(1),
                Fault.rangeNotSatisfiable().on("/lfs/*").times(1),
                Fault.withoutHubHeaders(),
                Fault.withoutHeaders("ETag", "Content-Length", "Accept-Ranges"),
                Fault.withoutHeaders("Content-Range").on("/lfs/*"),
                Fault.contentRange("bytes */*").on("/lfs/*").times(2),
                Fault.contentLength(12).on("/lfs/*").times(1),
                Fault.header("Content-Type", "text/html").on("/lfs/*"),
                Fault.delay(Duration.ofMillis(50)),
                Fault.bytesPerSecond(8_000_000));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void whatPassesIsGotOver(Fault fault) throws Exception {
        hub.dataset("org/data").lfs("big", large).file("small", "s");
        hub.inject(fault);

        fetch();

        isComplete();
        assertThat(directory.resolve("small")).hasContent("s");
    }

    static Stream<Fault> lasting() {
        return Stream.of(
                Fault.cutAfter(0).on("/lfs/*"),
                Fault.hangUp().on("/lfs/*"),
                Fault.hangUp().on("/api/*"),
                Fault.status(500).on("/lfs/*"),
                Fault.status(404).on("/lfs/*"),
                Fault.status(418).on("*/resolve/*"),
                Fault.corruptByteAt(2_000_000).on("/lfs/*"),
                Fault.rangeNotSatisfiable().on("/lfs/*"),
                Fault.contentRange("bytes 0-9/10").on("/lfs/*"),
                Fault.instead("text/html", "<html>captive portal</html>").on("/api/*"),
                Fault.instead("text/html", "<html>captive portal</html>").on("/lfs/*"),
                Fault.instead("application/json", "{}").on("/api/*"),
                Fault.instead("application/json", "[{\"type\":\"file\"}]").on("*/tree/*"),
                Fault.redirect(302, "https://hub.invalid/").on("/lfs/*"),
                Fault.redirect(302, "/same").on("*/resolve/*"),
                Fault.redirect(302, "ftp://h/x").on("*/resolve/*"));
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void whatDoesNotPassIsToldAndLeavesNoFile(Fault fault) throws Exception {
        hub.dataset("org/data").lfs("big", large);
        hub.inject(fault);

        assertThatThrownBy(this::fetch)
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).isPresent());

        isAbsent();
    }

    @Test
    void theNextRunAfterAFailureFetchesOnlyTheRest() throws Exception {
        hub.dataset("org/data").lfs("big", large);
        var fault = hub.inject(Fault.hangUp()
                .on("/lfs/*")
                .when(request -> request.range().orElse("").startsWith("bytes=4194304-")));
        assertThatThrownBy(this::fetch).isInstanceOf(InitializerException.class);
        isAbsent();
        fault.remove();
        hub.forget();

        fetch();

        isComplete();
        assertThat(hub.bytesSent()).isLessThan(large.size());
    }

    @Test
    void aFileThatWasTruncatedByHandIsFetchedAgain() throws Exception {
        hub.dataset("org/data").lfs("big", large).file("small", "s");
        fetch();
        Files.write(directory.resolve("big"), new byte[1000]);
        hub.forget();

        fetch();

        isComplete();
        assertThat(hub.requests("*/resolve/*/small")).isEmpty();
    }

    @Test
    void afterTooManyRequestsNoneIsSentUntilTheHubAllowsIt() throws Exception {
        hub.dataset("org/data").file("a", "a").file("b", "b").file("c", "c").lfs("big", large);
        hub.inject(Fault.tooManyRequests(1).times(3));

        Fetches context = fetch();

        isComplete();
        List<RecordedRequest> requests = hub.requests();
        for (int i = 0; i < requests.size() - 1; i++) {
            if (requests.get(i).status() == 429) {
                assertThat(requests.get(i + 1).since(requests.get(i))).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            }
        }
        assertThat(context.log()).contains("all connections pause for");
    }

    @Test
    void theHeaderThatSaysWhenTheLimitIsResetIsHonouredToo() throws Exception {
        hub.dataset("org/data").file("a", "a");
        hub.inject(Fault.rateLimited(1).times(1));

        fetch();

        assertThat(hub.requests().get(1).since(hub.requests().get(0))).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void manyConnectionsAreNeverMoreThanAreAllowed() throws Exception {
        for (int i = 0; i < 60; i++) {
            hub.dataset("org/data").file("f" + i, "content " + i);
        }
        hub.inject(Fault.delay(Duration.ofMillis(20)));

        fetch();

        assertThat(hub.mostAtOnce()).isLessThanOrEqualTo(8);
        assertThat(hub.requests("*/resolve/*")).hasSize(60);
    }

    @Test
    void aHubThatStallsForEverIsToldAsStalled() {
        hub.dataset("org/data").lfs("big", large);
        hub.inject(Fault.stallAfter(1000).on("/lfs/*"));

        assertThatThrownBy(() -> Fetches.fetch(
                        data().spec(),
                        directory,
                        Map.of(),
                        Fetches.QUICK
                                .withStallTimeout(Duration.ofMillis(300))
                                .withAttempts(2, Duration.ofMillis(1), Duration.ofMillis(1))))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("Stalled"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/*", "*/resolve/*", "/lfs/*"})
    void anInterruptEndsItAtOnceWhereverItHangs(String where) throws Exception {
        hub.dataset("org/data").lfs("big", large);
        hub.inject(Fault.stallAfter(where.equals("/lfs/*") ? 1000 : 0).on(where));
        hub.inject(Fault.delay(Duration.ofMinutes(5)).on("*/resolve/*").when(request -> !where.equals("/lfs/*")));
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                Fetches.fetch(
                        data().spec(), directory, Map.of(), Fetches.QUICK.withStallTimeout(Duration.ofMinutes(5)));
                end.complete(null);
            } catch (Throwable e) {
                end.complete(e);
            }
        });
        thread.start();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (hub.requests(where).isEmpty()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(5);
        }
        Thread.sleep(100);

        long start = System.nanoTime();
        thread.interrupt();

        assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1800));
        isAbsent();
    }

    @Test
    void anOldTokenIsToldWithItsOrigin() {
        hub.dataset("org/data").file("a", "a");

        fails("Unauthorized", data().accessToken(Secret.of(CANARY)), Map.of())
                .hasMessageContaining("the Hub refuses the token of the option access_token")
                .hasMessageNotContaining(CANARY);
        fails(
                        "Unauthorized",
                        HuggingFace.dataset("hf://org/data"),
                        Map.of("HF_TOKEN", CANARY, "HF_ENDPOINT", hub.endpoint().toString()))
                .hasMessageContaining("the Hub refuses the token of the variable HF_TOKEN")
                .hasMessageNotContaining(CANARY);
    }

    @Test
    void gatedTermsAreToldWithTheAddressWhereTheyAreAccepted() {
        hub.tokens(CANARY).dataset("org/data").file("a", "a").gatedTo("hf_other");

        fails("Gated", data(), Map.of())
                .hasMessageContaining("accept its terms at " + hub.endpoint() + "/datasets/org/data")
                .hasMessageContaining("HF_TOKEN");
        fails("Gated", data().accessToken(Secret.of(CANARY)), Map.of())
                .hasMessageContaining("with the account whose token the option access_token has")
                .hasMessageNotContaining(CANARY);
    }

    @Test
    void whatIsMissingOrPrivateIsToldAsThat() {
        hub.tokens(CANARY).dataset("org/data").file("a", "a").privateTo("hf_other");

        fails("NotFound", data(), Map.of())
                .hasMessageContaining("there is no org/data")
                .hasMessageContaining("private");
        fails("NotFound", data().accessToken(Secret.of(CANARY)), Map.of())
                .hasMessageContaining("whether the token of the option access_token may read it");
        fails(
                "NotFound",
                HuggingFace.dataset("hf://no/such").endpoint(hub.endpoint().toString()),
                Map.of());
    }

    @Test
    void aRevisionThatIsNotThereIsToldAsThat() {
        hub.dataset("org/data").file("a", "a");

        fails("RevisionNotFound", data().revision("v9"), Map.of()).hasMessageContaining("has no revision 'v9'");
    }

    @Test
    void aTokenWithoutTheRightIsToldAsThat() {
        hub.tokens(CANARY).dataset("org/data").file("a", "a");
        hub.inject(Fault.status(403).on("/api/*"));

        fails("Forbidden", data().accessToken(Secret.of(CANARY)), Map.of())
                .hasMessageContaining("a fine-grained one must list this repository");
    }

    @Test
    void whatTheHubRepeatsOfTheTokenIsNotRepeated() {
        hub.tokens(CANARY).dataset("org/data").file("a", "a");
        hub.inject(Fault.error(403, "", "bad token " + CANARY));

        fails("Forbidden", data().accessToken(Secret.of(CANARY)), Map.of())
                .hasMessageContaining("bad token [hidden]")
                .hasMessageNotContaining(CANARY);
    }

    @Test
    void aTokenThatNoHeaderCanCarryIsToldWithoutIt() {
        hub.dataset("org/data").file("a", "a");

        fails("BadHeader", data().accessToken(Secret.of(CANARY + "\nX-Evil: 1")), Map.of())
                .hasMessageNotContaining(CANARY);
        assertThat(hub.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void aBlankTokenIsNone(String token) throws Exception {
        hub.dataset("org/data").file("a", "a");

        Fetches.fetch(
                HuggingFace.dataset("hf://org/data"),
                directory,
                Map.of("HF_TOKEN", token, "HF_ENDPOINT", hub.endpoint().toString()));

        assertThat(hub.requests())
                .allSatisfy(
                        request -> assertThat(request.header("Authorization")).isEmpty());
    }
}
