package io.github.trainer4j.container;

import com.github.dockerjava.transport.DockerHttpClient;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Speaks HTTP/1.1 with an engine, over a Unix socket, TCP or TLS: one connection for each request, so that no request waits
 * behind another, and none meets a connection that died with an engine's last life. It writes nothing into any log: what
 * is sent may hold secrets.
 */
final class EngineHttp implements DockerHttpClient {
    private static final int CHUNK = 1 << 16;
    private static final String CRLF = "\r\n";
    /** Is told of each connection that the thread opens, so that whoever gives up on the thread can close it. */
    private static final ThreadLocal<@Nullable Consumer<Closeable>> WATCHER = new ThreadLocal<>();

    private final EngineAddress address;
    private final Optional<SSLContext> tls;
    private final Set<EngineSocket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    EngineHttp(EngineAddress address, Optional<SSLContext> tls) {
        this.address = address;
        this.tls = tls;
    }

    /** Has this thread's connections told to a watcher, until this is called again. */
    static void watch(@Nullable Consumer<Closeable> watcher) {
        if (watcher == null) {
            WATCHER.remove();
        } else {
            WATCHER.set(watcher);
        }
    }

    @Override
    public Response execute(Request request) {
        if (request.hijackedInput() != null) {
            throw new UnsupportedOperationException("no request of this module turns into something other than HTTP");
        }
        EngineSocket socket = new EngineSocket(address, tls, open::remove);
        open.add(socket);
        if (closed) {
            socket.close();
        }
        Consumer<Closeable> watcher = WATCHER.get();
        if (watcher != null) {
            watcher.accept(socket);
        }
        try {
            socket.connect();
            write(request, socket.out());
            return new EngineResponse(socket, request.method());
        } catch (IOException e) {
            socket.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    private void write(Request request, OutputStream out) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        String host = address.isLocal() ? "localhost" : address.uri().getRawAuthority();
        line(head, request.method() + " " + request.path() + " HTTP/1.1");
        line(head, "Host: " + host);
        line(head, "User-Agent: trainer4j");
        line(head, "Connection: close");
        for (Map.Entry<String, String> header :
                new ArrayList<>(request.headers().entrySet())) {
            line(head, header.getKey() + ": " + header.getValue());
        }
        byte[] bytes = request.bodyBytes();
        InputStream body = bytes == null ? request.body() : null;
        if (body != null) {
            line(head, "Transfer-Encoding: chunked");
        } else {
            line(head, "Content-Length: " + (bytes == null ? 0 : bytes.length));
        }
        head.write(CRLF.getBytes(StandardCharsets.US_ASCII));
        if (bytes != null) {
            head.write(bytes);
        }
        out.write(head.toByteArray());
        out.flush();
        if (body != null) {
            try {
                writeChunks(body, out);
            } catch (SocketException e) {
                // Whoever refuses a body need not read it to its end; the answer tells why.
                return;
            }
        }
    }

    private static void line(OutputStream head, String text) throws IOException {
        if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
            throw new IOException("a line break within a request's head");
        }
        head.write((text + CRLF).getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void writeChunks(InputStream body, OutputStream out) throws IOException {
        byte[] buffer = new byte[CHUNK];
        for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
            if (n > 0) {
                out.write((Integer.toHexString(n) + CRLF).getBytes(StandardCharsets.US_ASCII));
                out.write(buffer, 0, n);
                out.write(CRLF.getBytes(StandardCharsets.US_ASCII));
            }
        }
        out.write(("0" + CRLF + CRLF).getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Ends all requests. */
    @Override
    public void close() {
        closed = true;
        List.copyOf(open).forEach(EngineSocket::close);
    }
}
