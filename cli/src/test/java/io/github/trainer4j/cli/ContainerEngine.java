package io.github.trainer4j.cli;

import io.github.trainer4j.api.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Docker or Podman on a Unix socket, asked over HTTP: where tests run there need be no client of either. */
final class ContainerEngine {
    private final UnixDomainSocketAddress address;

    /** Takes a URI such as {@code unix:///var/run/docker.sock}. */
    ContainerEngine(String uri) {
        this.address = UnixDomainSocketAddress.of(URI.create(uri).getPath());
    }

    /**
     * What a container did.
     *
     * @param code its exit code
     * @param out standard output
     * @param err standard error
     */
    record Result(int code, String out, String err) {}

    Path socket() {
        return address.getPath();
    }

    /** Loads all images of an archive. */
    void load(Path archive) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                FileChannel file = FileChannel.open(archive)) {
            begin(channel, "POST", "/images/load", "application/x-tar", file.size());
            for (long sent = 0; sent < file.size(); ) {
                sent += file.transferTo(sent, file.size() - sent, channel);
            }
            body(channel, "load " + archive);
        }
    }

    void removeImage(String name) throws IOException {
        ask("DELETE", "/images/" + name + "?force=true", Map.of());
    }

    /** Runs a container of these settings to its end, and removes it. */
    Result run(Map<String, Object> settings) throws IOException {
        String id = String.valueOf(
                object(ask("POST", "/containers/create", settings)).get("Id"));
        try {
            ask("POST", "/containers/" + id + "/start", Map.of());
            Object code =
                    object(ask("POST", "/containers/" + id + "/wait", Map.of())).get("StatusCode");
            ByteBuffer log = ByteBuffer.wrap(ask("GET", "/containers/" + id + "/logs?stdout=1&stderr=1", Map.of()));
            List<ByteArrayOutputStream> streams =
                    List.of(new ByteArrayOutputStream(), new ByteArrayOutputStream(), new ByteArrayOutputStream());
            // Each piece of a log begins with the number of its stream, three zeros and its length.
            while (log.hasRemaining()) {
                byte stream = log.get();
                byte[] piece = new byte[log.position(log.position() + 3).getInt()];
                log.get(piece);
                streams.get(stream).writeBytes(piece);
            }
            return new Result(
                    ((Number) code).intValue(),
                    streams.get(1).toString(StandardCharsets.UTF_8),
                    streams.get(2).toString(StandardCharsets.UTF_8));
        } finally {
            ask("DELETE", "/containers/" + id + "?force=true&v=true", Map.of());
        }
    }

    private static Map<String, ?> object(byte[] json) {
        return Json.parseObject(new String(json, StandardCharsets.UTF_8));
    }

    private byte[] ask(String method, String path, Map<String, Object> body) throws IOException {
        byte[] json = body.isEmpty() ? new byte[0] : Json.write(body).getBytes(StandardCharsets.UTF_8);
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            begin(channel, method, path, "application/json", json.length);
            write(channel, json);
            return body(channel, method + " " + path);
        }
    }

    /** HTTP 1.0: an answer is whole when the engine hangs up. */
    private void begin(SocketChannel channel, String method, String path, String type, long length) throws IOException {
        channel.connect(address);
        write(
                channel,
                (method + " " + path + " HTTP/1.0\r\nHost: engine\r\nContent-Type: " + type + "\r\nContent-Length: "
                                + length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static void write(SocketChannel channel, byte[] bytes) throws IOException {
        for (ByteBuffer buffer = ByteBuffer.wrap(bytes); buffer.hasRemaining(); ) {
            channel.write(buffer);
        }
    }

    private static byte[] body(SocketChannel channel, String asked) throws IOException {
        byte[] answer = Channels.newInputStream(channel).readAllBytes();
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        if (!text.matches("(?s)HTTP/1\\.[01] 2.*")) {
            throw new IOException(asked + ": " + text);
        }
        return Arrays.copyOfRange(answer, text.indexOf("\r\n\r\n") + 4, answer.length);
    }
}
