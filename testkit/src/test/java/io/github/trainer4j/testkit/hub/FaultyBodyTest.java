package io.github.trainer4j.testkit.hub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.testkit.hub.Http.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes wrong after the head of an answer. */
class FaultyBodyTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Content BIG = Content.generated(1, 100_000);
    private static final String FILE = "/m/resolve/main/big.bin";

    private final FakeHub hub = FakeHub.start();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void fill() {
        hub.model("m").lfs("big.bin", BIG).file("small.txt", "0123456789");
    }

    @AfterEach
    void close() {
        hub.close();
        threads.shutdownNow();
    }

    @Test
    void aBodyIsCutAndTheNextAnswerIsWhole() throws IOException {
        InjectedFault cut = hub.inject(Fault.cutAfter(60_000).on("*/big.bin").times(1));

        Reply first = Http.follow(hub.endpoint(), FILE);
        Reply second = Http.follow(hub.endpoint(), FILE);

        assertThat(first.header("Content-Length")).isEqualTo("100000");
        assertThat(first.body()).isEqualTo(Arrays.copyOf(BIG.bytes(), 60_000));
        assertThat(second.body()).isEqualTo(BIG.bytes());
        assertThat(cut.hits()).isEqualTo(1);
        assertThat(hub.bytesSent()).isEqualTo(160_000);
    }

    @Test
    void aCutPassesOverBodiesThatEndBeforeIt() throws IOException {
        InjectedFault cut = hub.inject(Fault.cutAfter(10));

        assertThat(Http.get(hub.endpoint(), "/m/resolve/main/small.txt").text()).isEqualTo("0123456789");
        assertThat(Http.head(hub.endpoint(), "/m/resolve/main/small.txt").status())
                .isEqualTo(200);
        assertThat(Http.get(hub.endpoint(), FILE).status()).isEqualTo(302);
        assertThat(cut.hits()).isZero();
    }

    @Test
    void aConnectionIsReset() throws IOException {
        hub.inject(Fault.resetAfter(5));

        try (Socket socket = request("/m/resolve/main/small.txt")) {
            assertThatThrownBy(() -> {
                        while (socket.getInputStream().read() >= 0) {
                            // Whatever arrived before the reset may still be read.
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
    }

    @Test
    void aStalledBodyGoesOnWhenReleased() throws Exception {
        hub.inject(Fault.stallAfter(1024).on("*big.bin"));
        Future<Reply> download = threads.submit(() -> Http.follow(hub.endpoint(), FILE));

        assertThat(hub.awaitStalled(1, LONG)).isTrue();
        assertThat(download.isDone()).isFalse();
        assertThat(hub.bytesSent()).isEqualTo(1024);
        hub.releaseStalls();

        assertThat(download.get(20, TimeUnit.SECONDS).body()).isEqualTo(BIG.bytes());
        assertThat(hub.stalled()).isZero();
    }

    @Test
    void aStallSendsItsFirstBytesAndThenNothing() throws Exception {
        hub.inject(Fault.stallAfter(4).on("*small.txt"));

        try (Socket socket = request("/m/resolve/main/small.txt")) {
            InputStream in = socket.getInputStream();
            assertThat(head(in)).contains("Content-Length: 10");
            assertThat(in.readNBytes(4)).isEqualTo("0123".getBytes(UTF_8));
            assertThat(hub.awaitStalled(1, LONG)).isTrue();
            assertThat(in.available()).isZero();
        }
    }

    @Test
    void aStallEndsWhenTheClientGivesUp() throws Exception {
        hub.inject(Fault.stallAfter(0));
        Socket socket = request("/m/resolve/main/small.txt");
        assertThat(hub.awaitStalled(1, LONG)).isTrue();

        socket.close();

        assertThat(hub.awaitStalled(0, LONG)).isTrue();
    }

    @Test
    void bytesComeNoFasterThanTheRate() throws IOException {
        hub.inject(Fault.bytesPerSecond(200_000).at(Origin.CDN));
        long start = System.nanoTime();

        Reply reply = Http.follow(hub.endpoint(), FILE);

        assertThat(reply.body()).isEqualTo(BIG.bytes());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(450), LONG);
    }

    @Test
    void theFirstByteIsDelayed() throws IOException {
        hub.inject(Fault.delay(Duration.ofMillis(300)).times(1));
        long start = System.nanoTime();

        Reply reply = Http.get(hub.endpoint(), "/m/resolve/main/small.txt");

        assertThat(reply.text()).isEqualTo("0123456789");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(300), LONG);
    }

    @Test
    void aByteIsCorruptButOnlyInRangesThatHoldIt() throws IOException {
        InjectedFault corrupt = hub.inject(Fault.corruptByteAt(7));

        String whole = Http.get(hub.endpoint(), "/m/resolve/main/small.txt").text();
        String before = Http.get(hub.endpoint(), "/m/resolve/main/small.txt", "Range: bytes=0-6")
                .text();
        String around = Http.get(hub.endpoint(), "/m/resolve/main/small.txt", "Range: bytes=6-8")
                .text();

        assertThat(whole).isEqualTo("0123456689");
        assertThat(before).isEqualTo("0123456");
        assertThat(around).isEqualTo("668");
        assertThat(corrupt.hits()).isEqualTo(2);
    }

    @Test
    void aLengthIsOverstated() throws Exception {
        hub.inject(Fault.contentLength(15));

        try (Socket socket = request("/m/resolve/main/small.txt")) {
            InputStream in = socket.getInputStream();
            assertThat(head(in)).contains("Content-Length: 15\r\n");
            assertThat(in.readAllBytes()).isEqualTo("0123456789".getBytes(UTF_8));
        }
    }

    @Test
    void aLengthIsUnderstatedInBodiesAndHeads() throws IOException {
        hub.inject(Fault.contentLength(3));

        try (Socket socket = request("/m/resolve/main/small.txt")) {
            InputStream in = socket.getInputStream();
            assertThat(head(in)).contains("Content-Length: 3\r\n");
            assertThat(in.readAllBytes()).isEqualTo("0123456789".getBytes(UTF_8));
        }
        assertThat(Http.head(hub.endpoint(), "/m/resolve/main/small.txt").header("Content-Length"))
                .isEqualTo("3");
    }

    @Test
    void aBodyComesInChunksWithoutALength() throws IOException {
        hub.inject(Fault.chunked());

        Reply reply = Http.follow(hub.endpoint(), FILE);

        assertThat(reply.header("Transfer-Encoding")).isEqualTo("chunked");
        assertThat(reply.header("Content-Length")).isEmpty();
        assertThat(reply.body()).isEqualTo(BIG.bytes());
    }

    @Test
    void aCutInChunksIsNoticedAndOneBeforeTheCloseIsNot() throws IOException {
        InjectedFault chunked = hub.inject(Fault.cutAfter(50_000).and(Fault.chunked()));
        Reply inChunks = Http.follow(hub.endpoint(), FILE);
        chunked.remove();
        hub.inject(Fault.cutAfter(50_000).and(Fault.untilClose()));
        Reply untilClose = Http.follow(hub.endpoint(), FILE);

        assertThat(inChunks.broken()).isPresent();
        assertThat(untilClose.broken()).isEmpty();
        assertThat(untilClose.header("Content-Length")).isEmpty();
        assertThat(untilClose.body()).isEqualTo(Arrays.copyOf(BIG.bytes(), 50_000));
    }

    @Test
    void aBodyIsCompressedOnlyForAClientThatTakesIt() throws IOException {
        hub.inject(Fault.gzip().and(Fault.chunked()));

        Reply plain = Http.get(hub.endpoint(), "/m/resolve/main/small.txt", "Accept-Encoding: identity");
        Reply packed = Http.get(hub.endpoint(), "/m/resolve/main/small.txt", "Accept-Encoding: gzip, deflate");
        Reply range =
                Http.get(hub.endpoint(), "/m/resolve/main/small.txt", "Accept-Encoding: gzip", "Range: bytes=1-2");

        assertThat(plain.text()).isEqualTo("0123456789");
        assertThat(plain.header("Content-Length")).isEqualTo("10");
        assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(packed.header("Content-Length")).isEmpty();
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
            assertThat(in.readAllBytes()).isEqualTo("0123456789".getBytes(UTF_8));
        }
        assertThat(range.text()).isEqualTo("12");
    }

    @Test
    void aConnectionIsClosedWithoutAnAnswer() throws Exception {
        hub.inject(Fault.hangUp().times(1));

        try (Socket socket = request("/m/resolve/main/small.txt")) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(hub.requests()).extracting(RecordedRequest::status).containsExactly(0);
        assertThat(Http.get(hub.endpoint(), "/m/resolve/main/small.txt").status())
                .isEqualTo(200);
    }

    private Socket request(String target) throws IOException {
        Socket socket = Http.connect(hub.endpoint());
        socket.getOutputStream().write(("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(UTF_8));
        return socket;
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        return head.toString();
    }
}
