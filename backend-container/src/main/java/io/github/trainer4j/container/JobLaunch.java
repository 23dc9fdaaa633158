package io.github.trainer4j.container;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.dispatch.DispatchException;
import io.github.trainer4j.api.dispatch.Task;
import io.github.trainer4j.api.dispatch.TaskContext;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.api.state.FileTree;
import io.github.trainer4j.api.state.StateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one job to where its nodes run: everything between its record and its last started node. */
final class JobLaunch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(JobLaunch.class);
    private static final String NODES = "nodes";

    private final ContainerPlan plan;
    private final JobSite site;
    private final ContainerSettings settings;
    private final Map<String, String> environment;
    private final Clock clock;
    private final ProgressListener listener;
    private final Consumer<Cause> memory;
    private final String threadPrefix;
    private final Map<String, String> nodeIds = new ConcurrentHashMap<>();
    private volatile boolean expired;

    JobLaunch(
            ContainerPlan plan,
            JobSite site,
            ContainerSettings settings,
            Map<String, String> environment,
            Clock clock,
            ProgressListener listener,
            Consumer<Cause> memory,
            String threadPrefix) {
        this.plan = plan;
        this.site = site;
        this.settings = settings;
        this.environment = environment;
        this.clock = clock;
        this.listener = listener;
        this.memory = memory;
        this.threadPrefix = threadPrefix;
    }

    /** Launches the job. What goes wrong is written down as the reason why it failed. */
    @Override
    public void run() {
        String job = plan.record().name();
        try {
            launch();
        } catch (DispatchException e) {
            fail(LaunchFailures.of(e, NODES, this::logTail));
        } catch (StepFailedException e) {
            fail(LaunchFailures.of(e, this::logTail));
        } catch (EngineException e) {
            fail(
                    e.kind() == EngineException.Kind.INTERRUPTED
                            ? interrupted()
                            : Failure.of(Cause.START_FAILED, String.valueOf(e.getMessage())));
        } catch (TrainerException e) {
            fail(Failure.of(Cause.START_FAILED, String.valueOf(e.getMessage())));
        } catch (IOException e) {
            fail(Failure.of(
                    Cause.START_FAILED,
                    "the state of the job in " + site.directory().state() + " cannot be written: "
                            + JobStore.advice(e)));
        } catch (InterruptedException | CancellationException e) {
            fail(interrupted());
        } catch (RuntimeException | Error e) {
            LOG.error("the launch of job {} failed", job, e);
            fail(Failure.of(Cause.START_FAILED, "the launch failed: " + e));
            throw e;
        }
    }

    /** Says that the job's deadline is over, before the thread that launches it is interrupted. */
    void expire() {
        expired = true;
    }

    private Failure interrupted() {
        JobRecord record = plan.record();
        return expired
                ? JobReader.deadlineFailure(
                        Duration.between(record.created(), record.deadline().orElse(record.created())))
                : Failure.of(
                        Cause.INTERRUPTED,
                        "the client that launched the job was closed before all nodes had started; submit it again");
    }

    private void launch() throws IOException, InterruptedException {
        site.makeNetwork(plan);
        site.makeWorkspace();
        ImagePuller images = new ImagePuller(
                site.engine(), plan.pullPolicy(), site.events(), plan.record().name());
        InitializerDispatcher dispatcher = new InitializerDispatcher(
                plan.initializers(),
                site,
                images,
                settings,
                new FetcherRun(site.directory(), environment, clock),
                clock,
                threadPrefix);
        dispatcher.run(
                Task.of(NODES, context -> {
                    makeNodes(images, dispatcher, context);
                    return Optional.empty();
                }),
                listener);
        if (!plan.initializers().isEmpty()) {
            startNodes();
        }
        StateFiles.mark(site.directory().launched());
    }

    /** Makes all nodes ready to start while the initializers still run; where there are none, starts them, too. */
    private void makeNodes(ImagePuller images, InitializerDispatcher dispatcher, TaskContext context)
            throws IOException, InterruptedException {
        images.ensure(plan.image(), plan.nodes().get(0).step());
        if (!context.isCancelled()) {
            place(plan.files());
        }
        dispatcher.awaitBegun();
        if (!plan.initializers().isEmpty()) {
            Parallel.each(plan.nodes(), threadPrefix + "make-", this::make);
            return;
        }
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        Parallel.each(plan.nodes(), threadPrefix + "make-", node -> makeAndStart(node, first));
    }

    private void make(ContainerSpec node) {
        try {
            nodeIds.put(node.step(), site.make(node));
        } catch (EngineException e) {
            throw failed(node, "", e);
        }
    }

    /** Starts a node as soon as it is made, but none before node 0, which is begun before all others. */
    private void makeAndStart(ContainerSpec node, CompletableFuture<Boolean> first) {
        if (node.equals(plan.nodes().get(0))) {
            try {
                make(node);
                fillWorkspace(node);
                start(node);
                first.complete(true);
            } finally {
                first.complete(false);
            }
            return;
        }
        make(node);
        if (first.join()) {
            start(node);
        }
    }

    private void place(List<LaunchFile> files) {
        Path own = site.directory().workspace().resolve(io.github.trainer4j.api.launch.Launch.DIRECTORY);
        try {
            for (LaunchFile file : files) {
                Path target = site.directory().workspace().resolve(file.path());
                Files.createDirectories(target.getParent());
                Files.writeString(target, file.content());
            }
            Files.createDirectories(own);
            JobStore.openToAll(own);
        } catch (IOException e) {
            // Half of a script is worth nothing, and on a full disk the reason of the failure needs its place.
            FileTree.remove(own, new ArrayList<>());
            throw new StepFailedException(
                    "the files of the nodes cannot be written to " + own + ": " + JobStore.advice(e),
                    plan.record().name(),
                    null,
                    Cause.START_FAILED,
                    OptionalInt.empty(),
                    e);
        }
    }

    /** Starts node 0 first: the others look for it by name, and an engine knows only the names of what runs. */
    private void startNodes() {
        fillWorkspace(plan.nodes().get(0));
        start(plan.nodes().get(0));
        Parallel.each(plan.nodes().subList(1, plan.nodes().size()), threadPrefix + "start-", this::start);
    }

    private void fillWorkspace(ContainerSpec first) {
        try {
            site.fillWorkspace(nodeIds.getOrDefault(first.step(), ""), plan.copies());
        } catch (EngineException e) {
            throw failed(first, "", e);
        }
    }

    private void start(ContainerSpec node) {
        String id = nodeIds.getOrDefault(node.step(), "");
        try {
            site.start(id);
            StepState.started(clock.instant(), true).write(site.directory().step(node.step()));
        } catch (EngineException e) {
            throw failed(node, id, e);
        } catch (IOException e) {
            LOG.warn("job {}: the state of {} is not written: {}", plan.record().name(), node.step(), e.toString());
        }
    }

    private RuntimeException failed(ContainerSpec node, String id, EngineException e) {
        return e.kind() == EngineException.Kind.INTERRUPTED
                ? e
                : StartAdvice.failure(plan.record().name(), node, id, e);
    }

    private List<String> logTail(String step) {
        try {
            return KeptLog.tail(site.directory().log(step), Long.MAX_VALUE, Failure.LOG_TAIL_LINES, Optional.empty())
                    .stream()
                    .map(line -> LogTail.shorten(line.text()))
                    .toList();
        } catch (IOException e) {
            return List.of("(the log cannot be read: " + e + ")");
        }
    }

    /** Removes what the launch has made and writes down why; a job that is being deleted is cleaned by who deletes it. */
    private void fail(Failure failure) {
        Uninterrupted.run(() -> {
            if (site.isBeingDeleted()) {
                return;
            }
            LOG.warn("job {} failed: {}", plan.record().name(), failure.describe());
            Cause cause = new Cause(clock.instant(), failure);
            try {
                cause.write(site.directory().cause());
            } catch (IOException e) {
                LOG.warn(
                        "job {}: why it failed is not written down: {}",
                        plan.record().name(),
                        e.toString());
                memory.accept(cause);
            }
            site.clear();
            try {
                StateFiles.mark(site.directory().launched());
            } catch (IOException e) {
                LOG.warn(
                        "job {}: the end of its launch is not written down: {}",
                        plan.record().name(),
                        e.toString());
            }
        });
    }
}
