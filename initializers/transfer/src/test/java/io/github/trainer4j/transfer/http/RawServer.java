package io.github.trainer4j.transfer.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers each request with exactly the bytes that a test gives. */
final class RawServer implements Closeable {
    final List<String> requests = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();

    private static final ThreadLocal<InputStream> CURRENT = new ThreadLocal<>();

    private final ServerSocket server;
    private final String scheme;
    private final Answer answer;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** Writes an answer to a request; returns whether the connection stays open for another one. */
    @FunctionalInterface
    interface Answer {
        boolean write(String request, OutputStream out) throws IOException, InterruptedException;
    }

    RawServer(Answer answer) throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), "http", answer);
    }

    RawServer(ServerSocket server, String scheme, Answer answer) {
        this.server = server;
        this.scheme = scheme;
        this.answer = answer;
        Thread thread = new Thread(this::accept, "raw-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Answers everything with this text, which may have {@code \n} for line ends in its head. */
    static RawServer saying(String text) throws IOException {
        return new RawServer((request, out) -> {
            out.write(bytes(text));
            return true;
        });
    }

    /** Writes head lines with the right ends. */
    static byte[] bytes(String text) {
        int end = text.indexOf("\n\n");
        String head = text.substring(0, end + 2).replace("\n", "\r\n");
        return (head + text.substring(end + 2)).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns what comes after the head of the request that the calling thread answers. */
    static InputStream current() {
        return CURRENT.get();
    }

    URI uri(String path) {
        return URI.create(scheme + "://127.0.0.1:" + server.getLocalPort() + path);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                connections.incrementAndGet();
                open.add(socket);
                Thread thread = new Thread(() -> serve(socket), "raw-server-connection");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            CURRENT.set(in);
            while (true) {
                String request = head(in);
                if (request.isEmpty()) {
                    return;
                }
                requests.add(request);
                boolean goOn = answer.write(request, socket.getOutputStream());
                socket.getOutputStream().flush();
                if (!goOn) {
                    return;
                }
            }
        } catch (IOException | InterruptedException e) {
            // The client is gone, or the server closed.
        } finally {
            open.remove(socket);
        }
    }

    static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int c = in.read();
            if (c < 0) {
                return "";
            }
            head.write(c);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
