package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.Backend;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk with no space left: a small file system in memory, which a namespace of its own lets any user mount. */
class FullDiskTest {
    private static final List<String> NAMESPACE = List.of(
            "unshare",
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            "mount -t tmpfs -o size=2m none \"$0\" && exec \"$@\"");

    @Test
    void aFullDiskIsToldBeforeAnythingStartsAndLosesNoExitCode(@TempDir Path disk) throws Exception {
        assumeTrue(run(disk, List.of("true")).equals("0"), "no file system can be mounted here");

        String output = run(
                disk,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullDiskTest.class.getName(),
                        disk.toString()));

        assertThat(output).endsWith("all as expected\n0");
    }

    private static String run(Path disk, List<String> command) throws InterruptedException {
        try {
            List<String> all = new java.util.ArrayList<>(NAMESPACE);
            all.add(disk.toString());
            all.addAll(command);
            Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return output + process.waitFor();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The program of the JVM on the small disk. */
    public static void main(String[] args) throws Exception {
        Path disk = Path.of(args[0]);
        Path ballast = disk.resolve("ballast");
        try (Bench bench = new Bench(disk)) {
            Backend backend = bench.backend();
            fill(ballast);
            try {
                backend.train(Bench.shell("true", 1).build(), ProgressListener.none());
                throw new AssertionError("a job was recorded on a full disk");
            } catch (BackendUnavailableException e) {
                expect(e.getMessage().contains("space"), e.getMessage());
            }
            expect(backend.list().isEmpty(), "no job is left");
            Files.delete(ballast);
            if (Files.isDirectory(bench.jobs())) {
                try (var left = Files.list(bench.jobs())) {
                    expect(left.findAny().isEmpty(), "no file is left");
                }
            }

            bench.fetcher("broken", (directory, context) -> {
                while (!Files.exists(disk.resolve("gate"))) {
                    Thread.sleep(20);
                }
                throw new IOException("no space for the data");
            });
            TrainJob fetching = backend.train(
                    Bench.shell("true", 1).dataset("test://broken").build(), ProgressListener.none());
            TrainJob three = backend.train(
                    Bench.shell("until [ -e " + disk.resolve("gate") + " ]; do sleep 0.05; done; exit 3", 1)
                            .build(),
                    ProgressListener.none());
            TrainJob zero = backend.train(
                    Bench.shell("until [ -e " + disk.resolve("gate") + " ]; do sleep 0.05; done", 1)
                            .build(),
                    ProgressListener.none());
            Bench.await(backend, three.name(), Duration.ofSeconds(20), JobStatus.RUNNING);
            Bench.await(backend, zero.name(), Duration.ofSeconds(20), JobStatus.RUNNING);
            Files.createFile(disk.resolve("gate.new"));
            fill(ballast);
            Files.move(disk.resolve("gate.new"), disk.resolve("gate"));

            TrainJob failed = Bench.await(backend, three.name());
            expect(failed.failure().orElseThrow().exitCode().orElse(-1) == 3, failed.toString());
            expect(
                    Bench.await(backend, fetching.name())
                            .failure()
                            .orElseThrow()
                            .message()
                            .contains("no space for the data"),
                    "why it could not be fetched is told");
            expect(Bench.await(backend, zero.name()).status() == JobStatus.COMPLETE, "exit 0 is complete");
            Files.delete(ballast);
            expect(backend.get(three.name()).failure().orElseThrow().exitCode().orElse(-1) == 3, "it stays");
        }
        System.out.println("all as expected");
    }

    private static void expect(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    private static void fill(Path file) throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            expect(e.getMessage().contains("space"), e.toString());
        }
    }
}
