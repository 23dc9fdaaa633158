package io.github.trainer4j.container;

import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Kubeflow's Python SDK on the same engine, in a process of its own that does one thing after the other. */
final class KubeflowPeer implements Closeable {
    static final String PYTHON = "TRAINER4J_TEST_KUBEFLOW_PYTHON";
    private static final Path SCRIPT = Path.of("src/test/python/kubeflow_peer.py");

    private final Process process;
    private final BufferedReader answers;

    /** A job as the SDK sees it. */
    record Job(String name, String status, String runtime, int numNodes, Map<String, String> steps) {
        private static Job of(Fields fields) {
            return new Job(
                    fields.need("name"),
                    fields.need("status"),
                    fields.need("runtime"),
                    fields.smallNumber("numNodes").orElseThrow(),
                    fields.strings("steps"));
        }
    }

    /** Says what went wrong in the SDK. */
    static final class PeerException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private PeerException(String message) {
            super(message);
        }
    }

    /**
     * Starts it.
     *
     * @param home the home directory of its user
     * @param said the file for what it says beside its answers
     */
    KubeflowPeer(String engine, String host, Path home, Path said) throws IOException {
        Files.createDirectories(home);
        ProcessBuilder builder =
                new ProcessBuilder(System.getenv(PYTHON), SCRIPT.toString(), engine, host).redirectError(said.toFile());
        builder.environment().put("HOME", home.toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        this.process = builder.start();
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    void train(String name, Map<String, String> what) {
        ask("train", name, what);
    }

    List<Job> list() {
        return ask("list", Map.of()).objects("jobs", Job::of);
    }

    Job get(String name) {
        return Job.of(ask("get", name, Map.of()));
    }

    List<String> logs(String name, String step) {
        return ask("logs", name, Map.of("step", step)).texts("lines");
    }

    Job await(String name, String status) {
        return Job.of(ask("wait", name, Map.of("status", status)));
    }

    void delete(String name) {
        ask("delete", name, Map.of());
    }

    private Fields ask(String action, String name, Map<String, String> arguments) {
        Map<String, String> all = new LinkedHashMap<>(arguments);
        all.put("name", name);
        return ask(action, all);
    }

    private synchronized Fields ask(String action, Map<String, String> arguments) {
        Map<String, String> request = new LinkedHashMap<>(arguments);
        request.put("do", action);
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(Json.write(request))
                    .append('\n')
                    .flush();
            String line = answers.readLine();
            if (line == null) {
                throw new PeerException("it has ended");
            }
            Fields answer = Fields.parse(line);
            answer.text("error").ifPresent(error -> {
                throw new PeerException(error);
            });
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        process.onExit().join();
        answers.close();
    }
}
