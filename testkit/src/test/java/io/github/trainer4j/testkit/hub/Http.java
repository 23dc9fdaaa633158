package io.github.trainer4j.testkit.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Asks over real sockets, follows nothing, and keeps what arrived of a body that broke off. */
final class Http {

    private static final int PATIENCE_MILLIS = 20_000;

    private Http() {}

    /** What arrived. */
    static final class Reply {

        private final HttpURLConnection connection;
        private final int status;
        private final byte[] body;
        private final Optional<IOException> broken;

        private Reply(HttpURLConnection connection, int status, byte[] body, Optional<IOException> broken) {
            this.connection = connection;
            this.status = status;
            this.body = body;
            this.broken = broken;
        }

        int status() {
            return status;
        }

        byte[] body() {
            return body;
        }

        /** Why the body ended early, if that was noticed. */
        Optional<IOException> broken() {
            return broken;
        }

        Set<String> headerNames() {
            Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            connection.getHeaderFields().keySet().stream()
                    .filter(Objects::nonNull)
                    .forEach(names::add);
            return names;
        }

        String text() {
            return new String(body, UTF_8);
        }

        String header(String name) {
            return Optional.ofNullable(connection.getHeaderField(name)).orElse("");
        }

        /** The location of a redirect, resolved. */
        URI location() {
            return URI.create(connection.getURL().toString()).resolve(header("Location"));
        }
    }

    /** GETs with headers given as {@code "Name: value"}. */
    static Reply get(URI base, String target, String... headers) throws IOException {
        return send("GET", base + target, headers);
    }

    static Reply head(URI base, String target, String... headers) throws IOException {
        return send("HEAD", base + target, headers);
    }

    static Reply get(URI uri) throws IOException {
        return send("GET", uri.toString());
    }

    /** GETs and follows redirects, but takes no credentials to another origin. */
    static Reply follow(URI base, String target, String... headers) throws IOException {
        Reply reply = get(base, target, headers);
        while (reply.status() / 100 == 3) {
            URI next = reply.location();
            reply = next.getAuthority().equals(base.getAuthority())
                    ? send("GET", next.toString(), headers)
                    : send("GET", next.toString());
        }
        return reply;
    }

    /** A connection on which a test speaks for itself. */
    static Socket connect(URI base) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), base.getPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static Reply send(String method, String url, String... headers) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout(PATIENCE_MILLIS);
        connection.setReadTimeout(PATIENCE_MILLIS);
        for (String header : headers) {
            int colon = header.indexOf(':');
            connection.setRequestProperty(
                    header.substring(0, colon), header.substring(colon + 1).strip());
        }
        int status = connection.getResponseCode();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        Optional<IOException> broken = Optional.empty();
        try (InputStream in = stream(connection, status)) {
            byte[] buffer = new byte[8192];
            int n;
            while ((n = in.read(buffer)) >= 0) {
                body.write(buffer, 0, n);
            }
        } catch (IOException e) {
            broken = Optional.of(e);
        }
        return new Reply(connection, status, body.toByteArray(), broken);
    }

    private static InputStream stream(HttpURLConnection connection, int status) throws IOException {
        if (status < 400) {
            return connection.getInputStream();
        }
        InputStream error = connection.getErrorStream();
        return error == null ? InputStream.nullInputStream() : error;
    }
}
