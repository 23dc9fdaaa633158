package io.github.trainer4j.client.catalog;

import io.github.trainer4j.client.yaml.Yaml;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a web server answered to a GET.
 *
 * @param status the status
 * @param etag the version of the text, if the server names it
 * @param text the body of an answer with status 200; empty for any other
 * @param limited whether the server says that it was asked too often
 */
record HttpAnswer(int status, Optional<String> etag, String text, boolean limited) {
    private static final int MOST_REDIRECTS = 5;

    /**
     * Asks a server. Nothing secret is sent, so redirects may lead to any host; but never away from TLS.
     *
     * @param address what to get
     * @param etag the version that is here already, or null
     * @param timeout how long it may take in all
     * @throws IOException if there is no answer in time, or one that is not understood
     */
    static HttpAnswer get(URI address, @Nullable String etag, Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        URI current = address;
        for (int i = 0; i <= MOST_REDIRECTS; i++) {
            HttpURLConnection connection = open(current, etag, deadline);
            try {
                int status = connection.getResponseCode();
                String location = connection.getHeaderField("Location");
                if (status / 100 != 3 || status == HttpURLConnection.HTTP_NOT_MODIFIED || location == null) {
                    return answer(connection, status, deadline);
                }
                current = redirected(current, location);
            } finally {
                connection.disconnect();
            }
        }
        throw new IOException("more than " + MOST_REDIRECTS + " redirects");
    }

    private static HttpURLConnection open(URI address, @Nullable String etag, long deadline) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout(millisLeft(deadline));
        connection.setReadTimeout(millisLeft(deadline));
        connection.setRequestProperty("User-Agent", "trainer4j");
        connection.setRequestProperty("Accept", "*/*");
        if (etag != null) {
            connection.setRequestProperty("If-None-Match", etag);
        }
        return connection;
    }

    private static HttpAnswer answer(HttpURLConnection connection, int status, long deadline) throws IOException {
        Optional<String> etag = Optional.ofNullable(connection.getHeaderField("ETag"));
        boolean limited = status == 429 || "0".equals(connection.getHeaderField("X-RateLimit-Remaining"));
        if (status != HttpURLConnection.HTTP_OK) {
            return new HttpAnswer(status, etag, "", limited);
        }
        try (InputStream body = connection.getInputStream()) {
            return new HttpAnswer(status, etag, decode(readAll(body, connection, deadline)), limited);
        }
    }

    private static byte[] readAll(InputStream body, HttpURLConnection connection, long deadline) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
            bytes.write(buffer, 0, n);
            if (bytes.size() > Yaml.LONGEST) {
                throw new IOException("more than " + Yaml.LONGEST + " bytes; that is no file of runtimes");
            }
            connection.setReadTimeout(millisLeft(deadline));
        }
        long announced = connection.getContentLengthLong();
        if (announced >= 0 && announced != bytes.size()) {
            throw new IOException("the answer was cut: " + bytes.size() + " of " + announced + " bytes");
        }
        return bytes.toByteArray();
    }

    private static String decode(byte[] bytes) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException("the answer is not UTF-8 text", e);
        }
    }

    private static URI redirected(URI from, String location) throws IOException {
        URI to;
        try {
            to = from.resolve(location);
        } catch (IllegalArgumentException e) {
            throw new IOException("a redirect to an address that is none", e);
        }
        boolean http = "http".equals(to.getScheme()) && "http".equals(from.getScheme());
        if ((!http && !"https".equals(to.getScheme())) || to.getHost() == null) {
            throw new IOException("a redirect from " + from.getScheme() + " to " + to.getScheme() + " is not followed");
        }
        return to;
    }

    private static int millisLeft(long deadline) throws IOException {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException("no complete answer in time");
        }
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }
}
