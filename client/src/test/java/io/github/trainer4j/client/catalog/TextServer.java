package io.github.trainer4j.client.catalog;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A web server on loopback with texts by path and query, their versions, and faults on demand. */
final class TextServer implements AutoCloseable {
    /** What a path answers. */
    interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    /** What was asked, such as {@code GET /a?b If-None-Match: "1"}. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    TextServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Serves a text with a version. */
    TextServer text(String path, String text, String etag) {
        return answer(path, exchange -> {
            exchange.getResponseHeaders().set("ETag", etag);
            if (etag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
                exchange.sendResponseHeaders(304, -1);
            } else {
                send(exchange, 200, text.getBytes(StandardCharsets.UTF_8));
            }
        });
    }

    TextServer status(String path, int status) {
        return answer(path, exchange -> send(exchange, status, "sorry".getBytes(StandardCharsets.UTF_8)));
    }

    TextServer redirect(String path, String to) {
        return answer(path, exchange -> {
            exchange.getResponseHeaders().set("Location", to);
            exchange.sendResponseHeaders(302, -1);
        });
    }

    TextServer answer(String path, Answer answer) {
        answers.put(path, answer);
        return this;
    }

    static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String version = exchange.getRequestHeaders().getFirst("If-None-Match");
            requests.add(exchange.getRequestURI() + (version == null ? "" : " " + version));
            Answer answer = answers.get(exchange.getRequestURI().toString());
            if (answer == null) {
                send(exchange, 404, new byte[0]);
            } else {
                answer.to(exchange);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
