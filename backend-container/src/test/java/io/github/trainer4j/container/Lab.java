package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerProvider;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.api.state.FileTree;
import io.github.trainer4j.testkit.StandInInitializerProvider;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** One backend on a real engine, and the jobs that a test starts on it; all of them are gone when it is closed. */
final class Lab implements Closeable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final BackendProvider provider;
    private final String host;
    private final Path work;
    private final List<ContainerBackend> backends = new ArrayList<>();
    private final List<String> jobs = new ArrayList<>();
    private final Map<String, TrainingRuntime> runtimes = new LinkedHashMap<>();

    Lab(BackendProvider provider, String host) throws IOException {
        this(provider, host, Files.createTempDirectory("trainer4j-lab-").toRealPath());
    }

    /** Makes one over the state in a directory that the engine sees at the same place, perhaps that of another. */
    Lab(BackendProvider provider, String host, Path work) {
        this.provider = provider;
        this.host = host;
        this.work = work;
        for (String framework : List.of("plain", "torch", "jax")) {
            runtimes.put(
                    framework, TrainingRuntime.of(framework, framework, "test").withImage(Engines.BUSYBOX));
        }
        Map.of("torch-distributed", "torch", "torchtune-llama3.2-1b", "torchtune")
                .forEach((name, framework) -> runtimes.put(
                        name, TrainingRuntime.of(name, framework, "test").withImage(Engines.BUSYBOX)));
    }

    Path work() {
        return work;
    }

    String host() {
        return host;
    }

    /** Makes a backend with these settings, over the same state. */
    ContainerBackend backend(Map<String, String> settings) {
        return backend(host, settings);
    }

    ContainerBackend backend(String address, Map<String, String> settings) {
        Map<String, String> full = new LinkedHashMap<>();
        full.put(provider.name() + ".host", address);
        full.put(provider.name() + ".grace-period", "2s");
        settings.forEach((key, value) -> full.put(provider.name() + "." + key, value));
        Settings read = Settings.of(full);
        ContainerBackend backend = (ContainerBackend) provider.create(
                read.under(provider.name()),
                new BackendContext(
                        work.resolve("home"),
                        work.resolve("state"),
                        Map.of(),
                        Clock.systemUTC(),
                        new Catalog(),
                        Lab::initializer));
        read.check();
        backends.add(backend);
        return backend;
    }

    private static Initializer initializer(InitializerSpec spec) {
        InitializerProvider standIn = new StandInInitializerProvider();
        if (!spec.scheme().equals(standIn.scheme())) {
            throw new InvalidJobException("no initializer for " + spec.storageUri());
        }
        return standIn.create(spec);
    }

    /** A request with a fresh name. */
    TrainJobRequest.Builder job() {
        return job(JobName.generate());
    }

    TrainJobRequest.Builder job(String name) {
        jobs.add(name);
        return TrainJobRequest.builder().name(name).runtime("plain");
    }

    void adopt(String name) {
        jobs.add(name);
    }

    static InitializerSpec fetch(InitializerSpec spec) {
        return spec.image(Engines.INITIALIZER);
    }

    TrainJob start(ContainerBackend backend, TrainJobRequest request) {
        return backend.train(request, ProgressListener.none());
    }

    /** Starts a job and waits until it is over. */
    TrainJob run(ContainerBackend backend, TrainJobRequest request) throws InterruptedException {
        return over(backend, start(backend, request).name());
    }

    TrainJob over(ContainerBackend backend, String name) throws InterruptedException {
        return await(backend, name, job -> job.status().isFinal());
    }

    TrainJob await(ContainerBackend backend, String name, Predicate<TrainJob> reached) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            TrainJob job = backend.get(name);
            if (reached.test(job)) {
                return job;
            }
            assertThat(job.status().isFinal())
                    .as(() -> "it is over before its time: " + job.failure() + " " + job.steps())
                    .isFalse();
            assertThat(System.nanoTime()).as(() -> "too long: " + job).isLessThan(end);
            Thread.sleep(50);
        }
    }

    /** Empties a job's workspace through the engine alone, and returns it. */
    Path sweep(String job) {
        JobStore store = new JobStore(work.resolve("state"));
        EngineAddress address = new EngineAddress(URI.create(host), Optional.empty(), "test");
        try (Engine engine =
                Engine.open(new EngineConnection(address, Duration.ofSeconds(60), "sweep-"), Duration.ofSeconds(60))) {
            Product product = provider.name().equals("docker") ? Product.DOCKER : Product.PODMAN;
            Sighted sighted = new Sightings(product, store).find(engine, job).orElseThrow();
            Path workspace = store.directory(job).workspace();
            new EngineSweep(engine).empty(workspace, sighted.record());
            return workspace;
        }
    }

    static void isComplete(TrainJob job) {
        assertThat(job.status()).as(() -> String.valueOf(job.failure())).isEqualTo(JobStatus.COMPLETE);
    }

    static List<String> log(ContainerBackend backend, String name, String step) throws InterruptedException {
        return lines(backend, name, LogQuery.step(step));
    }

    static List<String> lines(ContainerBackend backend, String name, LogQuery query) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        try (LogStream stream = backend.logs(name, query)) {
            stream.forEach((LogLine line) -> lines.add(line.text()));
        }
        return lines;
    }

    /** Deletes the jobs before the test is over. */
    List<String> deleteJobs() {
        List<String> left = new ArrayList<>();
        try (ContainerBackend cleaner = backend(Map.of())) {
            for (String job : jobs) {
                try {
                    cleaner.delete(job);
                } catch (JobNotFoundException e) {
                    // The test has deleted it, or it was refused.
                    continue;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                left.addAll(Engines.traces(host, job));
            }
        }
        return left;
    }

    @Override
    public void close() throws IOException {
        List<String> left = deleteJobs();
        backends.forEach(ContainerBackend::close);
        List<String> problems = new ArrayList<>();
        FileTree.remove(work, problems);
        assertThat(left).as("what is left on the engine").isEmpty();
        assertThat(problems).as("files that are left").isEmpty();
    }

    private final class Catalog implements RuntimeCatalog {
        @Override
        public List<TrainingRuntime> list() {
            return List.copyOf(runtimes.values());
        }

        @Override
        public TrainingRuntime get(String name) {
            TrainingRuntime runtime = runtimes.get(name);
            if (runtime == null) {
                throw new RuntimeNotFoundException(name, runtimes.keySet());
            }
            return runtime;
        }

        @Override
        public String defaultName() {
            return "plain";
        }
    }
}
