package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.dispatch.DispatchException;
import io.github.trainer4j.api.dispatch.Dispatcher;
import io.github.trainer4j.api.dispatch.Task;
import io.github.trainer4j.api.dispatch.TaskContext;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.Placement;
import io.github.trainer4j.api.progress.ProgressFile;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.api.spi.Fetcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One job: what is known of it, and the thread that takes it through its life. Whatever changes is changed under the lock
 * of this object, and everybody who waits is woken.
 */
final class ToyJob {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final Plan plan;
    private final Duration grace;
    private final BackendContext context;
    private final ProgressListener listener;
    private final long number = NUMBERS.incrementAndGet();
    private final Instant created;
    private final Thread thread;
    private final Map<String, ToyStep> steps = new LinkedHashMap<>();
    private final List<ToyNode> nodes = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private JobStatus status = JobStatus.CREATED;
    private Optional<Failure> failure = Optional.empty();
    private @Nullable Failure stopping;
    private boolean deleted;

    /** All that is known of a job before it starts. */
    record Plan(
            String name,
            TrainJobRequest request,
            TrainingRuntime runtime,
            Launch launch,
            Placement placement,
            Map<InitializerSpec, Fetcher> fetchers) {}

    ToyJob(Plan plan, Duration grace, BackendContext context, ProgressListener listener) {
        this.plan = plan;
        this.grace = grace;
        this.context = context;
        this.listener = listener;
        this.created = context.clock().instant();
        this.thread = new Thread(this::live, "toy-" + plan.name());
        plan.fetchers()
                .keySet()
                .forEach(spec -> add(new ToyStep(this, spec.target().step(), List.of("fetch", spec.storageUri()))));
        for (int rank = 0; rank < plan.launch().numNodes(); rank++) {
            add(new ToyStep(
                    this,
                    "node-" + rank,
                    plan.launch().node(rank, plan.placement()).command()));
        }
        event(null, Event.Type.NORMAL, "Created", "the job was created");
    }

    private void add(ToyStep step) {
        steps.put(step.name(), step);
    }

    String name() {
        return plan.name();
    }

    long number() {
        return number;
    }

    Instant now() {
        return context.clock().instant();
    }

    // ---- life

    void start() {
        plan.request()
                .deadline()
                .ifPresent(deadline -> new Thread(() -> end(deadline), "toy-deadline-" + name()).start());
        thread.start();
    }

    private void live() {
        Failure failed = null;
        try {
            Files.createDirectories(workspace());
            initialize();
            failed = train();
        } catch (DispatchException e) {
            failed = e.toFailure(step -> step(step).tail());
        } catch (InterruptedException e) {
            failed = stopped();
        } catch (IOException | RuntimeException e) {
            failed = Failure.of("Broken", "the toy failed: " + e);
        }
        ToyNode.stop(nodes, grace);
        over(failed);
    }

    private void initialize() throws IOException, InterruptedException {
        List<Task<Boolean>> tasks = new ArrayList<>();
        for (Map.Entry<InitializerSpec, Fetcher> entry : plan.fetchers().entrySet()) {
            InitializerSpec spec = entry.getKey();
            ToyStep step = step(spec.target().step());
            Path directory =
                    Files.createDirectories(workspace().resolve(spec.target().directory()));
            tasks.add(new Task<>(step.name(), spec.timeout(), spec.retries(), task -> {
                step.started("thread " + Thread.currentThread().getName());
                try {
                    entry.getValue().fetch(directory, fetchContext(step, task));
                } catch (Exception e) {
                    step.ended(OptionalInt.empty(), JobStatus.FAILED, "InitializerFailed");
                    throw e;
                }
                step.ended(OptionalInt.empty(), JobStatus.COMPLETE, "Completed");
                return true;
            }));
        }
        new Dispatcher("toy-" + name() + "-", grace).run(tasks, listener);
    }

    private FetchContext fetchContext(ToyStep step, TaskContext task) {
        return new FetchContext() {
            @Override
            public void progress(long bytesDone, OptionalLong bytesTotal) {
                step.bytes(bytesDone, bytesTotal);
                task.progress(bytesDone, bytesTotal);
            }

            @Override
            public void log(String line) {
                step.log(line);
            }

            @Override
            public Map<String, String> environment() {
                return context.environment();
            }
        };
    }

    /** Runs all nodes; returns why the job failed, or null. */
    private @Nullable Failure train() throws IOException, InterruptedException {
        BlockingQueue<ToyNode> ended = new LinkedBlockingQueue<>();
        Placement at = ToyNode.withFreePort(plan.placement());
        for (int rank = 0; rank < plan.launch().numNodes(); rank++) {
            ToyStep step = step("node-" + rank);
            try {
                nodes.add(ToyNode.start(step, plan.launch().node(rank, at), workspace(), ended));
            } catch (IOException e) {
                step.ended(OptionalInt.empty(), JobStatus.FAILED, "StartFailed");
                return new Failure(
                        Optional.of(step.name()),
                        "StartFailed",
                        "cannot be started: " + e.getMessage(),
                        OptionalInt.empty(),
                        List.of(),
                        List.of());
            }
        }
        synchronized (this) {
            status = JobStatus.RUNNING;
        }
        changed();
        for (int i = 0; i < nodes.size(); i++) {
            ToyNode node = ended.take();
            int code = node.finish();
            if (code != 0) {
                return new Failure(
                        Optional.of(node.step().name()),
                        "ExitCode",
                        ToyNode.describe(code),
                        OptionalInt.of(code),
                        node.step().tail(),
                        List.of());
            }
        }
        return null;
    }

    private void over(@Nullable Failure failed) {
        synchronized (this) {
            steps.values().forEach(step -> step.abandon(failed != null));
            failure = Optional.ofNullable(failed);
            status = failed == null ? JobStatus.COMPLETE : JobStatus.FAILED;
        }
        changed();
    }

    private synchronized Failure stopped() {
        return stopping != null ? stopping : Failure.of("Interrupted", "the job's thread was interrupted");
    }

    // ---- ending it early

    private void end(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        try {
            synchronized (this) {
                while (!status.isFinal()) {
                    long left = end - System.nanoTime();
                    if (left <= 0) {
                        stop(Failure.of("DeadlineExceeded", "the job did not end within its deadline of " + deadline));
                        return;
                    }
                    wait(Math.max(1, left / 1_000_000));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void stop(Failure why) {
        if (!status.isFinal() && stopping == null) {
            stopping = why;
            thread.interrupt();
        }
    }

    /** Waits until the nodes run, or the job is over without. */
    synchronized void awaitLaunched() throws InterruptedException {
        while (status == JobStatus.CREATED) {
            wait();
        }
    }

    /** Ends the job if its nodes do not run yet. */
    synchronized void abandonLaunch() {
        if (status == JobStatus.CREATED) {
            stop(Failure.of("LaunchAbandoned", "the client was closed before the nodes could start"));
        }
    }

    void delete() throws InterruptedException {
        stop(Failure.of("Deleted", "the job is being deleted"));
        thread.join();
        try {
            remove(workspace());
        } catch (IOException e) {
            throw new TrainerException("not all of job " + name() + " could be removed: " + e, e);
        }
        synchronized (this) {
            deleted = true;
        }
        changed();
    }

    private static void remove(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    // ---- reading it

    synchronized TrainJob read() {
        return new TrainJob(
                name(),
                status,
                Optional.of(plan.runtime().name()),
                steps.values().stream().map(ToyStep::read).toList(),
                plan.launch().numNodes(),
                created,
                plan.request().labels(),
                plan.request().annotations(),
                Optional.of(workspace()),
                failure,
                ProgressFile.newest(workspace(), plan.launch().numNodes()));
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    LogStream logs(LogQuery query) {
        if (query.previous()) {
            throw new UnsupportedFeatureException("backend toy starts no step twice, so there is no earlier attempt of "
                    + query.step().orElse("any step") + "; read the log without it");
        }
        List<ToyStep> of = query.step().map(name -> List.of(step(name))).orElseGet(() -> List.copyOf(steps.values()));
        return new ToyLog(this, of, query);
    }

    AutoCloseable watch(Runnable changed) {
        watchers.add(Objects.requireNonNull(changed, "changed"));
        return () -> watchers.remove(changed);
    }

    boolean isOver() {
        return status.isFinal();
    }

    boolean isDeleted() {
        return deleted;
    }

    private ToyStep step(String name) {
        ToyStep step = steps.get(name);
        if (step == null) {
            throw JobNotFoundException.noStep(name(), name, steps.keySet());
        }
        return step;
    }

    private Path workspace() {
        return Path.of(plan.placement().workspace());
    }

    void event(@Nullable String step, Event.Type type, String reason, String message) {
        synchronized (this) {
            events.add(new Event(now(), Optional.ofNullable(step), type, reason, message));
        }
    }

    void changed() {
        synchronized (this) {
            notifyAll();
        }
        watchers.forEach(Runnable::run);
    }
}
