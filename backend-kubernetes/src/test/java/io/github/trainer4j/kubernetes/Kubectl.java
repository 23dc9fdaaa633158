package io.github.trainer4j.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The program kubectl, as the administrator of the test cluster. */
final class Kubectl {
    private Kubectl() {}

    /** Runs it in a namespace, and returns what it prints. */
    static String in(String namespace, String... words) throws IOException, InterruptedException {
        return run("", namespace, words);
    }

    /** Creates or changes resources that are given as YAML or JSON. */
    static void apply(String namespace, String resources) throws IOException, InterruptedException {
        run(resources, namespace, "apply", "-f", "-");
    }

    private static String run(String input, String namespace, String... words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                System.getenv("TRAINER4J_TEST_KUBECTL"),
                "--kubeconfig",
                System.getenv("TRAINER4J_TEST_KUBECONFIG"),
                "--namespace",
                namespace));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var out = process.getOutputStream()) {
            out.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + ": " + said);
        }
        return said.strip();
    }
}
