package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Kubeflow's Python SDK on the same cluster, in a process of its own that does one thing after the other. */
final class KubeflowPeer implements Closeable {
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

    /** Starts it, for a user's kubeconfig and a namespace. */
    KubeflowPeer(String kubeconfig, String namespace) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        System.getenv("TRAINER4J_TEST_KUBEFLOW_PYTHON"), SCRIPT.toString(), kubeconfig, namespace)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        this.process = builder.start();
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    void train(String name, String runtime, String image) {
        ask("train", Map.of("name", name, "runtime", runtime, "image", image));
    }

    List<Job> list() {
        return ask("list", Map.of()).objects("jobs", Job::of);
    }

    Job get(String name) {
        return Job.of(ask("get", Map.of("name", name)));
    }

    List<String> logs(String name, String step) {
        return ask("logs", Map.of("name", name, "step", step)).texts("lines");
    }

    Job await(String name, String status) {
        return Job.of(ask("wait", Map.of("name", name, "status", status)));
    }

    void delete(String name) {
        ask("delete", Map.of("name", name));
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
                throw new IllegalStateException("the SDK has ended");
            }
            Fields answer = Fields.parse(line);
            answer.text("error").ifPresent(error -> {
                throw new IllegalStateException(error);
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
