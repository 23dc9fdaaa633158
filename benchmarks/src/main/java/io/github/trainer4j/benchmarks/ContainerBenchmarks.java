package io.github.trainer4j.benchmarks;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobFailedException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.client.TrainerClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Jobs in containers beside the engine's own program and Kubeflow's Python SDK, in turn and on one engine. A start counts until
 * the moment that the engine notes for it.
 */
final class ContainerBenchmarks implements AutoCloseable {
    private static final int NODES = 16;
    private static final int JOBS = 200;
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    /** Which of them to run, where not all: a round takes a minute. */
    private static final String ONLY = System.getProperty("only", "one fetch many fail list");

    private final Path work;
    private final BareEngine bare;
    private final KubeflowBench kubeflow;
    private final TrainerClient client;
    private final Figures figures = new Figures();

    private ContainerBenchmarks(String engine, String host, String python) throws Exception {
        work = Files.createTempDirectory("trainer4j-bench-").toRealPath();
        bare = new BareEngine(host);
        kubeflow = new KubeflowBench(python, "kubeflow_bench.py", engine, host, work);
        client = TrainerClient.builder()
                .backend(engine)
                .set(engine + ".host", host)
                .set(engine + ".grace-period", "0s")
                .set(engine + ".dataset-initializer-image", "trainer4j-test/initializer:1")
                .set(engine + ".model-initializer-image", "trainer4j-test/initializer:1")
                .home(work)
                .workDirectory(work.resolve("state"))
                .build();
    }

    /** Measures on each engine that the environment names. */
    static void run() throws Exception {
        String python = System.getenv("TRAINER4J_TEST_KUBEFLOW_PYTHON");
        for (String engine : List.of("docker", "podman")) {
            String host = System.getenv("TRAINER4J_TEST_" + engine.toUpperCase(Locale.ROOT));
            if (host == null || python == null) {
                Benchmarks.print("%s: no engine or no SDK; .ci/engines has both", engine);
                continue;
            }
            try (ContainerBenchmarks benchmarks = new ContainerBenchmarks(engine, host, python)) {
                Benchmarks.print("%s, %d rounds after one to warm up; seconds, median (least, most)", engine, ROUNDS);
                benchmarks.rounds();
            }
        }
    }

    private void rounds() throws Exception {
        for (int round = 0; round <= ROUNDS; round++) {
            if (ONLY.contains("one")) {
                one();
            }
            if (ONLY.contains("fetch")) {
                fetch();
            }
            if (ONLY.contains("many")) {
                many();
            }
            if (ONLY.contains("fail")) {
                fail();
            }
            if (round == 0) {
                figures.clear();
            }
        }
        figures.print();
        if (ONLY.contains("list")) {
            list();
            figures.print();
        }
    }

    private void one() throws Exception {
        String name = JobName.generate();
        double begin = now();
        bare.run("network", "create", name + "-net");
        double made = now();
        bare.start(name + "-node-0", name + "-net");
        figures.note("one node: docker run -d alone, until it returns", now() - made);
        figures.note("one node: docker network create and run -d", bare.started(name, 1) - begin);
        bare.remove(name, name + "-net");
        figures.note("one node: this", ours(request()));
        figures.note("one node: Kubeflow", theirs("train NAME 1", 1));
    }

    private void fetch() throws Exception {
        figures.note(
                "two initializers of 3 s: this",
                ours(request()
                        .dataset(InitializerSpec.dataset("hf://test/sleep-3"))
                        .model(InitializerSpec.model("hf://test/sleep-3"))));
        figures.note("two initializers of 3 s: Kubeflow", theirs("fetch NAME", 1));
    }

    private void many() throws Exception {
        String name = JobName.generate();
        bare.run("network", "create", name + "-net");
        double begin = now();
        bare.start(name, NODES, name + "-net");
        figures.note("16 nodes: docker run -d, eight at a time", bare.started(name, NODES) - begin);
        bare.remove(name, name + "-net");
        figures.note("16 nodes: this", ours(request().trainer(sleep().numNodes(NODES))));
        figures.note("16 nodes: Kubeflow", theirs("train NAME " + NODES, NODES));
    }

    private void fail() throws Exception {
        String name = JobName.generate();
        double begin = now();
        client.train(request()
                .name(name)
                .dataset(InitializerSpec.dataset("hf://test/fail-after-0.5"))
                .model(InitializerSpec.model("hf://test/sleep-3"))
                .build());
        try {
            client.waitFor(name, WaitOptions.complete().within(Duration.ofMinutes(2)));
            throw new IllegalStateException("it did not fail");
        } catch (JobFailedException e) {
            figures.note("first failure at 0.5 s: this", now() - begin);
        }
        if (!bare.named(name).isEmpty()) {
            throw new IllegalStateException("containers are left: " + bare.named(name));
        }
        client.delete(name);
        figures.note("first failure at 0.5 s: Kubeflow", kubeflow.ask("fail " + JobName.generate()));
    }

    private void list() {
        kubeflow.ask("fill " + JOBS);
        try {
            for (int round = 0; round <= ROUNDS; round++) {
                double begin = now();
                int jobs = client.list().size();
                double took = now() - begin;
                double theirs = kubeflow.ask("list");
                if (jobs < JOBS) {
                    throw new IllegalStateException("only " + jobs + " jobs");
                }
                if (round > 0) {
                    figures.note("list of 200 jobs: this", took);
                    figures.note("list of 200 jobs: Kubeflow", theirs);
                }
            }
        } finally {
            kubeflow.ask("clear");
        }
    }

    /** Runs a job of ours, and returns the seconds until its last node started. */
    private double ours(TrainJobRequest.Builder request) throws Exception {
        String name = JobName.generate();
        double begin = now();
        client.train(request.name(name).build());
        figures.note("train() until it returns", now() - begin);
        client.waitFor(name, WaitOptions.forStatus(JobStatus.RUNNING).within(Duration.ofMinutes(2)));
        double took = bare.started(name, client.get(name).numNodes()) - begin;
        if (!request.build().initializers().isEmpty()) {
            figures.note(
                    "two initializers of 3 s: what the longer one took",
                    Math.max(bare.ran(name + "-dataset-initializer"), bare.ran(name + "-model-initializer")));
        }
        client.delete(name);
        return took;
    }

    private double theirs(String request, int nodes) throws Exception {
        String name = JobName.generate();
        double begin = kubeflow.ask(request.replace("NAME", name));
        double took = bare.started(name, nodes) - begin;
        kubeflow.ask("delete " + name);
        return took;
    }

    private static TrainJobRequest.Builder request() {
        return TrainJobRequest.builder().trainer(sleep());
    }

    private static CommandTrainer sleep() {
        return CommandTrainer.of("sleep", "600").image(BareEngine.IMAGE);
    }

    private static double now() {
        return BareEngine.seconds(Instant.now());
    }

    @Override
    public void close() throws Exception {
        kubeflow.close();
        client.close();
        try (Stream<Path> files = Files.walk(work)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
