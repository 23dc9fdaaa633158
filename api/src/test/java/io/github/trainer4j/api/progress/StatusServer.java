package io.github.trainer4j.api.progress;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A status server on loopback, with a certificate made for it. */
final class StatusServer implements AutoCloseable {
    private static final String PASSWORD = "changeit";

    /** One request that it got. */
    record Request(String method, String path, String authorization, String contentType, String body) {}

    /** A key store, and the certificate of its one key. */
    record Keys(Path store, Path certificate) {}

    final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    final AtomicInteger answer = new AtomicInteger(200);
    private final HttpsServer server;
    private final Path certificate;
    private final Path token;
    private volatile Runnable beforeAnswer = () -> {};

    private StatusServer(HttpsServer server, Path certificate, Path token) {
        this.server = server;
        this.certificate = certificate;
        this.token = token;
    }

    /** Makes a key and the certificate for it; takes a second or two, so it is done once for all tests. */
    static Keys keys(Path directory, String name, String subject) throws IOException, InterruptedException {
        Keys keys = new Keys(directory.resolve(name + ".p12"), directory.resolve(name + ".crt"));
        keytool(
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=status",
                "-ext",
                "SAN=" + subject,
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.store.toString(),
                "-storepass",
                PASSWORD);
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "server",
                "-file",
                keys.certificate.toString(),
                "-keystore",
                keys.store.toString(),
                "-storepass",
                PASSWORD);
        return keys;
    }

    /** Starts a server with these keys, whose token and copy of the certificate lie in a directory. */
    static StatusServer start(Keys keys, Path directory) throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "t0ken\n");
        Path certificate = Files.copy(keys.certificate, directory.resolve("ca.crt"));
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(keys.store)));
        StatusServer status = new StatusServer(server, certificate, token);
        server.createContext("/", status::handle);
        server.start();
        return status;
    }

    Map<String, String> environment() {
        return Map.of(
                TrainingReporter.SERVER_URL, url(),
                TrainingReporter.SERVER_CA_CERT, certificate().toString(),
                TrainingReporter.SERVER_TOKEN, token().toString());
    }

    String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort() + "/status/my-job";
    }

    Path certificate() {
        return certificate;
    }

    Path token() {
        return token;
    }

    /** Has something done, on the server's thread, after a request was read and before it is answered. */
    void beforeAnswer(Runnable action) {
        beforeAnswer = action;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            // Decided before the test learns of the request and changes its mind.
            int status = answer.get();
            requests.add(new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            beforeAnswer.run();
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static SSLContext context(Path keys) throws IOException {
        try (InputStream in = Files.newInputStream(keys)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static void keytool(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed: " + output);
        }
    }
}
