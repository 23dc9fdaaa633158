package io.github.trainer4j.benchmarks;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.client.TrainerClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The local backend against bare processes. */
final class LocalBenchmarks {
    private static final WaitOptions PATIENT = WaitOptions.complete().within(Duration.ofMinutes(5));

    private LocalBenchmarks() {}

    /** A node's start against a bare start of the same command, each from the call until its first act is seen. */
    static void start() throws Exception {
        inClient((client, work) -> {
            for (int i = 0; i < 20; i++) {
                untilTouched(client, work);
                bareUntilTouched(work);
            }
            List<Double> calls = new ArrayList<>();
            double ours = Benchmarks.median(() -> average(() -> {
                double[] both = untilTouched(client, work);
                calls.add(both[0]);
                return both[1];
            }));
            double bare = Benchmarks.median(() -> average(() -> bareUntilTouched(work)));
            calls.sort(Comparator.naturalOrder());
            Benchmarks.print(
                    "from the call until the command acts: bare %.1f ms, through train() %.1f ms, ratio %.2f",
                    bare, ours, ours / bare);
            Benchmarks.print(
                    "train() returns after %.1f ms (median), %.1f ms (slowest of %d)",
                    calls.get(calls.size() / 2), calls.get(calls.size() - 1), calls.size());
        });
    }

    static void list() throws Exception {
        inClient((client, work) -> {
            for (int jobs : new int[] {250, 500, 1000}) {
                List<String> names = new ArrayList<>();
                while (client.list().size() + names.size() < jobs) {
                    names.add(client.train(command("true")).name());
                    if (names.size() == 50) {
                        waitFor(client, names);
                        names.clear();
                    }
                }
                waitFor(client, names);
                client.list();
                double milliseconds = Benchmarks.median(() -> {
                    long start = System.nanoTime();
                    client.list();
                    return Benchmarks.millisecondsSince(start);
                });
                Benchmarks.print(
                        "list of %d finished jobs: %.0f ms, %.3f ms each", jobs, milliseconds, milliseconds / jobs);
            }
        });
    }

    static void many() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        inClient((client, work) -> {
            long start = System.nanoTime();
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                names.add(client.train(command("sleep", "1")).name());
            }
            waitFor(client, names);
            Benchmarks.print(
                    "200 jobs of 1 s at once: all complete after %.1f s", Benchmarks.millisecondsSince(start) / 1000);
            for (String name : names) {
                client.delete(name);
            }
            try (Stream<Path> left = Files.walk(work.resolve("local"))) {
                Benchmarks.print(
                        "files left behind: %d",
                        left.filter(Files::isRegularFile).count());
            }
        });
        List<String> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .toList();
        Benchmarks.print(
                "processes left behind: %d; threads left behind once the client is closed: %s",
                ProcessHandle.current().descendants().count(), threads);
    }

    private static double[] untilTouched(TrainerClient client, Path work) throws Exception {
        Path mark = work.resolve("mark");
        Files.deleteIfExists(mark);
        long start = System.nanoTime();
        TrainJob job = client.train(command("touch", mark.toString()));
        double returned = Benchmarks.millisecondsSince(start);
        awaitFile(mark);
        double acted = Benchmarks.millisecondsSince(start);
        client.waitFor(job.name(), PATIENT);
        client.delete(job.name());
        return new double[] {returned, acted};
    }

    private static double bareUntilTouched(Path work) throws Exception {
        Path mark = work.resolve("mark");
        Files.deleteIfExists(mark);
        long start = System.nanoTime();
        Process process = new ProcessBuilder("touch", mark.toString()).start();
        awaitFile(mark);
        double acted = Benchmarks.millisecondsSince(start);
        process.waitFor();
        return acted;
    }

    private static void awaitFile(Path file) {
        while (!Files.exists(file)) {
            Thread.onSpinWait();
        }
    }

    private interface Round {
        double run() throws Exception;
    }

    private static double average(Round round) throws Exception {
        double sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += round.run();
        }
        return sum / 10;
    }

    private static void waitFor(TrainerClient client, List<String> names) throws InterruptedException {
        for (String name : names) {
            client.waitFor(name, PATIENT);
        }
    }

    private static TrainJobRequest command(String... command) {
        return TrainJobRequest.builder().trainer(CommandTrainer.of(command)).build();
    }

    interface Body {
        void run(TrainerClient client, Path work) throws Exception;
    }

    static void inClient(Body body) throws Exception {
        Path work = Files.createTempDirectory("trainer4j-bench");
        try (TrainerClient client =
                TrainerClient.builder().backend("local").workDirectory(work).build()) {
            body.run(client, work);
        } finally {
            try (Stream<Path> files = Files.walk(work)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
