package io.github.trainer4j.container;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An engine that answers as a test wants. One request per connection. */
final class FakeEngine implements Closeable {
    /** The answer of something that goes on and on. */
    static final String STREAM = "HTTP/1.1 200 OK\r\n\r\n";

    private final ServerSocketChannel server;
    private final Function<String, String> answers;
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<SocketChannel> open = Collections.synchronizedList(new ArrayList<>());
    private final Thread thread;

    private FakeEngine(SocketAddress address, Function<String, String> answers) throws IOException {
        this.server = address instanceof UnixDomainSocketAddress
                ? ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)
                : ServerSocketChannel.open();
        server.bind(address);
        this.answers = answers;
        this.thread = new Thread(this::serve, "fake-engine");
        thread.start();
    }

    /** One that answers pings, and says that it is Docker. */
    static FakeEngine healthy(Path socket) throws IOException {
        return new FakeEngine(UnixDomainSocketAddress.of(socket), FakeEngine::healthy);
    }

    /** One that takes requests and never answers. */
    static FakeEngine hanging(Path socket) throws IOException {
        return new FakeEngine(UnixDomainSocketAddress.of(socket), head -> "");
    }

    /** One on loopback with its own answers; to what it answers null, it answers as a healthy one. */
    static FakeEngine answering(Function<String, @Nullable String> answers) throws IOException {
        return new FakeEngine(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), head -> {
            String answer = answers.apply(head);
            return answer == null ? healthy(head) : answer;
        });
    }

    /** One on loopback, with its own answers to pulls. */
    static FakeEngine pulling(Function<String, String> answers) throws IOException {
        return new FakeEngine(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                head -> head.contains("/images/create") ? answers.apply(head) : healthy(head));
    }

    private static String healthy(String head) {
        String path = head.split(" ", 3)[1];
        if (path.endsWith("/_ping")) {
            return answer(200, "OK");
        }
        return path.endsWith("/version")
                ? answer(200, "{\"Version\":\"20.0\",\"Components\":[{\"Name\":\"Engine\"}]}")
                : path.endsWith("/info") ? answer(200, "{\"MemTotal\":1000}") : answer(404, "{\"message\":\"no\"}");
    }

    static String answer(int status, String body) {
        return "HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    URI uri() throws IOException {
        return server.getLocalAddress() instanceof InetSocketAddress address
                ? URI.create("tcp://127.0.0.1:" + address.getPort())
                : EngineUri.ofSocket(Path.of(server.getLocalAddress().toString()));
    }

    List<String> requests() {
        return List.copyOf(requests);
    }

    private void serve() {
        while (server.isOpen()) {
            try {
                SocketChannel channel = server.accept();
                open.add(channel);
                String head = head(channel);
                requests.add(head);
                String answer = answers.apply(head);
                if (!answer.isEmpty()) {
                    ByteBuffer bytes = ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8));
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                    // A head that tells no length is the beginning of a stream.
                    if (!answer.startsWith(STREAM)) {
                        channel.close();
                    }
                }
            } catch (IOException | RuntimeException e) {
                // The client has gone, or the test is over; the next one is served if it is not.
                requests.add("lost: " + e);
            }
        }
    }

    private static String head(SocketChannel channel) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n") && channel.read(one) > 0) {
            head.write(one.get(0));
            one.clear();
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (SocketChannel channel : List.copyOf(open)) {
            channel.close();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
