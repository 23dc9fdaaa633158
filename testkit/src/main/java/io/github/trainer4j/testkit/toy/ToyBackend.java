package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.NodeLaunch;
import io.github.trainer4j.api.launch.Placement;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Turns requests into {@link ToyJob}s and finds them again. */
final class ToyBackend implements Backend {
    private static final String NAME = "toy";
    /** The jobs of this JVM by work directory: what would be a server, or files, for a real backend. */
    private static final Map<Path, Map<String, ToyJob>> JOBS = new ConcurrentHashMap<>();

    private final Duration grace;
    private final BackendContext context;
    private final Map<String, ToyJob> jobs;
    private final List<ToyJob> launched = new CopyOnWriteArrayList<>();

    ToyBackend(Duration grace, BackendContext context) {
        this.grace = grace;
        this.context = context;
        this.jobs = JOBS.computeIfAbsent(context.workDirectory().toAbsolutePath(), path -> new ConcurrentHashMap<>());
    }

    @Override
    public JobPlan plan(TrainJobRequest request) {
        ToyJob.Plan plan = planned(request);
        List<JobPlan.PlannedStep> steps = new ArrayList<>();
        plan.fetchers()
                .forEach((spec, fetcher) -> steps.add(new JobPlan.PlannedStep(
                        spec.target().step(),
                        List.of("fetch", spec.storageUri()),
                        Optional.empty(),
                        Map.of(),
                        Set.of(),
                        List.of(),
                        List.of())));
        for (int rank = 0; rank < plan.launch().numNodes(); rank++) {
            NodeLaunch node = plan.launch().node(rank, plan.placement());
            steps.add(new JobPlan.PlannedStep(
                    "node-" + rank,
                    node.command(),
                    Optional.empty(),
                    node.env(),
                    node.secretEnv().keySet(),
                    node.files().stream().map(file -> file.path()).toList(),
                    List.of()));
        }
        return new JobPlan(
                NAME,
                plan.name(),
                plan.runtime().name() + " from " + plan.runtime().source(),
                steps,
                Optional.empty());
    }

    @Override
    public TrainJob train(TrainJobRequest request, ProgressListener listener) {
        Objects.requireNonNull(listener, "listener");
        ToyJob job = new ToyJob(planned(request), grace, context, listener);
        if (jobs.putIfAbsent(job.name(), job) != null) {
            throw new InvalidJobException(
                    "there is a job '" + job.name() + "' already; choose another name, or delete that job");
        }
        TrainJob created = job.read();
        launched.add(job);
        job.start();
        return created;
    }

    /** Checks all of a request, and refuses what a toy cannot do. */
    private ToyJob.Plan planned(TrainJobRequest request) {
        Objects.requireNonNull(request, "request");
        TrainingRuntime runtime = context.runtimes().of(request);
        Launch launch = Launch.of(request, runtime, context.environment());
        JobOption.check(NAME, request.options(), Set.of());
        Trainer trainer = request.trainer().orElse(null);
        if (trainer instanceof CustomTrainerContainer || request.nodes().image().isPresent()) {
            refuse("an image");
        }
        if (trainer instanceof CustomTrainer script
                && !script.packagesToInstall().isEmpty()) {
            refuse("packages to install");
        }
        NodeSettings nodes = request.nodes();
        if (!nodes.resourcesPerNode().isEmpty()) {
            refuse("resources of nodes");
        }
        if (nodes.secretEnv().values().stream()
                .anyMatch(secret -> secret.reference().isPresent())) {
            refuse("a reference to a secret");
        }
        Map<InitializerSpec, Fetcher> fetchers = new LinkedHashMap<>();
        for (InitializerSpec spec : request.initializers()) {
            if (spec.image().isPresent() || !spec.resources().isEmpty()) {
                refuse("an image or resources of an initializer");
            }
            Initializer initializer = context.initializers().create(spec);
            fetchers.put(
                    spec, initializer.fetcher().orElseThrow(() -> refusal("the initializer " + spec.storageUri())));
        }
        String name = request.name().orElseGet(JobName::generate);
        String workspace = context.workDirectory()
                .toAbsolutePath()
                .resolve(NAME)
                .resolve(name)
                .toString();
        Placement placement =
                new Placement(name, workspace, "python3", "java", File.pathSeparator, Path::toString, "127.0.0.1", 0);
        if (launch.node(0, placement).command().isEmpty()) {
            throw new InvalidJobException("there is nothing to run: the job has no trainer and runtime "
                    + runtime.name() + " has no command; give a trainer");
        }
        return new ToyJob.Plan(name, request, runtime, launch, placement, fetchers);
    }

    private static void refuse(String what) {
        throw refusal(what);
    }

    private static UnsupportedFeatureException refusal(String what) {
        return new UnsupportedFeatureException(
                "backend " + NAME + " cannot do " + what + "; leave it out, or use another backend");
    }

    @Override
    public TrainJob get(String name) {
        return job(name).read();
    }

    @Override
    public List<TrainJob> list() {
        return jobs.values().stream()
                .sorted(Comparator.comparing(ToyJob::number))
                .map(ToyJob::read)
                .toList();
    }

    @Override
    public LogStream logs(String name, LogQuery query) {
        return job(name).logs(query);
    }

    @Override
    public List<Event> events(String name) {
        return job(name).events();
    }

    @Override
    public void delete(String name) throws InterruptedException {
        ToyJob job = job(name);
        job.delete();
        if (!jobs.remove(name, job)) {
            throw JobNotFoundException.noJob(name, NAME);
        }
    }

    @Override
    public AutoCloseable watch(String name, Runnable changed) {
        return job(name).watch(changed);
    }

    @Override
    public List<TrainingRuntime> runtimes() {
        return context.runtimes().list();
    }

    @Override
    public TrainingRuntime runtime(String name) {
        return context.runtimes().get(name);
    }

    @Override
    public String runtimePackages(TrainingRuntime runtime) {
        throw refusal("listing packages");
    }

    @Override
    public void close() {
        try {
            for (ToyJob job : launched) {
                job.awaitLaunched();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            launched.forEach(ToyJob::abandonLaunch);
        }
    }

    private ToyJob job(String name) {
        ToyJob job = jobs.get(Objects.requireNonNull(name, "name"));
        if (job == null) {
            throw JobNotFoundException.noJob(name, NAME);
        }
        return job;
    }
}
