package io.github.trainer4j.transfer.http;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An answer, with its bytes still to be read. One thread reads it; any thread may {@link #abort} it. */
public final class HttpResponse implements Closeable {
    private static final int DRAINED_AT_MOST = 16 << 10;

    private final URI uri;
    private final Head head;
    private final Body body;
    private final List<Redirect> redirects;

    /**
     * An answer that led elsewhere.
     *
     * @param uri what was asked for
     * @param status its status
     * @param headers its headers, whose names are found in any case
     */
    public record Redirect(URI uri, int status, Map<String, List<String>> headers) {
        /** Returns the first value of a header. */
        public Optional<String> header(String name) {
            return headers.getOrDefault(name, List.of()).stream().findFirst();
        }
    }

    HttpResponse(URI uri, Head head, Body body, List<Redirect> redirects) {
        this.uri = uri;
        this.head = head;
        this.body = body;
        this.redirects = List.copyOf(redirects);
    }

    /** Returns what answered in the end. */
    public URI uri() {
        return uri;
    }

    /** Returns the status. */
    public int status() {
        return head.status();
    }

    /** Returns the first value of a header; its name is found in any case. */
    public Optional<String> header(String name) {
        return head.header(name);
    }

    /** Returns the answers that led here, the first one first. */
    public List<Redirect> redirects() {
        return redirects;
    }

    /** Returns the bytes. A read fails if they break off, where the answer said how many there are. */
    public InputStream body() {
        return body;
    }

    /**
     * Reads the bytes to the end as text in UTF-8, and closes the answer.
     *
     * @throws IOException if they break off, are compressed, or are more than this
     */
    public String text(int most) throws IOException {
        try (this) {
            String encoding = header("Content-Encoding").orElse("identity");
            if (!encoding.equalsIgnoreCase("identity")) {
                throw new IOException("the answer is compressed (" + encoding + "), which was not asked for");
            }
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            byte[] buffer = new byte[8 << 10];
            for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                text.write(buffer, 0, read);
                if (text.size() > most) {
                    throw new IOException("the answer has more than " + most + " bytes");
                }
            }
            return text.toString(StandardCharsets.UTF_8);
        }
    }

    /** Returns whether it leads elsewhere. */
    boolean isRedirect() {
        return switch (status()) {
            case 301, 302, 303, 307, 308 -> header("Location").isPresent();
            default -> false;
        };
    }

    /** Returns where it leads, if it does. */
    URI redirectsTo() throws IOException {
        return Links.resolve(uri, header("Location").orElseThrow());
    }

    Redirect asRedirect() {
        return new Redirect(uri, status(), head.headers());
    }

    /** Cuts the connection off at once, from any thread: a read that hangs fails. */
    public void abort() {
        body.abort();
    }

    /** Ends it; a short rest is read so that the connection can be used again, a long one is cut off. */
    @Override
    public void close() {
        try {
            if (head.hasBody() && !head.isChunked() && head.length().orElse(Long.MAX_VALUE) <= DRAINED_AT_MOST) {
                byte[] rest = new byte[4 << 10];
                while (body.read(rest) >= 0) {
                    // The rest of an error or a redirect is of no interest.
                }
            }
        } catch (IOException e) {
            // Then it is cut off.
        }
        body.close();
    }
}
