package io.github.trainer4j.testkit.hub;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * What will be sent: first right, then changed by faults, then written. Belongs to the thread of its connection.
 */
final class Answer {

    /** How a body's end is told. */
    enum Framing {
        LENGTH,
        CHUNKED,
        UNTIL_CLOSE
    }

    /** What the writer does to a right answer. */
    static final class Wire {
        boolean hangUp;
        Duration delay = Duration.ZERO;
        Framing framing = Framing.LENGTH;
        Optional<Long> declaredLength = Optional.empty();
        long cutAfter = Long.MAX_VALUE;
        boolean reset;
        long stallAfter = Long.MAX_VALUE;
        long corruptAt = -1;
        long bytesPerSecond = Long.MAX_VALUE;
    }

    final Wire wire = new Wire();
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private int status;
    private Content content;
    private long from;
    private long to;
    private boolean file;

    private Answer(int status, Content content, boolean file) {
        this.status = status;
        this.content = content;
        this.to = content.size();
        this.file = file;
    }

    static Answer of(int status, String type, String text) {
        return new Answer(status, Content.of(text), false).header("Content-Type", type);
    }

    static Answer json(Object value) {
        return of(200, "application/json; charset=utf-8", Json.write(value));
    }

    /** A refusal with the Hub's own headers; an empty code or message is left out. */
    static Answer error(int status, String code, String message) {
        Answer answer = of(status, "application/json; charset=utf-8", Json.write(Map.of("error", message)));
        if (!code.isEmpty()) {
            answer.header("X-Error-Code", code);
        }
        return message.isEmpty() ? answer : answer.header("X-Error-Message", message);
    }

    /** The body is short text, as on the Hub: a client must not take its length for the file's. */
    static Answer redirect(int status, String location) {
        String text = (status == 302 ? "Found" : "Temporary Redirect") + ". Redirecting to " + location;
        return of(status, "text/plain; charset=utf-8", text).header("Location", location);
    }

    static Answer file(Content content) {
        return new Answer(200, content, true)
                .header("Content-Type", "application/octet-stream")
                .header("Accept-Ranges", "bytes");
    }

    /** Becomes another answer, but keeps how it will be written. */
    void become(Answer other) {
        headers.clear();
        headers.putAll(other.headers);
        status = other.status;
        content = other.content;
        from = other.from;
        to = other.to;
        file = other.file;
    }

    Answer header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    boolean dropHeader(String name) {
        return headers.remove(name) != null;
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    Map<String, String> headers() {
        return headers;
    }

    int status() {
        return status;
    }

    Content content() {
        return content;
    }

    /** Offset in the content of the first byte of the body. */
    long from() {
        return from;
    }

    /** Offset in the content after the last byte of the body. */
    long to() {
        return to;
    }

    long length() {
        return to - from;
    }

    /** Whether the body is bytes of a file, whole or a range of it. */
    boolean isFile() {
        return file;
    }

    boolean isRedirect() {
        return status / 100 == 3;
    }

    void serveWhole() {
        status = 200;
        from = 0;
        to = content.size();
        headers.remove("Content-Range");
    }

    void serveRange(long first, long end) {
        status = 206;
        from = first;
        to = end;
        header("Content-Range", "bytes " + first + "-" + (end - 1) + "/" + content.size());
    }

    /** Compresses the whole body in memory, so not for large files. */
    void gzip() {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(content.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        serveWhole();
        content = Content.of(compressed.toByteArray());
        to = content.size();
        header("Content-Encoding", "gzip").header("Vary", "Accept-Encoding").dropHeader("Accept-Ranges");
    }
}
