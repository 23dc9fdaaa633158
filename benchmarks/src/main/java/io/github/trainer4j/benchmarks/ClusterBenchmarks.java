package io.github.trainer4j.benchmarks;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.client.TrainerClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Jobs on a cluster beside Kubeflow's Python SDK, in turn and on the same cluster. */
final class ClusterBenchmarks implements AutoCloseable {
    private static final String RUNTIME = "trainer4j-plain";
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    private static final int JOBS = Integer.getInteger("jobs", 1000);
    private static final int LINES = Integer.getInteger("lines", 100_000);
    /** Which of them to run, where not all. */
    private static final String ONLY = System.getProperty("only", "cold train change follow list");

    private final String kubeconfig;
    private final String namespace;
    private final KubeflowBench kubeflow;
    private final TrainerClient client;
    private final Figures figures = new Figures();

    private ClusterBenchmarks(String kubeconfig, String namespace, String python) throws Exception {
        this.kubeconfig = kubeconfig;
        this.namespace = namespace;
        kubeflow = new KubeflowBench(
                python,
                "kubeflow_cluster_bench.py",
                kubeconfig,
                namespace,
                Path.of(System.getProperty("java.io.tmpdir")));
        client = client(kubeconfig, namespace);
    }

    static TrainerClient client(String kubeconfig, String namespace) {
        return TrainerClient.builder()
                .backend("kubernetes")
                .set("kubernetes.kubeconfig", kubeconfig)
                .set("kubernetes.namespace", namespace)
                .build();
    }

    /** Measures on the cluster that the environment names. */
    static void run() throws Exception {
        String kubeconfig = System.getenv("TRAINER4J_TEST_KUBECONFIG");
        String python = System.getenv("TRAINER4J_TEST_KUBEFLOW_PYTHON");
        if (kubeconfig == null || python == null) {
            Benchmarks.print("no cluster or no SDK; .ci/cluster and .ci/engines have them");
            return;
        }
        try (ClusterBenchmarks benchmarks =
                new ClusterBenchmarks(kubeconfig, System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE"), python)) {
            Benchmarks.print(
                    "%d rounds after one to warm up; seconds, median (least, most); load %s",
                    ROUNDS, Files.readString(Path.of("/proc/loadavg")).strip());
            benchmarks.rounds();
            Benchmarks.print(
                    "load %s", Files.readString(Path.of("/proc/loadavg")).strip());
        }
    }

    private void rounds() throws Exception {
        for (int round = 0; round <= ROUNDS; round++) {
            if (ONLY.contains("cold")) {
                cold();
            }
            if (ONLY.contains("train")) {
                train();
            }
            if (ONLY.contains("change")) {
                change();
            }
            if (round == 0) {
                figures.clear();
            }
        }
        figures.print();
        if (ONLY.contains("follow")) {
            follow();
            figures.print();
        }
        if (ONLY.contains("list")) {
            list();
            figures.print();
        }
    }

    private void cold() throws Exception {
        double begin = now();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ColdStart.class.getName(),
                        kubeconfig,
                        namespace)
                .redirectErrorStream(true)
                .start();
        byte[] said = process.getInputStream().readAllBytes();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(new String(said, java.nio.charset.StandardCharsets.UTF_8));
        }
        figures.note("a JVM that lists runtimes, from start to end", now() - begin);
    }

    private void train() {
        String name = JobName.generate();
        double begin = now();
        client.train(request("true").name(name).build());
        figures.note("train(): this", now() - begin);
        kubeflow.ask("delete " + name);
        String other = JobName.generate();
        figures.note("train(): Kubeflow", kubeflow.ask("train " + other));
        kubeflow.ask("delete " + other);
    }

    /** A job that no controller works on, whose status changes when we say so. */
    private void change() {
        String name = JobName.generate();
        kubeflow.ask("make " + name);
        CompletableFuture<Double> seen = CompletableFuture.supplyAsync(() -> {
            try {
                client.waitFor(name, WaitOptions.complete().within(Duration.ofMinutes(2)));
                return now();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        // Long enough for it to have looked once, and to wait for a hint.
        pause(1000);
        double had = kubeflow.ask("complete " + name);
        figures.note("a change of status, until waitFor returns: this", Math.max(0, seen.join() - had));
        kubeflow.ask("delete " + name);
    }

    private void follow() throws Exception {
        String name = JobName.generate();
        client.train(request("i=0; while [ $i -lt " + LINES
                        + " ]; do echo a line of the usual length, with the number $i; i=$((i+1)); done")
                .name(name)
                .build());
        client.waitFor(name, WaitOptions.complete().within(Duration.ofMinutes(5)));
        for (int round = 0; round <= ROUNDS; round++) {
            AtomicLong lines = new AtomicLong();
            double begin = now();
            try (LogStream log = client.logs(name, LogQuery.step("node-0").following())) {
                log.forEach(line -> lines.incrementAndGet());
            }
            if (lines.get() != LINES) {
                throw new IllegalStateException(lines + " lines");
            }
            double took = now() - begin;
            double theirs = kubeflow.ask("follow " + name);
            if (round > 0) {
                figures.note("a log of " + LINES + " lines, followed: this", took);
                figures.note("a log of " + LINES + " lines, followed: Kubeflow", theirs);
            }
        }
        client.delete(name);
    }

    private void list() {
        kubeflow.ask("fill " + JOBS);
        try {
            for (int round = 0; round <= Math.min(ROUNDS, 3); round++) {
                double begin = now();
                int jobs = client.list().size();
                double took = now() - begin;
                double theirs = kubeflow.ask("list");
                if (jobs < JOBS) {
                    throw new IllegalStateException("only " + jobs + " jobs");
                }
                if (round > 0) {
                    figures.note("list of " + JOBS + " jobs: this", took);
                    figures.note("list of " + JOBS + " jobs: Kubeflow", theirs);
                }
            }
        } finally {
            kubeflow.ask("clear");
        }
    }

    private static TrainJobRequest.Builder request(String script) {
        return TrainJobRequest.builder().runtime(RUNTIME).trainer(CommandTrainer.of("sh", "-c", script));
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static double now() {
        return BareEngine.seconds(Instant.now());
    }

    @Override
    public void close() throws Exception {
        kubeflow.close();
        client.close();
    }
}
