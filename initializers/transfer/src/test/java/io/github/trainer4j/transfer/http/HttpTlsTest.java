package io.github.trainer4j.transfer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpTlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static SSLContext good;
    private static SSLContext forAnotherHost;

    private RawServer server;
    private HttpClient client;

    @BeforeAll
    static void makeCertificates(@TempDir Path directory) throws Exception {
        good = context(directory.resolve("good.p12"), "ip:127.0.0.1,dns:localhost");
        forAnotherHost = context(directory.resolve("other.p12"), "dns:other.example");
    }

    private static SSLContext context(Path file, String names) throws Exception {
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=test",
                        "-ext",
                        "san=" + names,
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD)))
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    @AfterEach
    void closeAll() throws IOException {
        client.close();
        server.close();
    }

    private void serve(SSLContext with, RawServer.Answer answer) throws IOException {
        server = new RawServer(
                with.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                "https",
                answer);
    }

    private void trusting(SSLSocketFactory whom, Map<String, String> environment) {
        client = new HttpClient(HttpSettings.of(Duration.ofSeconds(20), environment), () -> whom);
    }

    private static boolean ok(String request, OutputStream out) throws IOException {
        out.write(RawServer.bytes("HTTP/1.1 200 OK\nContent-Length: 2\n\nok"));
        return true;
    }

    @Test
    void aServerWithATrustedCertificateIsSpokenToOverOneConnection() throws Exception {
        serve(good, HttpTlsTest::ok);
        trusting(good.getSocketFactory(), Map.of());

        assertThat(client.send(HttpRequest.get(server.uri("/"))).text(10)).isEqualTo("ok");
        assertThat(client.send(HttpRequest.get(server.uri("/"))).text(10)).isEqualTo("ok");

        assertThat(server.connections).hasValue(1);
    }

    @Test
    void aCertificateThatNobodyTrustsIsRefused() throws Exception {
        serve(good, HttpTlsTest::ok);
        trusting((SSLSocketFactory) SSLSocketFactory.getDefault(), Map.of());

        assertThatThrownBy(() -> client.send(HttpRequest.get(server.uri("/")))).isInstanceOf(SSLException.class);

        assertThat(server.requests).isEmpty();
    }

    @Test
    void aCertificateOfAnotherHostIsRefused() throws Exception {
        serve(forAnotherHost, HttpTlsTest::ok);
        trusting(forAnotherHost.getSocketFactory(), Map.of());

        assertThatThrownBy(() -> client.send(HttpRequest.get(server.uri("/")))).isInstanceOf(SSLException.class);

        assertThat(server.requests).isEmpty();
    }

    @Test
    void aRedirectFromHttpsToHttpIsNotFollowed() throws Exception {
        serve(good, (request, out) -> {
            out.write(RawServer.bytes("HTTP/1.1 302 X\nContent-Length: 0\nLocation: http://127.0.0.1:1/x\n\n"));
            return true;
        });
        trusting(good.getSocketFactory(), Map.of());

        assertThatThrownBy(() -> client.follow(HttpRequest.get(server.uri("/"))))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("redirects from https to http");
    }

    @Test
    void closingTheClientEndsAReadThatHangs() throws Exception {
        serve(good, (request, out) -> {
            out.write(RawServer.bytes("HTTP/1.1 200 OK\nContent-Length: 100\n\nsome"));
            out.flush();
            Thread.sleep(60_000);
            return false;
        });
        trusting(good.getSocketFactory(), Map.of());
        HttpResponse response = client.send(HttpRequest.get(server.uri("/")));
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                response.text(1000);
                end.complete(null);
            } catch (Throwable e) {
                end.complete(e);
            }
        });
        thread.start();
        Thread.sleep(100);

        long start = System.nanoTime();
        client.close();

        assertThat(end.get(10, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void aProxyTunnelsWhatItCannotRead() throws Exception {
        serve(good, HttpTlsTest::ok);
        int port = server.port();
        try (RawServer proxy = new RawServer(HttpTlsTest::tunnel)) {
            // Loopback is never proxied, so the server goes by another name, which only the proxy knows.
            Map<String, String> environment = Map.of("HTTPS_PROXY", "http://me:p%40ss@127.0.0.1:" + proxy.port());
            trusting(good.getSocketFactory(), environment);

            assertThatThrownBy(() -> client.send(HttpRequest.get(URI.create("https://behind.example:" + port + "/"))))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("behind.example");

            assertThat(proxy.requests)
                    .singleElement()
                    .asString()
                    .startsWith("CONNECT behind.example:" + port + " HTTP/1.1\r\n")
                    .contains("Proxy-Authorization: Basic bWU6cEBzcw==\r\n");
        }
    }

    @Test
    void aProxyThatRefusesIsToldWithoutItsPassword() throws Exception {
        serve(good, HttpTlsTest::ok);
        try (RawServer proxy = RawServer.saying("HTTP/1.1 407 Login\nContent-Length: 0\n\n")) {
            trusting(good.getSocketFactory(), Map.of("https_proxy", "http://me:canary@127.0.0.1:" + proxy.port()));

            assertThatThrownBy(() -> client.send(HttpRequest.get(URI.create("https://behind.example/"))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("status 407; give its user and password in HTTPS_PROXY")
                    .hasMessageNotContaining("canary");
        }
    }

    /** Connects to the port that is asked for on this machine and passes bytes both ways. */
    private static boolean tunnel(String request, OutputStream out) throws IOException {
        int port = Integer.parseInt(request.replaceAll("(?s)CONNECT [^:]+:(\\d+) .*", "$1"));
        Socket target = new Socket(InetAddress.getLoopbackAddress(), port);
        out.write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        out.flush();
        Thread back = new Thread(() -> {
            try (target) {
                target.getInputStream().transferTo(out);
            } catch (IOException e) {
                // One side closed.
            }
        });
        back.setDaemon(true);
        back.start();
        RawServer.current().transferTo(target.getOutputStream());
        return false;
    }
}
