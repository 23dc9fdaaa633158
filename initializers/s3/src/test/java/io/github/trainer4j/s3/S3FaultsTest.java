package io.github.trainer4j.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that break, change, refuse and send elsewhere. */
@Timeout(60)
class S3FaultsTest {
    private static final String OLD = "0123456789".repeat(30);
    private static final String NEW = "abcdefghij".repeat(20);

    private FakeS3 store;

    @TempDir
    private Path target;

    @BeforeEach
    void start() throws IOException {
        store = new FakeS3();
    }

    @AfterEach
    void stop() {
        store.close();
    }

    @Test
    void aBodyThatBreaksOffIsTakenUpWhereItEnded() throws Exception {
        byte[] content = OLD.getBytes(StandardCharsets.US_ASCII);
        store.put("a", OLD, "v1").fault(FakeS3.times(2, (request, reply) -> {
            String range = request.header("range");
            int from = range.startsWith("bytes=") ? Integer.parseInt(range.substring(6, range.indexOf('-'))) : -1;
            return range.endsWith("-" + (content.length - 1))
                    && reply.cut(content, from, content.length, (content.length - from) / 2);
        }));

        new Fetching().fetch(store.dataset("s3://bkt/"), target);

        assertThat(Fetching.files(target)).containsEntry("a", OLD);
    }

    @Test
    void aBodyThatAlwaysBreaksOffIsAnErrorAndLeavesNoFile() throws Exception {
        store.put("a", OLD, "v1")
                .fault((request, reply) ->
                        request.isFor("a") && reply.cut(OLD.getBytes(StandardCharsets.US_ASCII), 0, OLD.length(), 0));

        failed("s3://bkt/", "Network");
        assertThat(Fetching.files(target)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anObjectThatIsReplacedMeanwhileIsFetchedAnew(boolean heedsIfMatch) throws Exception {
        AtomicBoolean replaced = new AtomicBoolean();
        store.put("a", OLD, "v1-2").fault((request, reply) -> {
            if (request.header("range").startsWith("bytes=100-") && replaced.compareAndSet(false, true)) {
                store.put("a", NEW, "v2-2");
            }
            return false;
        });
        if (!heedsIfMatch) {
            store.ignoringIfMatch();
        }

        new Fetching().pieces(100).fetch(store.dataset("s3://bkt/"), target);

        assertThat(replaced).isTrue();
        assertThat(Fetching.files(target)).containsEntry("a", NEW);
        assertThat(store.requests().stream().filter(request -> request.isFor("a")))
                .allMatch(request -> request.header("if-match").equals("\"v1-2\"")
                        || request.header("if-match").equals("\"v2-2\""));
    }

    @Test
    void anObjectThatIsGoneMeanwhileIsListedNoMore() throws Exception {
        store.put("p/a", "p/b").fault((request, reply) -> {
            if (request.isFor("p/a")) {
                store.remove("p/a");
            }
            return false;
        });

        new Fetching().fetch(store.dataset("s3://bkt/p/"), target);

        assertThat(Fetching.files(target)).containsOnlyKeys("b");
    }

    @Test
    void serversThatStumbleAreAskedAgain() throws Exception {
        store.put("p/a")
                .fault(FakeS3.times(1, (request, reply) -> reply.error(500, "InternalError", "")))
                .fault(FakeS3.times(1, (request, reply) -> reply.error(503, "SlowDown", "")))
                .fault(FakeS3.times(1, (request, reply) -> reply.send(502, "<html>bad gateway</html>")))
                .fault(FakeS3.times(1, (request, reply) -> reply.send(200, "<ListBucketResult><Cont")));

        new Fetching().fetch(store.dataset("s3://bkt/p/"), target);

        assertThat(Fetching.files(target)).containsOnlyKeys("a");
    }

    @ParameterizedTest
    @CsvSource({
        "403, AccessDenied,          Forbidden,    s3:ListBucket",
        "403, AllAccessDisabled,     Forbidden,    anonymous=true",
        "403, InvalidAccessKeyId,    Unauthorized, access_key_id",
        "403, SignatureDoesNotMatch, Unauthorized, secret_access_key",
        "400, ExpiredToken,          Unauthorized, get new ones",
        "403, RequestTimeTooSkewed,  Unauthorized, set the clock",
        "404, NoSuchBucket,          NotFound,     check its name",
        "404, XAdminUserNotFound,    NotFound,     keys",
        "501, NotImplemented,        Refused,      endpoint",
        "400, InvalidRequest,        Refused,      endpoint",
        "307, TemporaryRedirect,     Refused,      region",
    })
    void aRefusalSaysWhatWasAskedWhereAndWhatToDo(int status, String code, String reason, String advice) {
        store.put("p/a").fault((request, reply) -> reply.error(status, code, "<Message>words of the store</Message>"));

        for (String uri : new String[] {"s3://bkt/p/", "s3://bkt/p/a"}) {
            failed(uri, reason)
                    .hasMessageContaining(uri)
                    .hasMessageContaining(store.endpoint())
                    .hasMessageContaining(code)
                    .hasMessageContaining("words of the store")
                    .hasMessageContaining(advice);
        }
        assertThat(store.requests()).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void aStoreThatRepeatsWhatItWasSentGivesNoSecretAway() {
        store.fault((request, reply) -> reply.error(
                403, "AccessDenied", "<Message>" + request.header("authorization") + " canary-key</Message>"));

        failed("s3://bkt/p/", "Forbidden").hasMessageNotContaining("canary");
    }

    @Test
    void anArchivedObjectIsCalledSo() {
        store.put("p/a").fault((request, reply) -> request.isFor("p/a") && reply.error(403, "InvalidObjectState", ""));

        failed("s3://bkt/p/", "Forbidden").hasMessageContaining("p/a").hasMessageContaining("restore it");
    }

    @Test
    void whoMayNotListButReadGetsTheObjectItNames() throws Exception {
        store.put("p/a").fault((request, reply) -> request.isListing() && reply.error(403, "AccessDenied", ""));

        new Fetching().fetch(store.dataset("s3://bkt/p/a"), target);

        assertThat(Fetching.files(target)).containsOnlyKeys("a");
    }

    @Test
    void whoIsToldForbiddenForAMissingObjectStillGetsWhatIsBelow() throws Exception {
        store.put("p/a").fault((request, reply) -> request.isFor("p") && reply.error(403, "AccessDenied", ""));

        new Fetching().fetch(store.dataset("s3://bkt/p"), target);

        assertThat(Fetching.files(target)).containsOnlyKeys("a");
        failed("s3://bkt/x/p", "Forbidden").hasMessageContaining("s3://bkt/x/p");
    }

    @Test
    void theRegionThatTheStoreNamesIsUsedUnlessOneWasGiven() throws Exception {
        store.put("p/a")
                .fault((request, reply) -> !request.header("authorization").contains("/eu-west-1/s3/")
                        && reply.header("x-amz-bucket-region", "eu-west-1").error(301, "PermanentRedirect", ""));
        Fetching fetching = new Fetching();

        fetching.fetch(store.dataset("s3://bkt/p/"), target);

        assertThat(Fetching.files(target)).containsOnlyKeys("a");
        assertThat(fetching.log()).contains("the bucket bkt is in eu-west-1, not in us-east-1");
        assertThatThrownBy(
                        () -> new Fetching().fetch(store.dataset("s3://bkt/p/").option("region", "ap-south-1"), target))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("eu-west-1")
                .hasMessageContaining("ap-south-1")
                .hasMessageContaining("region=eu-west-1");
    }

    @Test
    void aStoreThatNamesARegionInItsErrorIsHeardToo() throws Exception {
        store.put("p/a")
                .fault((request, reply) -> !request.header("authorization").contains("/garage/s3/")
                        && reply.error(400, "AuthorizationHeaderMalformed", "<Region>garage</Region>"));

        new Fetching().fetch(store.dataset("s3://bkt/p/"), target);

        assertThat(Fetching.files(target)).containsOnlyKeys("a");
    }

    @Test
    void aStoreThatSendsFromRegionToRegionIsAnErrorAndNoLoop() {
        store.fault((request, reply) -> reply.header(
                        "x-amz-bucket-region", request.header("authorization").contains("/r1/") ? "r2" : "r1")
                .error(301, "PermanentRedirect", ""));

        failed("s3://bkt/p/", "NotFound").hasMessageContaining("region");
        assertThat(store.requests()).hasSize(2);
    }

    @Test
    void aWebPageIsNoStore() {
        store.fault((request, reply) ->
                reply.header("Content-Type", "text/html; charset=utf-8").send(200, "<!doctype html><p>Log in"));

        failed("s3://bkt/p/", "NotFound").hasMessageContaining("web page").hasMessageContaining(store.endpoint());
    }

    @Test
    void anEndpointWithoutSchemeThatSpeaksPlainHttpIsToldSo() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread plain = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    // The client is gone.
                }
            });
            plain.start();
            String address = "127.0.0.1:" + server.getLocalPort();
            InitializerSpec spec = at(address).spec();

            assertThatThrownBy(() -> new Fetching().fetch(spec, target))
                    .isInstanceOf(InitializerException.class)
                    .hasMessageContaining("taken as https")
                    .hasMessageContaining(address)
                    .hasMessageContaining("write http://");
            plain.join();
        }
    }

    @Test
    void aBucketsHostThatDoesNotExistHintsAtThePath() {
        InitializerSpec spec = at("http://store.invalid").pathStyle(false).spec();

        assertThatThrownBy(() -> new Fetching().fetch(spec, target))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("bkt.store.invalid")
                .hasMessageContaining("path_style");
    }

    @Test
    void aStoreThatIsNotThereIsNamed() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        InitializerSpec spec = at("http://127.0.0.1:" + port).spec();

        assertThatThrownBy(() -> new Fetching().fetch(spec, target))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("Network"))
                .hasMessageContaining("s3://bkt/p/ at http://127.0.0.1:" + port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://bkt/p/", "s3://bkt/p/a"})
    void anInterruptEndsAStoreThatNeverAnswers(String uri) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        store.put("p/a").fault((request, reply) -> {
            asked.countDown();
            try {
                return over.await(50, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return true;
            }
        });
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                new Fetching().fetch(store.dataset(uri), target);
                end.complete(new AssertionError("it ended well"));
            } catch (Throwable e) {
                end.complete(e);
            }
        });
        thread.start();
        assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();

        long start = System.nanoTime();
        thread.interrupt();

        assertThat(end.get(40, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        over.countDown();
    }

    private static S3 at(String endpoint) {
        return S3.dataset("s3://bkt/p/").endpoint(endpoint).credentials(Secret.of("id"), Secret.of("key"));
    }

    private AbstractThrowableAssert<?, ?> failed(String uri, String reason) {
        return assertThatThrownBy(() -> new Fetching().fetch(store.dataset(uri), target))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains(reason));
    }
}
