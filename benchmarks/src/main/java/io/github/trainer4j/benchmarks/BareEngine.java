package io.github.trainer4j.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** An engine as its own program uses it: what everything else is measured by. */
final class BareEngine {
    static final String IMAGE = "trainer4j-test/torch:1";
    private static final int AT_A_TIME = 8;

    private final String host;

    BareEngine(String host) {
        this.host = host;
    }

    /** Runs the engine's program, and returns what it printed. */
    String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("docker", "-H", host));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + ": " + text);
        }
        return text.strip();
    }

    /** Starts a container that sleeps. */
    String start(String name, String network) throws IOException, InterruptedException {
        return run("run", "-d", "--name", name, "--network", network, IMAGE, "sleep", "600");
    }

    /** Starts containers {@code NAME-node-0} and so on, a few at a time. */
    void start(String name, int count, String network) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(AT_A_TIME);
        List<Future<?>> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String container = name + "-node-" + i;
            runs.add(pool.submit(() -> start(container, network)));
        }
        pool.shutdown();
        for (Future<?> run : runs) {
            run.get();
        }
    }

    /** Returns when the last of the containers {@code NAME-node-0} and so on started, in seconds since 1970. */
    double started(String name, int count) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("inspect", "--format", "{{json .State.StartedAt}}"));
        for (int i = 0; i < count; i++) {
            arguments.add(name + "-node-" + i);
        }
        double last = 0;
        for (String line : run(arguments.toArray(String[]::new)).split("\n", -1)) {
            last = Math.max(last, seconds(Instant.parse(line.replace("\"", ""))));
        }
        return last;
    }

    /** Returns how many seconds a container that has ended ran. */
    double ran(String name) throws IOException, InterruptedException {
        String[] times = run("inspect", "--format", "{{json .State.StartedAt}} {{json .State.FinishedAt}}", name)
                .replace("\"", "")
                .split(" ", -1);
        return seconds(Instant.parse(times[1])) - seconds(Instant.parse(times[0]));
    }

    /** Returns the ids of all containers with a name that begins so. */
    List<String> named(String prefix) throws IOException, InterruptedException {
        String text = run("ps", "-aq", "--filter", "name=^/?" + prefix);
        return text.isEmpty() ? List.of() : List.of(text.split("\n", -1));
    }

    void remove(String prefix, String network) throws IOException, InterruptedException {
        List<String> containers = named(prefix);
        // Podman would wait ten seconds for each: a program that is a container's first is deaf to a farewell.
        run(words("kill", containers));
        run(words("rm", containers));
        run("network", "rm", network);
    }

    private static String[] words(String first, List<String> more) {
        List<String> words = new ArrayList<>(List.of(first));
        words.addAll(more);
        return words.toArray(String[]::new);
    }

    static double seconds(Instant time) {
        return time.getEpochSecond() + time.getNano() / 1e9;
    }
}
