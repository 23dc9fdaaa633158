package io.github.trainer4j.local;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.UnsupportedFeatureException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Asks this host what a job would find: the version of Python, its packages, and devices. */
final class HostSnapshot {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int LARGEST = 4 << 20;
    private static final String PACKAGES = """
            import sys
            from importlib import metadata
            print("Python " + sys.version.replace(chr(10), " "))
            print(sys.executable)
            print()
            found = {(d.metadata["Name"] or "?", d.version or "?") for d in metadata.distributions()}
            for name, version in sorted(found, key=lambda item: (item[0].lower(), item[1])):
                print(name + "==" + version)
            """;

    private HostSnapshot() {}

    /**
     * Returns the answers as text.
     *
     * @throws UnsupportedFeatureException if there is no Python interpreter
     * @throws InterruptedException if the thread is interrupted; what was started is ended then
     */
    static String take(Host host) throws InterruptedException {
        Path python;
        try {
            python = host.python();
        } catch (InvalidJobException e) {
            throw new UnsupportedFeatureException(
                    "backend local can tell the packages of a Python interpreter only, and "
                            + "found none; install Python, or name an interpreter with the setting local.python");
        }
        StringBuilder text = new StringBuilder(run(host, List.of(python.toString(), "-c", PACKAGES)));
        Optional<Path> nvidia = host.find("nvidia-smi", host.environment());
        text.append("\nGPUs\n")
                .append(nvidia.isPresent() ? run(host, List.of(nvidia.get().toString(), "-L")) : "none\n");
        return text.toString();
    }

    private static String run(Host host, List<String> command) throws InterruptedException {
        Path output = null;
        Process process = null;
        try {
            output = Files.createTempFile("trainer4j-", ".txt");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().clear();
            builder.environment().putAll(host.environment());
            process = builder.start();
            boolean ended = process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            String text;
            try (InputStream in = Files.newInputStream(output)) {
                text = new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8);
            }
            if (!ended || process.exitValue() != 0) {
                throw new TrainerException(
                        command.get(0) + (ended ? " exited with " + process.exitValue() : " took longer than " + LIMIT)
                                + " when it was asked what is installed; it said:\n" + text,
                        null);
            }
            return text;
        } catch (IOException e) {
            throw new TrainerException(command.get(0) + " could not be asked what is installed: " + e, e);
        } finally {
            end(process);
            discard(output);
        }
    }

    private static void end(@org.jspecify.annotations.Nullable Process process) {
        if (process != null && process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void discard(@org.jspecify.annotations.Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }
}
