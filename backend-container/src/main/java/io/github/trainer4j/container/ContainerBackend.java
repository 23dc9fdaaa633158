package io.github.trainer4j.container;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.container.EngineException.Kind;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs jobs as containers of an engine. What it knows about them is in labels and files; it keeps nothing to itself. */
final class ContainerBackend implements Backend {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerBackend.class);
    /** The uids of all jobs that this process launches, by whichever backend. */
    private static final Set<String> LAUNCHED_HERE = ConcurrentHashMap.newKeySet();

    private final Product product;
    private final BackendContext context;
    private final ContainerSettings settings;
    private final String threadPrefix;
    private final JobStore store;
    private final Planner planner;
    private final WorkspaceChoice workspaces;
    private final Feasibility feasibility;
    private final EngineLink link;
    private final Sightings sightings;
    private final JobReader reader;
    private final NetworkReserve networks;
    private final Settlement settlement;
    private final Monitor monitor;
    private final JobLogs logs;
    private final Removal removal;
    /** The launches of this backend that are going on, by the uid of their jobs. */
    private final Map<String, Thread> launches = new ConcurrentHashMap<>();
    /** Why launches of this process failed, by the uid of their jobs, where no disk had room for it. */
    private final Map<String, Cause> failed = new ConcurrentHashMap<>();

    ContainerBackend(Product product, ContainerSettings settings, EngineLocator locator, BackendContext context) {
        this.product = product;
        this.context = context;
        this.settings = settings;
        this.threadPrefix = "trainer4j-" + product.backend() + "-";
        this.store = new JobStore(context.workDirectory());
        this.planner = new Planner(product, context, settings);
        this.workspaces = new WorkspaceChoice(settings.workspace(), store);
        this.feasibility = new Feasibility(product, settings.strictLimits());
        this.link = new EngineLink(
                product,
                locator::candidates,
                RegistryCredentials.of(product, context.environment(), context.home()),
                settings.callLimit(),
                threadPrefix);
        this.sightings = new Sightings(product, store);
        this.reader = new JobReader(
                product,
                context.clock(),
                record -> LAUNCHED_HERE.contains(record.uid()),
                record -> Optional.ofNullable(failed.get(record.uid())));
        this.networks = new NetworkReserve(sightings, reader);
        this.settlement = new Settlement(reader, context.clock(), threadPrefix);
        this.monitor = new Monitor(link::engine, this::lookAfter, threadPrefix);
        this.logs = new JobLogs(product);
        this.removal = new Removal(product, store, sightings, threadPrefix);
    }

    static ContainerBackend create(Product product, Settings settings, BackendContext context) {
        ContainerSettings read = ContainerSettings.read(settings, context.environment());
        EngineLocator locator = new EngineLocator(
                product,
                EngineSettings.read(settings, context.home()),
                context.environment(),
                context.home(),
                EngineLocator.thisUser());
        return new ContainerBackend(product, read, locator, context);
    }

    @Override
    public JobPlan plan(TrainJobRequest request) {
        Objects.requireNonNull(request, "request");
        return planner.plan(request, store, "", workspaces.isVolume()).toJobPlan();
    }

    @Override
    public TrainJob train(TrainJobRequest request, ProgressListener listener) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(listener, "listener");
        return answer(() -> {
            // What is wrong with a request is told also where no engine answers.
            planner.plan(request, store, "", workspaces.isVolume());
            Engine engine = link.engine();
            ContainerPlan plan =
                    planner.plan(request, store, engine.address().uri().toString(), workspaces.isVolume(engine));
            List<String> warnings = feasibility.check(plan, engine::facts);
            refuseTakenName(engine, plan.record());
            return launch(engine, plan, warnings, listener);
        });
    }

    private void refuseTakenName(Engine engine, JobRecord record) {
        if (sightings.find(engine, record.name()).isPresent()) {
            throw InvalidJobException.nameTaken(record.name());
        }
        List<String> wanted =
                record.stepNames().stream().map(record::containerName).toList();
        for (String name : engine.containerNames(record.name() + "-")) {
            if (wanted.contains(name)) {
                throw new InvalidJobException(
                        "there is a container " + name
                                + " already, which belongs to no job; choose another name for the job, or remove the container");
            }
        }
        if (engine.hasNetwork(record.networkName())) {
            throw new InvalidJobException("there is a network " + record.networkName()
                    + " already, which belongs to no job; choose another name for the job, or remove the network");
        }
    }

    private TrainJob launch(Engine engine, ContainerPlan plan, List<String> warnings, ProgressListener listener) {
        JobRecord record = plan.record();
        JobDirectory directory = store.directory(record.name());
        JobSite site =
                new JobSite(engine, networks, directory, new JobEvents(directory.events(), context.clock()), record);
        JobLaunch launch = new JobLaunch(
                plan,
                site,
                settings,
                context.environment(),
                context.clock(),
                listener,
                cause -> failed.put(record.uid(), cause),
                threadPrefix + record.name() + "-");
        Thread thread = new Thread(
                () -> {
                    try {
                        launch.run();
                    } finally {
                        forget(record);
                        monitor.keep(record.name());
                    }
                },
                threadPrefix + "launch-" + record.name());
        // Before the job can be seen: one that is seen without its launch counts as left alone.
        launches.put(record.uid(), thread);
        LAUNCHED_HERE.add(record.uid());
        try {
            store.claim(record);
            warnings.forEach(warning -> site.events().warning(Optional.empty(), "LimitsIgnored", warning));
            TrainJob created = reader.read(
                            new Sighted(record, Optional.of(directory), Map.of(), Set.of(), Optional.empty(), false))
                    .job();
            thread.start();
            expireAt(record, launch);
            return created;
        } catch (RuntimeException | Error e) {
            forget(record);
            throw e;
        }
    }

    private void forget(JobRecord record) {
        launches.remove(record.uid());
        LAUNCHED_HERE.remove(record.uid());
    }

    private void expireAt(JobRecord record, JobLaunch launch) {
        record.deadline()
                .ifPresent(deadline ->
                        monitor.after(Duration.between(context.clock().instant(), deadline), () -> {
                            Thread thread = launches.get(record.uid());
                            if (thread != null) {
                                launch.expire();
                                thread.interrupt();
                            } else {
                                monitor.signal(record.name());
                            }
                        }));
    }

    @Override
    public TrainJob get(String name) {
        Objects.requireNonNull(name, "name");
        return answer(() -> {
            Engine engine = link.engine();
            Picture picture = look(engine, name);
            return picture.sighted().foreign()
                    ? settlement.closer(engine, picture).job()
                    : settlement.settle(engine, picture);
        });
    }

    private Picture look(Engine engine, String name) {
        return reader.read(sightings.glance(engine, name).orElseThrow(() -> missing(name)));
    }

    @Override
    public List<TrainJob> list() {
        return answer(() -> {
            Engine engine = link.engine();
            return sightings.all(engine).stream()
                    .flatMap(sighted -> inList(engine, sighted).stream())
                    .sorted(Comparator.comparing(TrainJob::creationTime).thenComparing(TrainJob::name))
                    .toList();
        });
    }

    private Optional<TrainJob> inList(Engine engine, Sighted sighted) {
        try {
            return Optional.of(settlement.settle(engine, reader.read(sighted)));
        } catch (JobNotFoundException e) {
            // It was deleted meanwhile.
            return Optional.empty();
        }
    }

    @Override
    public LogStream logs(String name, LogQuery query) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(query, "query");
        return answer(() -> {
            Engine engine = link.engine();
            Sighted sighted = sightings.glance(engine, name).orElseThrow(() -> missing(name));
            List<String> steps = logs.steps(sighted, query);
            if (!query.follow()) {
                return logs.open(engine, sighted, query);
            }
            FollowedLogs followed = new FollowedLogs(
                    engine, () -> lookAndSettle(engine, name), steps, query, threadPrefix + name + "-");
            AutoCloseable watch = monitor.watch(name, followed::hint);
            return new WatchedLogs(followed, watch);
        });
    }

    private Picture lookAndSettle(Engine engine, String name) {
        Picture picture = look(engine, name);
        if (picture.sighted().foreign()) {
            return settlement.closer(engine, picture);
        }
        if (picture.next() == Picture.Next.NOTHING) {
            return picture;
        }
        settlement.settle(engine, picture);
        return look(engine, name);
    }

    @Override
    public List<Event> events(String name) {
        Objects.requireNonNull(name, "name");
        return answer(() -> JobHistory.of(lookAndSettle(link.engine(), name)));
    }

    @Override
    public void delete(String name) throws InterruptedException {
        Objects.requireNonNull(name, "name");
        try {
            Engine engine = link.engine();
            Sighted job = sightings.find(engine, name).orElseThrow(() -> missing(name));
            monitor.release(name);
            cancelLaunch(job.record());
            removal.remove(engine, job, job.record().grace());
            failed.remove(job.record().uid());
            monitor.signal(name);
        } catch (EngineException e) {
            throw interruptedOr(e, "while job " + name + " was deleted");
        }
    }

    private void cancelLaunch(JobRecord record) throws InterruptedException {
        Thread launch = launches.get(record.uid());
        if (launch != null) {
            launch.interrupt();
            launch.join();
        }
    }

    @Override
    public AutoCloseable watch(String name, Runnable changed) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(changed, "changed");
        return monitor.watch(name, changed);
    }

    /** Looks after a job that this process launched, until it is over. */
    private void lookAfter(String name) {
        try {
            if (get(name).status().isFinal()) {
                monitor.release(name);
            }
        } catch (JobNotFoundException e) {
            monitor.release(name);
        }
    }

    @Override
    public List<TrainingRuntime> runtimes() {
        return context.runtimes().list();
    }

    @Override
    public TrainingRuntime runtime(String name) {
        Objects.requireNonNull(name, "name");
        return context.runtimes().get(name);
    }

    @Override
    public String runtimePackages(TrainingRuntime runtime) throws InterruptedException {
        Objects.requireNonNull(runtime, "runtime");
        try {
            return new PackagesReport(product, link.engine(), settings).of(runtime);
        } catch (EngineException e) {
            throw interruptedOr(e, "while the packages of " + runtime.name() + " were listed");
        }
    }

    /** Returns the error that users see, unless the calling thread was interrupted. */
    private static RuntimeException interruptedOr(EngineException e, String during) throws InterruptedException {
        if (e.kind() == Kind.INTERRUPTED) {
            Thread.interrupted();
            throw new InterruptedException("interrupted " + during);
        }
        return e.toUnavailable();
    }

    private JobNotFoundException missing(String name) {
        return JobNotFoundException.noJob(name, product.backend());
    }

    /** Asks the engine, and tells users what they can understand when it cannot answer. */
    private static <T> T answer(Supplier<T> question) {
        try {
            return question.get();
        } catch (EngineException e) {
            throw e.toUnavailable();
        }
    }

    @Override
    public void close() {
        boolean interrupted = false;
        for (Thread launch : List.copyOf(launches.values())) {
            interrupted |= await(launch, interrupted);
        }
        monitor.close();
        if (!interrupted) {
            try {
                settlement.awaitStops();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        link.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a launch; an interrupt ends the launch, which is waited for all the same. Returns whether there was one. */
    private static boolean await(Thread launch, boolean interruptedBefore) {
        boolean interrupted = interruptedBefore;
        if (interrupted) {
            launch.interrupt();
        }
        while (true) {
            try {
                launch.join();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
                LOG.info("closing was interrupted: {} is stopped", launch.getName());
                launch.interrupt();
            }
        }
    }

    /** A followed log that is told when to look. */
    private record WatchedLogs(LogStream logs, @Nullable AutoCloseable watch) implements LogStream {
        @Override
        public Optional<io.github.trainer4j.api.LogLine> next() throws InterruptedException {
            return logs.next();
        }

        @Override
        public void close() {
            logs.close();
            if (watch != null) {
                try {
                    watch.close();
                } catch (Exception e) {
                    LOG.debug("a watch did not end", e);
                }
            }
        }
    }
}
