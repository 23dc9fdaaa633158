package io.github.trainer4j.transfer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.Secret;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpClientTest {
    private static final Optional<Secret> TOKEN = Optional.of(Secret.of("Bearer canary"));

    private final List<RawServer> servers = new ArrayList<>();
    private final HttpClient client = client(Duration.ofSeconds(20));

    private static HttpClient client(Duration timeout) {
        return new HttpClient(HttpSettings.of(timeout, Map.of()));
    }

    @AfterEach
    void closeAll() throws IOException {
        client.close();
        for (RawServer server : servers) {
            server.close();
        }
    }

    private RawServer serving(RawServer.Answer answer) throws IOException {
        RawServer server = new RawServer(answer);
        servers.add(server);
        return server;
    }

    private RawServer saying(String text) throws IOException {
        return serving((request, out) -> {
            out.write(RawServer.bytes(text));
            return true;
        });
    }

    @Test
    void aRequestSaysWhatItWantsAndWhoItIs() throws Exception {
        RawServer server = saying("HTTP/1.1 200 OK\nContent-Length: 2\n\nok");

        HttpResponse response = client.send(HttpRequest.get(server.uri("/a%20b//c/../d?x=%2B&y"))
                .header("X-Mine", "1")
                .range(5, 10)
                .authorization(TOKEN));

        assertThat(response.text(100)).isEqualTo("ok");
        assertThat(server.requests)
                .singleElement()
                .asString()
                .startsWith("GET /a%20b//c/../d?x=%2B&y HTTP/1.1\r\n")
                .contains("Host: 127.0.0.1:" + server.port() + "\r\n")
                .contains("Accept-Encoding: identity\r\n")
                .contains("User-Agent: trainer4j")
                .contains("X-Mine: 1\r\n")
                .contains("Range: bytes=5-9\r\n")
                .contains("Authorization: Bearer canary\r\n");
    }

    @Test
    void aHeaderOfTheRequestStandsInForTheClientsOwn() throws Exception {
        RawServer server = saying("HTTP/1.1 200 OK\nContent-Length: 0\n\n");

        client.send(HttpRequest.get(server.uri("/")).header("host", "signed.example"))
                .close();

        assertThat(server.requests.get(0)).contains("signed.example").doesNotContain("127.0.0.1");
    }

    @Test
    void aConnectionIsUsedAgainWhenItsAnswerIsReadToTheEnd() throws Exception {
        RawServer server = saying("HTTP/1.1 200 OK\nContent-Length: 2\n\nok");

        for (int i = 0; i < 5; i++) {
            assertThat(client.send(HttpRequest.get(server.uri("/"))).text(10)).isEqualTo("ok");
        }

        assertThat(server.connections).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\nConnection: close\nContent-Length: 2\n\nok",
                "HTTP/1.0 200 OK\nContent-Length: 2\n\nok"
            })
    void aConnectionThatTheServerEndsIsNotUsedAgain(String text) throws Exception {
        RawServer server = saying(text);

        client.send(HttpRequest.get(server.uri("/"))).text(10);
        client.send(HttpRequest.get(server.uri("/"))).text(10);

        assertThat(server.connections).hasValue(2);
    }

    @Test
    void aConnectionThatDiedWhileIdleIsReplacedWithoutAWord() throws Exception {
        RawServer server = serving((request, out) -> {
            out.write(RawServer.bytes("HTTP/1.1 200 OK\nContent-Length: 2\n\nok"));
            return false;
        });

        for (int i = 0; i < 3; i++) {
            assertThat(client.send(HttpRequest.get(server.uri("/"))).text(10)).isEqualTo("ok");
        }

        assertThat(server.connections).hasValue(3);
    }

    @Test
    void aFreshConnectionThatIsClosedWithoutAnAnswerIsNotTriedAgain() throws Exception {
        RawServer server = serving((request, out) -> false);

        assertThatThrownBy(() -> client.send(HttpRequest.get(server.uri("/"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ended before the answer");

        assertThat(server.requests).hasSize(1);
    }

    @Test
    void chunksAreJoined() throws Exception {
        String chunks = "3\r\nabc\r\nA;ext=1\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";
        RawServer server = saying("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n" + chunks);

        assertThat(client.send(HttpRequest.get(server.uri("/"))).text(100)).isEqualTo("abc0123456789");
        assertThat(client.send(HttpRequest.get(server.uri("/"))).text(100)).isEqualTo("abc0123456789");
        assertThat(server.connections).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\nContent-Length: 20\n\nonly this",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n14\r\nonly this",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n4\r\nonly this",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n9\r\nonly this\r\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nxyz\r\n",
                "HTTP/1.1 200 OK\nContent-Length: nonsense\n\n",
                "SSH-2.0-OpenSSH\n\n",
                "HTTP/2 200\n\n",
                "HTTP/1.1 200 OK\nno colon\n\n"
            })
    void anAnswerThatBreaksOffOrMakesNoSenseIsAnError(String text) throws Exception {
        RawServer server = serving((request, out) -> {
            out.write(RawServer.bytes(text));
            return false;
        });

        assertThatThrownBy(() -> client.send(HttpRequest.get(server.uri("/"))).text(1000))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aHeadWithoutEndIsNotReadForEver() throws Exception {
        RawServer server = serving((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            for (int i = 0; i < 100_000; i++) {
                out.write("X-Header: xxxxxxxxxxxxxxxx\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            }
            return false;
        });

        assertThatThrownBy(() -> client.send(HttpRequest.get(server.uri("/"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("head has more than");
    }

    @Test
    void anAnswerWithoutALengthGoesOnUntilTheConnectionEnds() throws Exception {
        RawServer server = serving((request, out) -> {
            out.write(RawServer.bytes("HTTP/1.1 200 OK\n\nall of it"));
            return false;
        });

        assertThat(client.send(HttpRequest.get(server.uri("/"))).text(100)).isEqualTo("all of it");
    }

    @Test
    void whatComesBeforeTheAnswerIsPassedOver() throws Exception {
        RawServer server =
                saying("HTTP/1.1 103 Early Hints\nLink: x\n\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

        assertThat(client.send(HttpRequest.get(server.uri("/"))).text(10)).isEqualTo("ok");
    }

    @Test
    void aTextThatIsCompressedOrTooLongIsAnError() throws Exception {
        RawServer compressed = saying("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 2\n\nok");
        RawServer tooLong = saying("HTTP/1.1 200 OK\nContent-Length: 20000\n\n" + "x".repeat(20_000));

        assertThatThrownBy(
                        () -> client.send(HttpRequest.get(compressed.uri("/"))).text(10))
                .hasMessageContaining("compressed (gzip)");
        assertThatThrownBy(() -> client.send(HttpRequest.get(tooLong.uri("/"))).text(10_000))
                .hasMessageContaining("more than 10000 bytes");
    }

    @Test
    void aRedirectWithinTheOriginKeepsTheAuthorizationAndOneBeyondDropsItForGood() throws Exception {
        AtomicInteger homePort = new AtomicInteger();
        RawServer away = serving((request, out) -> {
            out.write(RawServer.bytes(
                    "HTTP/1.1 307 X\nContent-Length: 0\nLocation: http://127.0.0.1:" + homePort.get() + "/end\n\n"));
            return true;
        });
        RawServer home = serving((request, out) -> {
            String location = request.startsWith("GET /start ")
                    ? "/second"
                    : away.uri("/away?sig=1").toString();
            out.write(RawServer.bytes(
                    request.startsWith("GET /end ")
                            ? "HTTP/1.1 200 OK\nContent-Length: 3\n\nend"
                            : "HTTP/1.1 302 Found\nX-Seen: yes\nContent-Length: 4\nLocation: " + location
                                    + "\n\nbody"));
            return true;
        });
        homePort.set(home.port());

        HttpResponse response = client.follow(
                HttpRequest.get(home.uri("/start")).header("Range", "bytes=0-1").authorization(TOKEN));

        assertThat(response.text(10)).isEqualTo("end");
        assertThat(response.redirects())
                .extracting(HttpResponse.Redirect::status)
                .containsExactly(302, 302, 307);
        assertThat(response.redirects().get(0).header("x-seen")).contains("yes");
        assertThat(home.requests.get(0)).contains("canary");
        assertThat(home.requests.get(1)).startsWith("GET /second").contains("canary");
        assertThat(away.requests.get(0))
                .startsWith("GET /away?sig=1 ")
                .doesNotContain("canary")
                .contains("bytes=0-1");
        assertThat(home.requests.get(2)).startsWith("GET /end").doesNotContain("canary");
    }

    @Test
    void aRoundOfRedirectsHasAnEnd() throws Exception {
        RawServer server = saying("HTTP/1.1 302 Found\nContent-Length: 0\nLocation: /again\n\n");

        assertThatThrownBy(() -> client.follow(HttpRequest.get(server.uri("/"))))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("more than 10 times");
    }

    @Test
    void aHeaderThatWouldBreakTheRequestIsRefusedWithoutItsValue() {
        URI uri = URI.create("http://127.0.0.1/");

        assertThatThrownBy(
                        () -> HttpRequest.get(uri).authorization(Optional.of(Secret.of("Bearer canary\r\nX-Evil: 1"))))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("the header Authorization has a character that cannot be sent")
                .hasMessageNotContaining("canary");
        assertThatThrownBy(() -> HttpRequest.get(uri).header("A b", "x")).isInstanceOf(InitializerException.class);
        assertThat(HttpRequest.get(uri).authorization(TOKEN).toString()).doesNotContain("canary");
    }

    @Test
    void aServerThatIsNotThereIsToldWithItsAddress() {
        assertThatThrownBy(() -> client.send(HttpRequest.get(URI.create("http://127.0.0.1:1/"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot connect to 127.0.0.1:1");
        assertThatThrownBy(() -> client.send(HttpRequest.get(URI.create("http://no-such-host.invalid/"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such-host.invalid is not known");
    }

    @Test
    void aServerThatSaysNothingIsWaitedForABoundedWhile() throws Exception {
        RawServer server = serving((request, out) -> {
            Thread.sleep(30_000);
            return false;
        });
        try (HttpClient impatient = client(Duration.ofMillis(200))) {
            assertThatThrownBy(() -> impatient.send(HttpRequest.get(server.uri("/"))))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\nContent-Length: 100\n\nsome",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n64\r\nsome"
            })
    void closingTheClientEndsAReadThatHangs(String beginning) throws Exception {
        RawServer server = serving((request, out) -> {
            out.write(beginning.isEmpty() ? new byte[0] : RawServer.bytes(beginning));
            out.flush();
            Thread.sleep(60_000);
            return false;
        });
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                client.send(HttpRequest.get(server.uri("/"))).text(1000);
                end.complete(null);
            } catch (Throwable e) {
                end.complete(e);
            }
        });
        thread.start();
        while (server.requests.isEmpty()) {
            Thread.sleep(2);
        }
        Thread.sleep(50);

        long start = System.nanoTime();
        client.close();

        assertThat(end.get(10, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        assertThatThrownBy(() -> client.send(HttpRequest.get(server.uri("/"))))
                .hasMessageContaining("the client is closed");
    }

    @Test
    void anAnswerCanBeCutOffAloneAndDoesNoHarmLater() throws Exception {
        RawServer server = saying("HTTP/1.1 200 OK\nContent-Length: 2\n\nok");
        HttpResponse first = client.send(HttpRequest.get(server.uri("/")));
        first.text(10);
        HttpResponse second = client.send(HttpRequest.get(server.uri("/")));

        first.abort();

        assertThat(second.text(10)).isEqualTo("ok");
        assertThat(server.connections).hasValue(1);
    }
}
