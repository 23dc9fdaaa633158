package io.github.trainer4j.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An API server on loopback that answers as a test says, for faults that a real one cannot be made to have. What it was not told to
 * answer it does not find.
 */
final class FakeApi implements AutoCloseable {
    static final String TRAIN_JOBS = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team/trainjobs";
    static final String RUNTIMES = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team/trainingruntimes";
    static final String CLUSTER_RUNTIMES = "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes";
    static final String PODS = "/api/v1/namespaces/team/pods";

    private final HttpServer server;
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    private record Rule(String method, String path, Answer answer) {}

    /** What was asked. */
    record Asked(String method, String path, String query, Optional<String> token, String body) {
        @Override
        public String toString() {
            return method + " " + path + (query.isEmpty() ? "" : "?" + query);
        }
    }

    /** Says what to answer. */
    interface Answer {
        Reply to(Asked asked) throws Exception;
    }

    /** What is answered; with status 0 the connection is cut instead. */
    record Reply(int status, Map<String, String> headers, String body) {
        static final Reply CUT = new Reply(0, Map.of(), "");

        static Reply of(Object resource) {
            return new Reply(200, Map.of(), Json.write(resource));
        }

        static Reply list(List<?> items) {
            return of(Map.of(
                    "kind", "List", "apiVersion", "v1", "metadata", Map.of("resourceVersion", "1"), "items", items));
        }

        /** An error with the words of the API server. */
        static Reply refusal(int code, String message) {
            return new Reply(
                    code,
                    Map.of(),
                    Json.write(Map.of(
                            "kind", "Status",
                            "apiVersion", "v1",
                            "status", "Failure",
                            "message", message,
                            "code", code)));
        }

        Reply with(String header, String value) {
            Map<String, String> all = new LinkedHashMap<>(headers);
            all.put(header, value);
            return new Reply(status, all, body);
        }
    }

    FakeApi() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/", this::answer);
        server.start();
        on("GET", "/apis/trainer.kubeflow.org", Map.of("kind", "APIGroup", "name", "trainer.kubeflow.org"));
        on("GET", "/apis/jobset.x-k8s.io", Map.of("kind", "APIGroup", "name", "jobset.x-k8s.io"));
    }

    /** Answers from now on with a resource, where nothing else was said since. */
    FakeApi on(String method, String path, Map<String, ?> resource) {
        return on(method, path, asked -> Reply.of(resource));
    }

    FakeApi on(String method, String path, Answer answer) {
        rules.add(0, new Rule(method, path, answer));
        return this;
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** What it was asked, in that order. */
    List<Asked> asked() {
        return List.copyOf(asked);
    }

    /** How often it was asked for exactly this, as in {@code GET /api}. */
    long count(String question) {
        return asked.stream()
                .filter(one -> question.equals(one.method() + " " + one.path()))
                .count();
    }

    /** Writes a kubeconfig that leads here, to the namespace {@code team}, for a user with the given fields in YAML. */
    Path kubeconfig(Path directory, String user) throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: fake, cluster: {server: "%s"}}]
                users: [{name: me, user: {%s}}]
                contexts: [{name: fake, context: {cluster: fake, user: me, namespace: team}}]
                current-context: fake
                """.formatted(address(), user));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Asked question = new Asked(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse(""),
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                            .map(header -> header.replace("Bearer ", "")),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            asked.add(question);
            Reply reply = reply(question);
            if (reply.status() == 0) {
                return;
            }
            byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Reply reply(Asked question) {
        for (Rule rule : rules) {
            if (rule.method().equals(question.method()) && question.path().matches(rule.path())) {
                try {
                    return rule.answer().to(question);
                } catch (Exception e) {
                    return Reply.refusal(418, "the test's answer failed: " + e);
                }
            }
        }
        return Reply.refusal(404, "the server could not find the requested resource");
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
