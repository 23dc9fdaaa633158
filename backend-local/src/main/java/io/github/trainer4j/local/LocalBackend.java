package io.github.trainer4j.local;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.state.Cause;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs jobs as processes of this host, and keeps all it knows about them in files. */
final class LocalBackend implements Backend {
    static final String NAME = "local";
    private static final Logger LOG = LoggerFactory.getLogger(LocalBackend.class);
    private static final long STOP_MILLIS = 20;

    private final LocalSettings settings;
    private final BackendContext context;
    private final ProcessTable processes = ProcessTable.ofThisSystem();
    private final Workers workers = new Workers();
    private final JobWatcher watcher = new JobWatcher();
    private final Host host;
    private final JobStore store;
    private final Planner planner;
    private final JobReader reader;
    private final Settlement settlement;
    private final Launches launches;
    private final LogClock logClock;
    private volatile boolean closed;

    LocalBackend(LocalSettings settings, BackendContext context, Host host) {
        this.settings = settings;
        this.context = context;
        this.host = host;
        this.store = new JobStore(
                context.workDirectory().toAbsolutePath().normalize().resolve(NAME));
        this.planner = new Planner(context, settings, host);
        this.reader = new JobReader(processes, context.clock());
        this.settlement = new Settlement(reader, processes, context.clock(), workers);
        this.logClock = new LogClock(workers, context.clock());
        this.launches = new Launches(new LaunchSite(host, processes, settlement, workers, context.clock()));
    }

    @Override
    public JobPlan plan(TrainJobRequest request) {
        return planner.plan(request, store).toJobPlan();
    }

    @Override
    public TrainJob train(TrainJobRequest request, ProgressListener listener) {
        Objects.requireNonNull(listener, "listener");
        if (closed) {
            throw new IllegalStateException("the backend is closed");
        }
        LocalPlan plan = planner.plan(request, store);
        JobRecord record = record(plan);
        store.sweep();
        store.claim(record);
        TrainJob job = reader.read(plan.directory()).job();
        try {
            launches.start(plan, record, listener);
        } catch (RuntimeException | Error e) {
            store.remove(plan.directory());
            throw e;
        }
        logClock.start(plan.directory(), record.stepNames());
        return job;
    }

    private JobRecord record(LocalPlan plan) {
        TrainJobRequest request = plan.request();
        // What is read back is what was said: a file keeps no more than this.
        Instant now = context.clock().instant().truncatedTo(ChronoUnit.MICROS);
        return new JobRecord(
                plan.name(),
                plan.runtime().name(),
                now,
                request.deadline().map(limit -> deadline(now, limit)),
                settings.grace(),
                plan.launch().numNodes(),
                request.labels(),
                request.annotations(),
                plan.directory().workspace().toString(),
                processes.host(),
                processes.self(),
                plan.steps(),
                plan.notes());
    }

    private static Instant deadline(Instant now, Duration limit) {
        try {
            return now.plus(limit);
        } catch (DateTimeException | ArithmeticException e) {
            throw new InvalidJobException(
                    "the job's deadline of " + limit + " lies beyond all time; give a shorter one", e);
        }
    }

    @Override
    public TrainJob get(String name) {
        return settlement.settle(store.existing(name));
    }

    @Override
    public List<TrainJob> list() {
        List<TrainJob> jobs = new ArrayList<>();
        for (JobDirectory directory : store.all()) {
            try {
                jobs.add(settlement.settle(directory));
            } catch (JobNotFoundException e) {
                LOG.trace("job {} was deleted while it was listed", directory.name());
            }
        }
        jobs.sort(Comparator.comparing(TrainJob::creationTime).thenComparing(TrainJob::name));
        return List.copyOf(jobs);
    }

    @Override
    public LogStream logs(String name, LogQuery query) {
        Objects.requireNonNull(query, "query");
        JobDirectory directory = store.existing(name);
        List<String> steps =
                settlement.settle(directory).steps().stream().map(Step::name).toList();
        return JobLogs.open(directory, steps, query, () -> isOver(directory));
    }

    private boolean isOver(JobDirectory directory) {
        TrainJob job = settlement.settle(directory);
        if (job.failure()
                .filter(failure -> failure.reason().equals(Cause.DELETED))
                .isPresent()) {
            throw JobStore.missing(job.name());
        }
        return job.status().isFinal();
    }

    @Override
    public List<Event> events(String name) {
        JobDirectory directory = store.existing(name);
        settlement.settle(directory);
        try {
            return JobEvents.of(directory, reader.read(directory));
        } catch (IOException e) {
            throw store.unavailable("cannot be read", e);
        }
    }

    @Override
    public void delete(String name) throws InterruptedException {
        JobDirectory directory = store.existing(name);
        Picture picture = reader.read(directory);
        Optional<JobRecord> record = picture.record();
        if (record.isEmpty()
                || processes.isOfThisHost(record.get().host(), record.get().launcher())) {
            if (record.isPresent()) {
                end(directory, record.get());
            }
            stop(directory, record);
        } else if (!picture.job().status().isFinal()) {
            throw new TrainerException(
                    "job " + name + " runs on host " + record.get().host() + " and can be stopped there only; delete it"
                            + " there, or remove " + directory.root() + " if that host is no more",
                    null,
                    name,
                    null,
                    "OtherHost");
        }
        List<String> problems = store.remove(directory);
        if (!problems.isEmpty()) {
            throw new TrainerException(
                    "not all of job " + name + " could be removed; remove it by hand or delete the job again:\n  "
                            + String.join("\n  ", problems),
                    null,
                    name,
                    null,
                    "NotRemoved");
        }
    }

    private void end(JobDirectory directory, JobRecord record) throws InterruptedException {
        try {
            settlement
                    .end(directory, Failure.of(Cause.DELETED, "the job was deleted"))
                    .get(Settlement.longest(record).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new TrainerException(
                    "job " + record.name() + " could not be stopped and was not removed: " + e.getCause(),
                    e.getCause());
        } catch (TimeoutException e) {
            throw new TrainerException(
                    "job " + record.name() + " did not stop in time and was not removed; delete it again", e);
        }
    }

    /** Stops what is left of a job that is over, or whose record cannot be read. */
    private void stop(JobDirectory directory, Optional<JobRecord> record) throws InterruptedException {
        TreeStop tree = record.isPresent()
                ? settlement.treeStop(directory, record.get())
                : new TreeStop(
                        processes,
                        directory.workspace().toString(),
                        new ProcessIdentity(0, "", 0),
                        List::of,
                        settings.grace());
        while (!tree.advance()) {
            Thread.sleep(STOP_MILLIS);
        }
        if (!tree.stuck().isEmpty()) {
            throw new TrainerException(
                    "job " + directory.name() + " was not removed, because these of its processes could not be ended: "
                            + tree.stuck().stream().map(ProcessIdentity::pid).toList()
                            + "; end them and delete it again",
                    null,
                    directory.name(),
                    null,
                    "Stuck");
        }
    }

    @Override
    public AutoCloseable watch(String name, Runnable changed) {
        Objects.requireNonNull(changed, "changed");
        try {
            return watcher.watch(store.existing(name).state(), changed);
        } catch (NoSuchFileException e) {
            throw JobStore.missing(name);
        }
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
    public String runtimePackages(TrainingRuntime runtime) throws InterruptedException {
        return HostSnapshot.take(host);
    }

    @Override
    public void close() {
        closed = true;
        try {
            launches.await();
            await(settlement.running());
        } catch (InterruptedException e) {
            List<CompletableFuture<List<ProcessIdentity>>> stopping = launches.stop(Failure.of(
                    "ClientClosed", "the process that launched the job was told to end before its nodes had started"));
            awaitUninterruptibly(stopping);
            Thread.currentThread().interrupt();
        } finally {
            workers.close();
            watcher.close();
        }
    }

    private void await(List<CompletableFuture<List<ProcessIdentity>>> futures) throws InterruptedException {
        for (CompletableFuture<List<ProcessIdentity>> future : futures) {
            try {
                future.get(settings.grace().toMillis() + 10_000, TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                LOG.debug("a job was not stopped; whoever looks at it next goes on with that", e);
            }
        }
    }

    private void awaitUninterruptibly(List<CompletableFuture<List<ProcessIdentity>>> futures) {
        boolean again = true;
        while (again) {
            try {
                await(futures);
                again = false;
            } catch (InterruptedException e) {
                // Stopping is under way and bounded; the caller sees the interrupt when it is done.
                again = true;
            }
        }
    }
}
