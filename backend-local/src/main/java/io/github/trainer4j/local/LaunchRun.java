package io.github.trainer4j.local;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.dispatch.DispatchException;
import io.github.trainer4j.api.dispatch.Dispatcher;
import io.github.trainer4j.api.dispatch.Task;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.launch.NodeLaunch;
import io.github.trainer4j.api.state.StateFiles;
import io.github.trainer4j.local.LocalPlan.PlannedInitializer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The launch of one job: runs its initializers and builds its Python environment, then starts its nodes. */
final class LaunchRun {
    private static final Logger LOG = LoggerFactory.getLogger(LaunchRun.class);
    /** What a cancelled task has on top of the grace of its processes. */
    private static final Duration TASK_GRACE = Duration.ofSeconds(5);

    private final LocalPlan plan;
    private final JobRecord record;
    private final ProgressListener listener;
    private final LaunchSite site;
    private final Consumer<LaunchRun> over;
    private final Thread thread;
    private final Redaction redaction;
    private final List<LaunchedStep> steps = new ArrayList<>();
    private boolean ended;

    /**
     * Makes the launch of a job that is recorded.
     *
     * @param over is run when the launch is over
     */
    LaunchRun(LocalPlan plan, JobRecord record, ProgressListener listener, LaunchSite site, Consumer<LaunchRun> over) {
        this.plan = plan;
        this.record = record;
        this.listener = listener;
        this.site = site;
        this.over = over;
        this.redaction = Redaction.of(plan);
        this.thread = new Thread(this::run, "trainer4j-local-launch-" + record.name());
    }

    String name() {
        return record.name();
    }

    JobDirectory directory() {
        return plan.directory();
    }

    boolean isLate() {
        return record.deadline()
                .filter(deadline -> !site.clock().instant().isBefore(deadline))
                .isPresent();
    }

    Duration limit() {
        return Duration.between(record.created(), record.deadline().orElse(record.created()));
    }

    void start() {
        // Not a daemon: the initializers of a job need this JVM, also when the program's main method has returned.
        thread.setDaemon(false);
        thread.start();
    }

    void join() throws InterruptedException {
        thread.join();
    }

    /** Ends the launch soon; why, its job's directory says. */
    synchronized void cancel() {
        if (!ended) {
            thread.interrupt();
        }
    }

    private void run() {
        Optional<Failure> failure = launch().map(redaction::failure);
        synchronized (this) {
            ended = true;
            // An interrupt that came too late must not end what follows.
            Thread.interrupted();
        }
        try {
            closeSteps(failure);
            // First why, then that the launch is over: a JVM that is killed in between leaves no job without an end.
            if (failure.isPresent()) {
                CompletableFuture<?> unused = site.settlement().end(directory(), failure.get());
            }
            StateFiles.mark(directory().launched());
        } catch (IOException | TrainerException e) {
            if (Files.isDirectory(directory().root())) {
                LOG.warn("the end of the launch of job {} cannot be written down: {}", name(), e.toString());
            }
        } finally {
            over.accept(this);
        }
    }

    private void closeSteps(Optional<Failure> failure) {
        Map<String, String> reasons = new LinkedHashMap<>();
        failure.ifPresent(first -> {
            first.step().ifPresent(step -> reasons.put(step, first.reason()));
            first.further().forEach(next -> next.step().ifPresent(step -> reasons.put(step, next.reason())));
        });
        for (LaunchedStep step : steps) {
            step.close(reasons.getOrDefault(step.name(), "Cancelled"));
        }
    }

    private Optional<Failure> launch() {
        try {
            List<Task<Boolean>> tasks = tasks();
            if (!tasks.isEmpty()) {
                new Dispatcher("trainer4j-local-" + name() + "-", record.grace().plus(TASK_GRACE)).run(tasks, listener);
            }
            startNodes();
            return Optional.empty();
        } catch (DispatchException e) {
            return Optional.of(e.toFailure(step -> LogTail.lines(directory().log(step), Failure.LOG_TAIL_LINES)));
        } catch (InterruptedException e) {
            return Optional.of(Failure.of("Cancelled", "the launch was cancelled"));
        } catch (IOException | RuntimeException | Error e) {
            LOG.debug("job {} could not be launched", name(), e);
            return Optional.of(Failure.of(
                    "LaunchFailed",
                    "the nodes could not be started: "
                            + (e instanceof TrainerException && e.getMessage() != null
                                    ? e.getMessage()
                                    : e.toString())));
        }
    }

    private List<Task<Boolean>> tasks() {
        List<Task<Boolean>> tasks = new ArrayList<>();
        for (PlannedInitializer initializer : plan.initializers()) {
            LaunchedStep step = step(initializer.step());
            tasks.add(new InitializerTask(
                            initializer, directory(), step, site.host().environment())
                    .task());
        }
        NodeLaunch node = plan.node(0, LocalPlan.PORT_TO_COME);
        if (!node.install().isEmpty()) {
            tasks.add(Task.of(
                    LocalPlan.ENVIRONMENT_STEP,
                    new PythonEnvironmentTask(
                            site,
                            directory(),
                            record,
                            step(LocalPlan.ENVIRONMENT_STEP),
                            plan.interpreters().hostPython().orElseThrow(),
                            node.install(),
                            environment(0, node))));
        }
        return tasks;
    }

    private LaunchedStep step(String name) {
        LaunchedStep step = new LaunchedStep(directory(), name, site.clock(), redaction);
        steps.add(step);
        return step;
    }

    private void startNodes() throws IOException, InterruptedException {
        int port = freePort();
        List<Process> started = new ArrayList<>();
        for (int rank = 0; rank < record.numNodes(); rank++) {
            if (Thread.interrupted() || Files.exists(directory().cause())) {
                throw new InterruptedException();
            }
            NodeLaunch node = plan.node(rank, port);
            place(node.files());
            started.add(StepProcess.start(
                    site.host(),
                    directory(),
                    LocalPlan.nodeStep(rank),
                    node.command(),
                    environment(rank, node),
                    timeLeft(),
                    record.grace()));
        }
        for (int rank = 0; rank < started.size(); rank++) {
            String step = LocalPlan.nodeStep(rank);
            CompletableFuture<?> unused = started.get(rank)
                    .onExit()
                    .thenAccept(process -> site.workers().run(() -> settle(step, process.exitValue())));
        }
    }

    private Optional<Duration> timeLeft() {
        return record.deadline().map(deadline -> {
            Instant now = site.clock().instant();
            return now.isBefore(deadline) ? Duration.between(now, deadline) : Duration.ZERO;
        });
    }

    private Map<String, String> environment(int rank, NodeLaunch node) {
        Map<String, String> environment = new LinkedHashMap<>(site.host().environment());
        // Those of a job that this JVM may itself be a part of.
        environment.keySet().removeIf(name -> name.startsWith("KUBEFLOW_TRAINER_SERVER_"));
        environment.remove("OLDPWD");
        environment.put("PWD", record.workspace());
        environment.putAll(plan.env(rank, node));
        node.secretEnv().forEach((name, secret) -> environment.put(name, secret.reveal()));
        return environment;
    }

    private void place(List<LaunchFile> files) throws IOException {
        for (LaunchFile file : files) {
            Path path = directory().workspace().resolve(file.path());
            // Not all its parents: when they are gone, so is the job.
            Path folder = path.getParent();
            if (folder != null && !Files.isDirectory(folder)) {
                Files.createDirectory(folder);
            }
            if (!Files.exists(path)) {
                StateFiles.write(path, file.content());
            }
        }
    }

    private void settle(String step, int exitValue) {
        try {
            if (!site.settlement().isStillThere(directory(), record)) {
                return;
            }
            StepProcess process = StepProcess.read(directory(), step, site.processes());
            if (process.identity().isEmpty()) {
                Failure failure = new Failure(
                        Optional.of(step),
                        "LaunchFailed",
                        "the script that runs the node ended with " + exitValue
                                + " before it could write down which process it is, perhaps because the disk is full",
                        OptionalInt.empty(),
                        LogTail.lines(directory().log(step), Failure.LOG_TAIL_LINES),
                        List.of());
                CompletableFuture<?> unused = site.settlement().end(directory(), failure);
            } else {
                site.settlement().settle(directory());
            }
        } catch (IOException | TrainerException e) {
            LOG.debug("job {} was not settled after a process had ended", name(), e);
        }
    }

    /** Returns a port that is free now; that it still is when node 0 takes it is likely, and no more can be had. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
