package io.github.trainer4j.testkit;

import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Kubeflow's Python SDK where a backend's jobs run, in a process of its own that does one thing after the other. A script says
 * how the SDK gets there: it extends {@code Peer} of the Python module {@code kubeflow_peer}, which it finds.
 */
public final class KubeflowPeer implements Closeable {
    /** The environment variable that has the path of a Python with the SDK. */
    public static final String PYTHON = "TRAINER4J_TEST_KUBEFLOW_PYTHON";

    private final Process process;
    private final BufferedReader answers;

    private KubeflowPeer(Process process) {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * A job as the SDK sees it.
     *
     * @param name the job's name
     * @param status its status, such as {@code Running}
     * @param runtime the name of its runtime
     * @param numNodes the number of its nodes
     * @param steps the status of each of its steps
     */
    public record Job(String name, String status, String runtime, int numNodes, Map<String, String> steps) {
        /** Copies the steps. */
        public Job {
            steps = Map.copyOf(steps);
        }

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
    public static final class PeerException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private PeerException(String message) {
            super(message);
        }
    }

    /**
     * Starts it.
     *
     * @param home the home directory of its user
     * @param said where to put what it says beside its answers
     * @param script the Python program
     * @param arguments the program's arguments
     * @throws IOException if it cannot be started
     */
    public static KubeflowPeer start(Path home, ProcessBuilder.Redirect said, Path script, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Objects.requireNonNull(System.getenv(PYTHON), PYTHON));
        command.add(script.toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(said);
        builder.environment().put("HOME", home.toString());
        builder.environment().put("PYTHONPATH", modules().toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        return new KubeflowPeer(builder.start());
    }

    /** The directory of our Python modules; it may be one in a jar, where Python finds them, too. */
    private static Path modules() {
        try {
            return Path.of(KubeflowPeer.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolve("io/github/trainer4j/testkit/kubeflow");
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Starts a job, and returns when the SDK does.
     *
     * @param what the further arguments that the script takes
     */
    public void train(String name, Map<String, String> what) {
        ask("train", name, what);
    }

    /** Returns all jobs. */
    public List<Job> list() {
        return ask("list", Map.of()).objects("jobs", Job::of);
    }

    /** Returns a job. */
    public Job get(String name) {
        return Job.of(ask("get", name, Map.of()));
    }

    /** Returns the lines that a step has written. */
    public List<String> logs(String name, String step) {
        return ask("logs", name, Map.of("step", step)).texts("lines");
    }

    /** Waits until a job has a status, for two minutes at most, and returns it. */
    public Job await(String name, String status) {
        return Job.of(ask("wait", name, Map.of("status", status)));
    }

    /** Deletes a job. */
    public void delete(String name) {
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
