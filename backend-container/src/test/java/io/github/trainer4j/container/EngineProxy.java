package io.github.trainer4j.container;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * Stands between clients and a real engine, on a Unix socket of its own. Clients make one connection for each call, so that
 * a test has its say on every call: before the engine is asked, and when it has answered but the client does not know.
 */
final class EngineProxy implements Closeable {
    /**
     * A call.
     *
     * @param method its method
     * @param path its path, with the query
     */
    record Call(String method, String path) {
        boolean is(String wanted, String pattern) {
            return method.equals(wanted) && path.matches(pattern);
        }

        /** Whether the engine makes, starts, ends or removes something. */
        boolean changes() {
            return !method.equals("GET") && !path.endsWith("/wait");
        }

        @Override
        public String toString() {
            return method + " " + path.replaceAll("\\?.*", "").replaceAll("[0-9a-f]{64}", "ID");
        }
    }

    /** What becomes of a call. */
    enum Fate {
        /** The engine is asked, and its answer passed on. */
        PASS,
        /** Nobody answers, ever. */
        HANG,
        /** The connection is closed at once. */
        CUT,
        /** The beginning of the answer is passed on, then the connection is closed. */
        CUT_SHORT,
        /** The answer is passed on but never ended. */
        ENDLESS
    }

    /** A test's say. Called on the thread of the connection, which may be held as long as a test likes. */
    interface Say {
        /** Decides about a call before the engine is asked. */
        Fate before(Call call);

        /** Decides about an answer of which the client has seen nothing yet. */
        default Fate answered(Call call) {
            return Fate.PASS;
        }
    }

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length: *(\\d+)");
    private static final Pattern CHUNKED = Pattern.compile("(?i)\r\nTransfer-Encoding: *chunked");

    private static final int LAST_CHUNK = 5;

    private final EngineAddress engine;
    private final Optional<SSLContext> tls;
    private final ServerSocketChannel server;
    private final Path socket;
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger asking = new AtomicInteger();
    private volatile Say say = call -> Fate.PASS;
    private volatile boolean closed;

    EngineProxy(String host) throws IOException {
        this(new EngineAddress(URI.create(host), Optional.empty(), "test"));
    }

    EngineProxy(EngineAddress engine) throws IOException {
        this.engine = engine;
        this.tls = engine.certificates().map(directory -> new TlsFiles(directory).context());
        this.socket = Files.createTempDirectory("t4j-proxy-").resolve("engine.sock");
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        start("proxy-accept", this::accept);
    }

    String host() {
        return "unix://" + socket;
    }

    void say(Say to) {
        say = to;
    }

    /** How many calls that change something the engine has not answered yet. */
    int asking() {
        return asking.get();
    }

    /** Closes all connections that are open now. */
    void cutAll() {
        Set.copyOf(open).forEach(EngineProxy::close);
    }

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!closed) {
            try {
                SocketChannel client = server.accept();
                open.add(client);
                start("proxy-call", () -> serve(client));
            } catch (IOException e) {
                // It is being closed, or that client went away before it was taken in.
                closed |= !server.isOpen();
            }
        }
    }

    private void serve(SocketChannel client) {
        EngineSocket upstream = new EngineSocket(engine, tls, open::remove);
        try (client;
                upstream) {
            String head = head(client);
            String[] words = head.split(" ", 3);
            if (words.length < 3) {
                return;
            }
            Call call = new Call(words[0], words[1]);
            Fate fate = say.before(call);
            if (fate == Fate.PASS) {
                open.add(upstream);
                pass(call, head, client, upstream);
            } else if (fate == Fate.HANG) {
                awaitEnd(client);
            }
        } catch (IOException | IllegalStateException e) {
            // One of the two has gone, which closes the other.
            return;
        } finally {
            open.remove(client);
        }
    }

    private void pass(Call call, String head, SocketChannel client, EngineSocket upstream) throws IOException {
        byte[] buffer = new byte[1 << 16];
        int length;
        AtomicBoolean answered = new AtomicBoolean(!call.changes());
        asking.addAndGet(call.changes() ? 1 : 0);
        try {
            upstream.connect();
            upstream.out().write(head.getBytes(StandardCharsets.ISO_8859_1));
            body(head, client, upstream.out());
            upstream.out().flush();
            start("proxy-client", () -> {
                awaitEnd(client);
                // An engine that is just changing something does so whether or not its client is still there.
                if (answered.get()) {
                    upstream.close();
                }
            });
            length = upstream.in().read(buffer);
        } finally {
            answered.set(true);
            asking.addAndGet(call.changes() ? -1 : 0);
        }
        Fate fate = say.answered(call);
        if (fate == Fate.HANG) {
            awaitEnd(client);
            return;
        }
        while (fate != Fate.CUT && length >= 0) {
            boolean last = fate == Fate.ENDLESS && length >= LAST_CHUNK && isLastChunk(buffer, length);
            ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, last ? length - LAST_CHUNK : length);
            while (bytes.hasRemaining()) {
                client.write(bytes);
            }
            if (last) {
                awaitEnd(client);
            }
            length = fate == Fate.CUT_SHORT ? -1 : upstream.in().read(buffer);
        }
    }

    private static boolean isLastChunk(byte[] buffer, int length) {
        return new String(buffer, length - LAST_CHUNK, LAST_CHUNK, StandardCharsets.ISO_8859_1).equals("0\r\n\r\n");
    }

    private static void body(String head, SocketChannel client, OutputStream out) throws IOException {
        Matcher length = LENGTH.matcher(head);
        long left = length.find() ? Long.parseLong(length.group(1)) : 0;
        boolean chunked = CHUNKED.matcher(head).find();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        String end = "";
        while (left > 0 || (chunked && !end.endsWith("\r\n0\r\n\r\n") && !end.equals("0\r\n\r\n"))) {
            if (client.read(buffer.clear()) < 0) {
                throw new EOFException();
            }
            out.write(buffer.array(), 0, buffer.position());
            left -= buffer.position();
            String seen = end + new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
            end = seen.substring(Math.max(0, seen.length() - 7));
        }
    }

    private static void awaitEnd(SocketChannel client) {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        try {
            while (client.read(buffer.clear()) >= 0) {
                buffer.clear();
            }
        } catch (IOException e) {
            // It was closed from this side.
            return;
        }
    }

    private static String head(SocketChannel client) throws IOException {
        StringBuilder head = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        // Byte by byte: what follows is the body's.
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0 && client.read(one.clear()) > 0) {
            head.append((char) (one.get(0) & 0xff));
        }
        return head.toString();
    }

    private static void close(Closeable connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // It is thrown away.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        server.close();
        cutAll();
        Files.deleteIfExists(socket);
        Files.deleteIfExists(socket.getParent());
    }
}
