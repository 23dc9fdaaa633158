package io.github.trainer4j.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs what people run most, on nothing and for nobody, so that the JVM sees which classes belong into an archive. */
public final class WarmUp {
    private static final String JOB = """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: warm-up}
            spec:
              runtimeRef: {name: torch-distributed}
              trainer: {command: ["true"], numNodes: 1, resourcesPerNode: {limits: {cpu: 1}}}
            """;

    private WarmUp() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
        Path home = Files.createTempDirectory("trainer4j-warm-up");
        try {
            Files.writeString(home.resolve("job.yaml"), JOB, StandardCharsets.UTF_8);
            Shell shell = new Shell(
                    new Out(OutputStream.nullOutputStream()),
                    new Out(OutputStream.nullOutputStream()),
                    InputStream.nullInputStream(),
                    home,
                    Map.of(
                            "HOME", home.toString(),
                            "TRAINER4J_BACKEND", "local",
                            "PATH", System.getenv().getOrDefault("PATH", "")),
                    Shell.Terminal.NONE);
            for (List<String> command : List.of(
                    List.of("--help"),
                    List.of("train", "--help"),
                    List.of("train", "-f", "job.yaml", "--dry-run"),
                    List.of("train", "-f", "job.yaml", "--dry-run=yaml"),
                    List.of("train", "-f", "job.yaml", "--wait"),
                    List.of("list"),
                    List.of("get", "warm-up", "-o", "json"),
                    List.of("logs", "warm-up"),
                    List.of("describe", "warm-up"),
                    List.of("delete", "warm-up"),
                    List.of("runtimes"))) {
                new Trainer4j(shell).run(command.toArray(String[]::new));
            }
        } finally {
            remove(home);
        }
        System.exit(Exit.OK);
    }

    private static void remove(Path directory) throws IOException {
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(directory)) {
            paths = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.deleteIfExists(path);
        }
    }
}
