package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.transport.DockerHttpClient;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EngineHttpTest {
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private ServerSocket server;
    private Thread serving;
    private EngineHttp http;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        http = new EngineHttp(
                new EngineAddress(URI.create("tcp://127.0.0.1:" + server.getLocalPort()), Optional.empty(), "test"),
                Optional.empty());
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        http.close();
        server.close();
        if (serving != null) {
            serving.join();
        }
    }

    @Test
    void aBodyOfKnownLengthIsRead() throws IOException {
        answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more");

        try (DockerHttpClient.Response response = get("/x")) {
            assertThat(response.getStatusCode()).isEqualTo(200);
            assertThat(response.getBody().readAllBytes())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("hello");
        }
    }

    @Test
    void aBodyInChunksIsRead() throws IOException {
        answer("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nA: b\r\n\r\n");

        try (DockerHttpClient.Response response = get("/x")) {
            assertThat(response.getBody().readAllBytes())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("hello");
        }
    }

    @Test
    void aBodyThatIsCutOffIsNoEnd() throws IOException {
        answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel");
        try (DockerHttpClient.Response response = get("/x")) {
            assertThatThrownBy(() -> response.getBody().readAllBytes()).isInstanceOf(EOFException.class);
        }
        answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello");
        try (DockerHttpClient.Response response = get("/x")) {
            assertThatThrownBy(() -> response.getBody().readAllBytes()).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void anAnswerWithoutBodyHasNone() throws IOException {
        answer("HTTP/1.1 204 No Content\r\n\r\n");

        try (DockerHttpClient.Response response = get("/x")) {
            assertThat(response.getStatusCode()).isEqualTo(204);
            assertThat(response.getBody().readAllBytes()).isEmpty();
        }
    }

    @Test
    void whatComesBeforeTheAnswerIsSkipped() throws IOException {
        answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

        try (DockerHttpClient.Response response = get("/x")) {
            assertThat(response.getStatusCode()).isEqualTo(200);
        }
    }

    @Test
    void whoSpeaksNoHttpIsNoEngine() throws IOException {
        answer("SSH-2.0-OpenSSH\r\n");

        assertThatThrownBy(() -> get("/x"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("this is no engine");
    }

    @Test
    void aRequestIsWrittenWhole() throws Exception {
        answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        http.execute(DockerHttpClient.Request.builder()
                        .method("POST")
                        .path("/containers/create?name=a")
                        .putAllHeaders(Map.of("Content-Type", "application/json"))
                        .bodyBytes("{}".getBytes(StandardCharsets.UTF_8))
                        .build())
                .close();

        assertThat(received.poll(20, TimeUnit.SECONDS))
                .startsWith("POST /containers/create?name=a HTTP/1.1\r\n")
                .contains("Content-Type: application/json\r\n", "Content-Length: 2\r\n");
    }

    @Test
    void aBodyOfUnknownLengthGoesInChunks() throws Exception {
        answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        http.execute(DockerHttpClient.Request.builder()
                        .method("PUT")
                        .path("/archive")
                        .body(new ByteArrayInputStream(new byte[] {65, 66}))
                        .build())
                .close();

        assertThat(received.poll(20, TimeUnit.SECONDS))
                .contains("Transfer-Encoding: chunked\r\n")
                .endsWith("\r\n\r\n2\r\nAB\r\n0\r\n\r\n");
    }

    @Test
    void aHeaderCannotSmuggleAnother() throws IOException {
        answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

        assertThatThrownBy(() -> http.execute(DockerHttpClient.Request.builder()
                        .method("GET")
                        .path("/x\r\nX-Evil: 1")
                        .build()))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void closingAResponseEndsAReadInAnotherThread() throws Exception {
        answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        DockerHttpClient.Response response = get("/events");
        AtomicReference<Throwable> ended = new AtomicReference<>();
        Thread reading = new Thread(() -> {
            try {
                response.getBody().read();
            } catch (IOException e) {
                ended.set(e);
            }
        });
        reading.start();
        Thread.sleep(200);

        response.close();
        reading.join(20_000);

        assertThat(reading.isAlive()).isFalse();
        assertThat(ended.get()).isNotNull();
    }

    @Test
    void closingTheClientEndsWhatIsOpen() throws Exception {
        answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        DockerHttpClient.Response response = get("/events");

        http.close();

        assertThatThrownBy(() -> response.getBody().read()).isInstanceOf(IOException.class);
    }

    private static String request(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (!text.toString().endsWith("\r\n\r\n")) {
            text.append(next(in));
        }
        if (text.indexOf("chunked") > 0) {
            while (!text.toString().endsWith("0\r\n\r\n")) {
                text.append(next(in));
            }
        }
        return text.toString();
    }

    private static char next(InputStream in) throws IOException {
        int read = in.read();
        if (read < 0) {
            throw new EOFException("the client has gone before its request was whole");
        }
        return (char) read;
    }

    private DockerHttpClient.Response get(String path) {
        return http.execute(
                DockerHttpClient.Request.builder().method("GET").path(path).build());
    }

    /** Answers the next request with these bytes; whoever wants to be cut off says so by their end. */
    private void answer(String bytes) {
        boolean open = bytes.endsWith("chunked\r\n\r\n");
        serving = new Thread(() -> {
            try (Socket socket = server.accept()) {
                received.add(request(socket.getInputStream()));
                socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
                if (open) {
                    // Until the client has gone.
                    assertThat(socket.getInputStream().read()).isLessThan(0);
                }
            } catch (IOException e) {
                // The client has gone.
                return;
            }
        });
        serving.start();
    }
}
