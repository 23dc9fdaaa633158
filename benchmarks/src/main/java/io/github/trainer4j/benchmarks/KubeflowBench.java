package io.github.trainer4j.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Kubeflow's Python SDK, in a process of its own that measures itself. */
final class KubeflowBench implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;

    /**
     * Starts it.
     *
     * @param script the name of the program below {@code src/main/python}
     * @param kind its first argument, which says what kind of engine there is, or how to reach it
     * @param place its second, which says where
     */
    KubeflowBench(String python, String script, String kind, String place, Path home) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        python, Path.of("src/main/python", script).toString(), kind, place)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("HOME", home.toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        this.process = builder.start();
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Asks for one thing, and returns the first number of the answer. */
    double ask(String request) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(request)
                    .append('\n')
                    .flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("the SDK has ended over: " + request);
            }
            double number = Double.parseDouble(answer.split(" ", -1)[0]);
            if (Double.isNaN(number)) {
                throw new IllegalStateException("the SDK fails over: " + request);
            }
            return number;
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
