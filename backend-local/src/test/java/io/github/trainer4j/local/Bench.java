package io.github.trainer4j.local;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A work directory with backends on it, each of which stands for a client of its own. */
final class Bench implements AutoCloseable {
    static final TrainingRuntime PLAIN = TrainingRuntime.of("plain", "plain", "test");
    static final TrainingRuntime TORCH = TrainingRuntime.of("torch-distributed", "torch", "test");

    final Path work;
    final Map<String, String> settings = new HashMap<>(Map.of("grace-period", "5s"));
    final Map<String, String> environment = new LinkedHashMap<>(System.getenv());
    final List<TrainingRuntime> runtimes = new ArrayList<>(List.of(TORCH, PLAIN));
    /** Of {@code cluster} only a cluster can run the initializer. */
    final Set<String> schemes = new HashSet<>(Set.of("test", "cluster"));

    private final Map<String, Fetcher> fetchers = new ConcurrentHashMap<>();
    private final List<Backend> backends = new ArrayList<>();

    Bench(Path work) {
        this.work = work;
    }

    /** Lets {@code test://name} be fetched. */
    void fetcher(String name, Fetcher fetcher) {
        fetchers.put(name, fetcher);
    }

    Backend backend() {
        Backend backend = new LocalBackendProvider().create(Settings.of(settings), context());
        backends.add(backend);
        return backend;
    }

    BackendContext context() {
        return new BackendContext(work, work, environment, Clock.systemUTC(), new Catalog(runtimes), this::initializer);
    }

    private Initializer initializer(InitializerSpec spec) {
        if (!schemes.contains(spec.scheme())) {
            throw new InvalidJobException("unknown scheme " + spec.scheme() + "; known: test");
        }
        return new Initializer() {
            @Override
            public InitializerPlan plan() {
                return new InitializerPlan(spec.target(), spec.storageUri(), Map.of(), spec.secrets());
            }

            @Override
            public Optional<Fetcher> fetcher() {
                return Optional.ofNullable(fetchers.get(spec.location()));
            }

            @Override
            public boolean needsCluster() {
                return spec.scheme().equals("cluster");
            }
        };
    }

    Path jobs() {
        return work.resolve("local");
    }

    static TrainJobRequest.Builder shell(String script, int nodes) {
        return TrainJobRequest.builder()
                .runtime(PLAIN)
                .trainer(CommandTrainer.of("sh", "-c", script).numNodes(nodes));
    }

    static TrainJob run(Backend backend, TrainJobRequest request) throws InterruptedException {
        TrainJob job = backend.train(request, ProgressListener.none());
        return await(backend, job.name());
    }

    static TrainJob await(Backend backend, String name) throws InterruptedException {
        return await(backend, name, Duration.ofSeconds(30), JobStatus.COMPLETE, JobStatus.FAILED);
    }

    static TrainJob await(Backend backend, String name, Duration limit, JobStatus... wanted)
            throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            TrainJob job = backend.get(name);
            if (List.of(wanted).contains(job.status())) {
                return job;
            }
            if (System.nanoTime() > end || job.status().isFinal()) {
                throw new AssertionError("not " + List.of(wanted) + " but " + job);
            }
            Thread.sleep(10);
        }
    }

    @Override
    public void close() throws InterruptedException {
        Backend last = backend();
        for (TrainJob job : last.list()) {
            last.delete(job.name());
        }
        backends.forEach(Backend::close);
    }

    private record Catalog(List<TrainingRuntime> list) implements RuntimeCatalog {
        @Override
        public TrainingRuntime get(String name) {
            return list.stream()
                    .filter(runtime -> runtime.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new RuntimeNotFoundException(
                            name, list.stream().map(TrainingRuntime::name).toList()));
        }

        @Override
        public String defaultName() {
            return "torch-distributed";
        }
    }
}
