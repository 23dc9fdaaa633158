package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.testkit.SelfSigned;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that are known by their certificate, and users that are. */
@Timeout(120)
class CertificateTest {
    @TempDir
    private static Path directory;

    private static SelfSigned own;
    private static SelfSigned rsa;
    private static SelfSigned ec;
    private static HttpsServer server;
    private static final List<String> paths = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void open() throws Exception {
        own = SelfSigned.make(directory, "RSA", "ip:127.0.0.1");
        rsa = SelfSigned.make(directory, "RSA", "ip:127.0.0.1");
        ec = SelfSigned.make(directory, "EC", "ip:127.0.0.1");
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own.store(), SelfSigned.password());
        KeyStore known = KeyStore.getInstance("PKCS12");
        known.load(null, null);
        known.setCertificateEntry("rsa", rsa.store().getCertificate("own"));
        known.setCertificateEntry("ec", ec.store().getCertificate("own"));
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(known);
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = getSSLContext().getDefaultSSLParameters();
                ssl.setNeedClientAuth(true);
                parameters.setSSLParameters(ssl);
            }
        });
        server.createContext("/", exchange -> {
            try (exchange) {
                paths.add(exchange.getRequestURI().getPath());
                byte[] body = "{\"kind\": \"List\", \"items\": []}".getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    @AfterAll
    static void close() {
        server.stop(0);
    }

    @ParameterizedTest
    @CsvSource({"RSA, PRIVATE KEY", "RSA, RSA PRIVATE KEY", "EC, PRIVATE KEY"})
    void aUserIsKnownByACertificate(String algorithm, String form) throws Exception {
        SelfSigned user = algorithm.equals("RSA") ? rsa : ec;
        String key = form.equals("PRIVATE KEY") ? user.key() : user.olderKey(form);
        Files.writeString(directory.resolve("user.crt"), user.certificate());
        Files.writeString(directory.resolve("user.key"), key);

        try (Backend backend = Backends.of(kubeconfig(own, "client-certificate: user.crt, client-key: user.key"))) {
            assertThat(backend.list()).isEmpty();
        }
        try (Backend backend = Backends.of(kubeconfig(
                own, "client-certificate-data: " + base64(user.certificate()) + ", client-key-data: " + base64(key)))) {
            assertThat(backend.list()).isEmpty();
        }
    }

    @Test
    void aServerOfAnotherAuthorityIsNotTalkedTo() throws Exception {
        int before = paths.size();
        try (Backend backend = Backends.of(kubeconfig(rsa, "token: secret"))) {
            assertThatThrownBy(backend::list)
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("there is no secure connection to the cluster at https://127.0.0.1")
                    .hasMessageContaining("the certificate authority that the kubeconfig names");
        }
        assertThat(paths).hasSize(before);
    }

    @Test
    void aKeyThatIsNoneIsTold() throws Exception {
        Path kubeconfig = kubeconfig(
                own,
                "client-certificate-data: " + base64(rsa.certificate()) + ", client-key-data: " + base64("no key"));

        try (Backend backend = Backends.of(kubeconfig)) {
            assertThatThrownBy(backend::list)
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("kubernetes.kubeconfig");
        }
    }

    private static Path kubeconfig(SelfSigned authority, String user) throws Exception {
        return Files.writeString(directory.resolve("kubeconfig"), """
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}}]
                users: [{name: u, user: {%s}}]
                contexts: [{name: a, context: {cluster: c, user: u, namespace: team}}]
                current-context: a
                """.formatted(
                        server.getAddress().getPort(), base64(authority.certificate()), user));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
