package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.spi.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Gives logs of pods as an API server does, and also as one does that a real one cannot be made to be. */
final class LogServer implements AutoCloseable {
    /** What goes wrong with an answer, after so many lines of it. */
    enum Fault {
        /** The connection is cut within the next line. */
        CUT,
        /** Nothing comes any more, and nobody says so. */
        HANG,
        /** The answer ends as if all had been said. */
        END
    }

    private record Answer(int status, Fault fault, int afterLines) {}

    private final ServerSocket socket;
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final Deque<Answer> answers = new ArrayDeque<>();
    private final Map<String, List<String>> logs = new ConcurrentHashMap<>();
    private final Map<String, Boolean> ended = new ConcurrentHashMap<>();
    private final List<Map<String, String>> requests = new CopyOnWriteArrayList<>();

    LogServer() throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "log-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns a connection to it whose calls may take so long. */
    Cluster connect(Path directory, Duration callLimit) throws IOException {
        Path file = directory.resolve("kubeconfig");
        Files.writeString(file, """
                apiVersion: v1
                kind: Config
                current-context: test
                clusters: [{name: test, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: test, user: {token: none}}]
                contexts: [{name: test, context: {cluster: test, user: test, namespace: team}}]
                """.formatted(socket.getLocalPort()));
        Settings settings = Settings.of(Map.of("kubeconfig", file.toString(), "call-timeout", callLimit.toString()));
        return Cluster.connect(KubernetesSettings.read(settings, Backends.context(directory, Map.of())));
    }

    /** Adds lines to the log of a pod, or of its attempt before the last restart ({@code pod/previous}). */
    void write(String pod, String... lines) {
        logs.computeIfAbsent(pod, name -> new CopyOnWriteArrayList<>()).addAll(List.of(lines));
    }

    /** Takes the first lines of a log away, as a rotation does. */
    void rotate(String pod, int lines) {
        List<String> log = logs.get(pod);
        for (int i = 0; i < lines; i++) {
            log.set(i, "");
        }
    }

    /** Lets those who follow a log know that there will be no more. */
    void end(String pod) {
        ended.put(pod, true);
    }

    /** Moves a pod's log to where the one of the attempt before lies. */
    void restart(String pod) {
        logs.put(pod + "/previous", logs.getOrDefault(pod, List.of()));
        logs.remove(pod);
        ended.remove(pod);
    }

    synchronized void refuse(int status) {
        answers.add(new Answer(status, Fault.END, 0));
    }

    synchronized void fail(Fault fault, int afterLines) {
        answers.add(new Answer(200, fault, afterLines));
    }

    private synchronized Optional<Answer> answer() {
        return Optional.ofNullable(answers.poll());
    }

    /** Returns the parameters of all requests so far, with the pod's name. */
    List<Map<String, String>> requests() {
        return requests;
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                connections.add(connection);
                daemon(() -> serve(connection));
            }
        } catch (IOException e) {
            // It was closed.
            return;
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
            for (String first = in.readLine(); first != null; first = in.readLine()) {
                String header = in.readLine();
                while (header != null && !header.isEmpty()) {
                    header = in.readLine();
                }
                if (!answer(parameters(URI.create(first.split(" ", 3)[1])), connection.getOutputStream())) {
                    return;
                }
            }
        } catch (IOException | InterruptedException e) {
            // The client has gone, or the test.
            return;
        }
    }

    private static Map<String, String> parameters(URI uri) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("pod", uri.getPath().replaceAll(".*/pods/|/log$", ""));
        for (String pair : uri.getRawQuery().split("&", -1)) {
            String[] parts = pair.split("=", 2);
            parameters.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return parameters;
    }

    /** Answers a request; returns whether the connection can be used again. */
    private boolean answer(Map<String, String> request, OutputStream out) throws IOException, InterruptedException {
        requests.add(request);
        String pod = request.get("pod");
        String key = request.containsKey("previous") ? pod + "/previous" : pod;
        Optional<Answer> planned = answer();
        int status = planned.map(Answer::status).orElse(logs.containsKey(key) ? 200 : 400);
        if (status != 200) {
            String body =
                    "{\"kind\": \"Status\", \"message\": \"refused with %d\", \"code\": %d}".formatted(status, status);
            out.write("HTTP/1.1 %d Refused\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                    .formatted(status, body.length(), body)
                    .getBytes(StandardCharsets.UTF_8));
            return true;
        }
        out.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
                .getBytes(StandardCharsets.UTF_8));
        out.flush();
        return send(request, key, planned, out);
    }

    private boolean send(Map<String, String> request, String key, Optional<Answer> planned, OutputStream out)
            throws IOException, InterruptedException {
        boolean follow = request.containsKey("follow");
        Optional<Instant> since = Optional.ofNullable(request.get("sinceTime")).map(Instant::parse);
        int sent = 0;
        int next = 0;
        if (request.containsKey("tailLines")) {
            next = Math.max(0, logs.get(key).size() - Integer.parseInt(request.get("tailLines")));
        }
        while (true) {
            List<String> log = logs.getOrDefault(key, List.of());
            for (; next < log.size(); next++) {
                String line = log.get(next);
                if (line.isEmpty() || since.filter(time(line)::isBefore).isPresent()) {
                    continue;
                }
                if (planned.isPresent() && planned.get().afterLines() == sent) {
                    return fault(planned.get().fault(), line, out);
                }
                chunk(out, line + "\n");
                sent++;
            }
            if (!follow || ended.containsKey(key)) {
                out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                return true;
            }
            Thread.sleep(10);
        }
    }

    private static boolean fault(Fault fault, String line, OutputStream out) throws IOException, InterruptedException {
        switch (fault) {
            case CUT -> chunk(out, line.substring(0, line.length() - 1));
            case HANG -> Thread.sleep(Duration.ofMinutes(5).toMillis());
            case END -> out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        }
        return fault == Fault.END;
    }

    private static Instant time(String line) {
        return Instant.parse(line.substring(0, line.indexOf(' ')));
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.write(bytes);
        out.write("\r\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
