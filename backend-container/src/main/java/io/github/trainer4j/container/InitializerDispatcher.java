package io.github.trainer4j.container;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.dispatch.DispatchException;
import io.github.trainer4j.api.dispatch.Dispatcher;
import io.github.trainer4j.api.dispatch.Task;
import io.github.trainer4j.api.dispatch.TaskContext;
import io.github.trainer4j.api.dispatch.TaskResult;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.container.ContainerPlan.PlannedInitializer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs all initializers of a job in parallel, and whatever else is to be ready before the nodes start. Each is a container
 * of its own (or, by setting, a fetcher in this process); its image is pulled, it is started and waited for, and its log is
 * kept. The first failure cancels the others at once.
 */
final class InitializerDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(InitializerDispatcher.class);
    /** How long cancelled tasks are waited for: an engine needs a moment to end and remove a container. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final List<PlannedInitializer> initializers;
    private final JobSite site;
    private final ImagePuller images;
    private final ContainerSettings settings;
    private final FetcherRun fetchers;
    private final Clock clock;
    private final String threadPrefix;
    private final CountDownLatch begun;

    InitializerDispatcher(
            List<PlannedInitializer> initializers,
            JobSite site,
            ImagePuller images,
            ContainerSettings settings,
            FetcherRun fetchers,
            Clock clock,
            String threadPrefix) {
        this.site = site;
        this.images = images;
        this.settings = settings;
        this.fetchers = fetchers;
        this.clock = clock;
        this.threadPrefix = threadPrefix;
        this.initializers = initializers;
        this.begun = new CountDownLatch((int) initializers.stream()
                .filter(initializer -> initializer.container().isPresent())
                .count());
    }

    /**
     * Runs all, and returns when all are done. Containers of those that failed or were cancelled are left to the caller,
     * who removes all of the job's at once.
     *
     * @param alongside what else is to be done meanwhile
     * @throws DispatchException if one failed; by then the others are cancelled
     * @throws InterruptedException if the thread is interrupted; by then all are cancelled
     */
    void run(Task<Optional<String>> alongside, ProgressListener listener) throws InterruptedException {
        List<Task<Optional<String>>> tasks = new ArrayList<>();
        tasks.add(alongside);
        initializers.forEach(initializer -> tasks.add(task(initializer)));
        List<TaskResult<Optional<String>>> results =
                new Dispatcher(threadPrefix, GRACE).run(tasks, listener, this::completed);
        if (!initializers.isEmpty()) {
            LOG.info(
                    "job {}: all initializers are done: {}",
                    site.directory().name(),
                    results.stream()
                            .filter(result -> result.value().isPresent())
                            .map(result -> result.value().get() + " in "
                                    + result.elapsed().toMillis() + " ms")
                            .collect(Collectors.joining(", ")));
        }
    }

    /** Waits until all have begun: an engine starts a container the later, the more it is asked for at the same time. */
    void awaitBegun() throws InterruptedException {
        begun.await();
    }

    private void completed(TaskResult<Optional<String>> result) {
        result.value()
                .ifPresent(step -> LOG.debug(
                        "job {}: {} is done in {} attempts", site.directory().name(), step, result.attempts()));
    }

    private Task<Optional<String>> task(PlannedInitializer initializer) {
        Optional<Duration> timeout = initializer.spec().timeout().or(settings::initializerTimeout);
        int retries = initializer.spec().retries();
        if (initializer.container().isPresent()) {
            ContainerSpec container = initializer.container().get();
            // The time limit is for the container alone: an image may take as long as it likes.
            return new Task<>(
                    initializer.step(),
                    Optional.empty(),
                    retries,
                    context -> container(container, timeout, retries, context));
        }
        return new Task<>(initializer.step(), timeout, retries, context -> fetchers.run(initializer, context));
    }

    private Optional<String> container(ContainerSpec spec, Optional<Duration> timeout, int retries, TaskContext context)
            throws IOException, InterruptedException, TimeoutException {
        String step = spec.step();
        if (context.attempt() > 1) {
            site.events().warning(Optional.of(step), "Retrying", "attempt " + context.attempt());
        }
        String id;
        boolean stays = false;
        try {
            images.ensure(spec.image(), step);
            id = make(spec);
        } catch (RuntimeException | InterruptedException e) {
            begun.countDown();
            throw e;
        }
        try {
            start(spec, id);
            note(step, StepState.started(clock.instant(), true));
            ContainerFacts end = await(id, step, timeout);
            if (end.exitCode().orElse(-1) != 0) {
                throw failure(spec, end);
            }
            collect(step, id);
            stays = settings.keptInitializers().keeps(spec);
            note(step, read(step).told(end).as(JobStatus.COMPLETE, Optional.empty()));
            return Optional.of(step);
        } catch (EngineException | StepFailedException | TimeoutException e) {
            failed(step, id, e);
            stays = context.attempt() > retries || context.isCancelled();
            throw e;
        } finally {
            if (!stays) {
                Uninterrupted.run(() -> site.remove(id));
            }
        }
    }

    private String make(ContainerSpec spec) {
        try {
            return site.make(spec);
        } catch (EngineException e) {
            throw startFailure(spec, "", e);
        }
    }

    private void start(ContainerSpec spec, String id) {
        try {
            site.start(id);
        } catch (EngineException e) {
            throw startFailure(spec, id, e);
        } finally {
            begun.countDown();
        }
    }

    private RuntimeException startFailure(ContainerSpec spec, String id, EngineException e) {
        return e.kind() == EngineException.Kind.INTERRUPTED
                ? e
                : StartAdvice.failure(site.directory().name(), spec, id, e);
    }

    private ContainerFacts await(String id, String step, Optional<Duration> timeout) throws TimeoutException {
        try {
            return site.engine()
                    .streams()
                    .awaitEnd(site.engine(), id, timeout.orElse(Duration.ofDays(10_000)))
                    .orElseThrow(() -> new StepFailedException(
                            "its container was removed by somebody else",
                            site.directory().name(),
                            step,
                            Cause.CONTAINER_LOST,
                            OptionalInt.empty(),
                            null));
        } catch (EngineException e) {
            if (e.kind() == EngineException.Kind.TIMEOUT && timeout.isPresent()) {
                throw new TimeoutException("not done within its timeout of " + timeout.get());
            }
            throw e;
        }
    }

    private StepFailedException failure(ContainerSpec spec, ContainerFacts end) {
        Failure failure = NodeFailure.of(spec.step(), end, false);
        return new StepFailedException(
                failure.message() + " (image " + spec.image() + ")",
                site.directory().name(),
                spec.step(),
                failure.reason(),
                end.exitCode(),
                null);
    }

    private void failed(String step, String id, Exception e) {
        Uninterrupted.run(() -> {
            collect(step, id);
            StepState state = read(step);
            Optional<ContainerFacts> facts = look(id);
            boolean exited = facts.map(ContainerFacts::exitCode)
                    .filter(OptionalInt::isPresent)
                    .isPresent();
            Instant end = facts.flatMap(ContainerFacts::ended).orElse(clock.instant());
            OptionalInt code = exited ? facts.get().exitCode() : OptionalInt.empty();
            note(step, state.ended(JobStatus.FAILED, end, code, Optional.of(reason(e))));
        });
    }

    private static String reason(Exception e) {
        return e instanceof TimeoutException
                ? "Timeout"
                : e instanceof StepFailedException known
                        ? known.reason().orElse(Cause.EXIT_CODE)
                        : e instanceof EngineException engine && engine.kind() == EngineException.Kind.INTERRUPTED
                                ? "Cancelled"
                                : Cause.START_FAILED;
    }

    private Optional<ContainerFacts> look(String id) {
        try {
            return site.engine().inspect(id);
        } catch (EngineException e) {
            return Optional.empty();
        }
    }

    /** Keeps the log of a container that may be removed. */
    private void collect(String step, String id) {
        try {
            KeptLog.collect(site.engine(), id, site.directory(), step);
        } catch (IOException | EngineException e) {
            LOG.warn(
                    "job {}: the log of the {} is not kept: {}",
                    site.directory().name(),
                    step,
                    e.toString());
        }
    }

    private StepState read(String step) {
        try {
            return StepState.read(site.directory().step(step));
        } catch (IOException e) {
            return StepState.TO_COME;
        }
    }

    private void note(String step, StepState state) {
        try {
            state.write(site.directory().step(step));
        } catch (IOException e) {
            LOG.warn(
                    "job {}: the state of the {} is not written: {}",
                    site.directory().name(),
                    step,
                    e.toString());
        }
    }
}
