package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.testkit.SelfSigned;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsFilesTest {
    @TempDir
    private static Path keys;

    private static SelfSigned rsa;
    private static SelfSigned ec;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makesKeys() throws Exception {
        rsa = SelfSigned.make(keys, "RSA", "dns:localhost");
        ec = SelfSigned.make(keys, "EC", "dns:elsewhere.test");
    }

    @ParameterizedTest
    @CsvSource({"RSA,PRIVATE KEY", "RSA,RSA PRIVATE KEY", "EC,PRIVATE KEY", "EC,EC PRIVATE KEY"})
    void keysOfAllFormsAreRead(String algorithm, String form) throws Exception {
        SelfSigned files = algorithm.equals("RSA") ? rsa : ec;
        String key = form.equals("PRIVATE KEY") ? files.key() : files.olderKey(form);
        // As openssl writes it for curves.
        String before = form.startsWith("EC") ? SelfSigned.pem("EC PARAMETERS", new byte[] {6, 1, 1}) : "some text\n";
        write(directory, files.certificate(), files.certificate(), before + key);

        assertThat(new TlsFiles(directory).context().getProtocol()).isEqualTo("TLS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ca.pem", "cert.pem", "key.pem"})
    void aMissingFileIsNamed(String name) throws Exception {
        write(directory, rsa.certificate(), rsa.certificate(), rsa.key());
        Files.delete(directory.resolve(name));

        assertThatThrownBy(() -> new TlsFiles(directory).context())
                .isInstanceOf(EngineException.class)
                .hasMessageContaining(directory.resolve(name) + " is missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ca.pem|nothing|has no certificate",
                "cert.pem|-----BEGIN CERTIFICATE-----\\nAAAA\\n-----END CERTIFICATE-----|cannot be read as a certificate",
                "key.pem|nothing|there is no private key in it",
                "key.pem|-----BEGIN PRIVATE KEY-----\\nAAAA\\n-----END PRIVATE KEY-----|cannot be read as the RSA key",
                "key.pem|-----BEGIN ENCRYPTED PRIVATE KEY-----\\nAAAA\\n-----END ENCRYPTED PRIVATE KEY-----|is encrypted",
                "key.pem|-----BEGIN RSA PRIVATE KEY-----\\nProc-Type: 4,ENCRYPTED\\n\\nAAAA\\n-----END RSA PRIVATE KEY-----|is encrypted",
            })
    void aWrongFileIsNamed(String name, String text, String problem) throws Exception {
        write(directory, rsa.certificate(), rsa.certificate(), rsa.key());
        Files.writeString(directory.resolve(name), text.replace("\\n", "\n"));

        assertThatThrownBy(() -> new TlsFiles(directory).context())
                .isInstanceOf(EngineException.class)
                .hasMessageContaining(directory.resolve(name).toString())
                .hasMessageContaining(problem);
    }

    @Test
    void aKeyOfAnotherCertificateIsToldWithoutIt() throws Exception {
        SelfSigned other = SelfSigned.make(keys, "RSA", "dns:other");
        write(directory, rsa.certificate(), rsa.certificate(), other.key());

        assertThatThrownBy(() -> new TlsFiles(directory).context())
                .hasMessageContaining("is not the key of cert.pem")
                .hasMessageNotContaining(other.key().lines().skip(1).findFirst().orElseThrow());
    }

    @Test
    void anExpiredCertificateIsTold() throws Exception {
        SelfSigned old = SelfSigned.make(keys, "EC", "dns:old", "-startdate", "2020/01/01 00:00:00", "-validity", "10");
        write(directory, rsa.certificate(), old.certificate(), old.key());

        assertThatThrownBy(() -> new TlsFiles(directory).context())
                .hasMessageContaining("cert.pem expired on 2020-01-1");
    }

    @Test
    void anEngineIsSpokenToWithCertificatesOfBothSides() throws Exception {
        write(directory, rsa.certificate(), ec.certificate(), ec.olderKey("EC PRIVATE KEY"));
        HttpsServer server = server(rsa);
        try (EngineLink link = link("localhost", server)) {
            assertThat(link.engine().version().number()).isEqualTo("1.2");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anEngineOfAnotherAuthorityIsNotTrusted() throws Exception {
        write(directory, ec.certificate(), ec.certificate(), ec.key());
        assertThat(attempt("localhost", rsa)).contains("was not made by " + directory.resolve("ca.pem"));
    }

    @Test
    void anEngineOfAnotherNameIsNotTrusted() throws Exception {
        write(directory, ec.certificate(), ec.certificate(), ec.key());
        assertThat(attempt("localhost", ec)).contains("for another host name");
    }

    private static void write(Path directory, String authority, String certificate, String key) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("ca.pem"), authority);
        Files.writeString(directory.resolve("cert.pem"), certificate);
        Files.writeString(directory.resolve("key.pem"), key);
    }

    private String attempt(String host, SelfSigned identity) throws Exception {
        HttpsServer server = server(identity);
        try (EngineLink link = link(host, server)) {
            return catchThrowableOfType(BackendUnavailableException.class, link::engine)
                    .attempts()
                    .get(0);
        } finally {
            server.stop(0);
        }
    }

    private EngineLink link(String host, HttpsServer server) {
        EngineAddress address = new EngineAddress(
                EngineUri.parse("tcp://" + host + ":" + server.getAddress().getPort(), true),
                Optional.of(directory),
                "test");
        return new EngineLink(
                Product.DOCKER,
                () -> List.of(new EngineCandidate.Listed(address, true)),
                RegistryCredentials.NONE,
                Duration.ofSeconds(60),
                "tls-test-");
    }

    /** Starts an engine that wants to see the certificate {@link #ec}. */
    private static HttpsServer server(SelfSigned identity) throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(identity.store(), SelfSigned.password());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        java.security.KeyStore trusted = java.security.KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("client", ec.store().getCertificate("own"));
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = context.getDefaultSSLParameters();
                ssl.setNeedClientAuth(true);
                parameters.setSSLParameters(ssl);
            }
        });
        server.createContext("/", exchange -> {
            byte[] body = (exchange.getRequestURI().getPath().endsWith("/_ping")
                            ? "OK"
                            : "{\"Version\":\"1.2\",\"MemTotal\":5}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }
}
