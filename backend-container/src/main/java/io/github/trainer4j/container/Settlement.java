package io.github.trainer4j.container;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.container.Picture.Next;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what follows from where a job stands: writes down that it is complete, or stops what still runs of one that failed
 * and writes that down. Any process that looks at a job may do so; the first that writes something down decides it.
 */
final class Settlement {
    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

    private final JobReader reader;
    private final Clock clock;
    private final String threadPrefix;
    private final Results results;
    private final Set<String> beingStopped = ConcurrentHashMap.newKeySet();
    private final Set<Thread> stoppers = ConcurrentHashMap.newKeySet();

    Settlement(JobReader reader, Clock clock, String threadPrefix) {
        this.reader = reader;
        this.clock = clock;
        this.threadPrefix = threadPrefix;
        this.results = new Results(clock, threadPrefix);
    }

    /** Does what follows, in the background where that takes long, and returns the job as it then stands. */
    TrainJob settle(Engine engine, Picture picture) {
        if (picture.next() == Next.NOTHING) {
            return picture.job();
        }
        try {
            Picture now = reader.read(inspect(engine, picture.sighted()));
            if (now.next() == Next.NOTHING) {
                return now.job();
            }
            if (now.next() == Next.FAIL) {
                return fail(engine, now);
            }
            return results.areToCome(engine, now.sighted())
                    ? now.job()
                    : record(now, JobStatus.COMPLETE, Optional.empty());
        } catch (IOException e) {
            if (picture.sighted().directory().filter(JobStore::exists).isPresent()) {
                LOG.warn(
                        "job {}: how it ended is not written down",
                        picture.job().name(),
                        e);
            }
            // Otherwise somebody deletes it at this moment.
            return picture.job();
        }
    }

    /** Returns another program's job with what a list does not tell: times, causes, and the last lines of what failed. */
    Picture closer(Engine engine, Picture picture) {
        Sighted sighted = picture.sighted();
        Map<String, ContainerFacts> closer = new ConcurrentHashMap<>();
        Parallel.each(
                List.copyOf(sighted.containers().values()),
                threadPrefix + "look-",
                container -> engine.inspect(container.id()).ifPresent(facts -> closer.put(container.step(), facts)));
        Picture now = reader.read(sighted.with(closer, sighted.gone()));
        Optional<Failure> failure = now.job().failure().map(known -> withLog(engine, now.sighted(), known));
        TrainJob job = JobReader.job(now.sighted(), now.job().status(), now.states(), failure, Optional.empty());
        return new Picture(now.sighted(), job, now.states(), now.next(), now.cause());
    }

    /**
     * Looks closely at all containers that have ended, for a list does not tell when and why, and at those that were not in
     * the list: now and then podman leaves one out.
     */
    private Sighted inspect(Engine engine, Sighted sighted) {
        Map<String, ContainerFacts> closer = new ConcurrentHashMap<>();
        Set<String> gone = ConcurrentHashMap.newKeySet();
        List<String> doubtful = sighted.record().nodeSteps().stream()
                .filter(step -> sighted.container(step)
                        .map(facts -> facts.state() == ContainerFacts.State.EXITED)
                        .orElse(true))
                .toList();
        Parallel.each(doubtful, threadPrefix + "look-", step -> {
            String container = sighted.container(step)
                    .map(ContainerFacts::id)
                    .orElseGet(() -> sighted.record().containerName(step));
            Optional<ContainerFacts> facts = engine.inspect(container)
                    .filter(found -> found.labels()
                            .getOrDefault(Labels.UID, "")
                            .equals(sighted.record().uid()));
            if (facts.isPresent()) {
                closer.put(step, facts.get());
            } else {
                gone.add(step);
            }
        });
        return sighted.with(closer, gone);
    }

    private TrainJob fail(Engine engine, Picture picture) throws IOException {
        Cause cause = picture.cause().orElseThrow();
        Optional<JobDirectory> directory = picture.sighted().directory();
        if (directory.isPresent() && Cause.read(directory.get().cause()).isEmpty()) {
            cause = written(
                    directory.get(), new Cause(cause.at(), withLog(engine, picture.sighted(), cause.failure())));
        }
        List<ContainerFacts> running = picture.sighted().containers().values().stream()
                .filter(container -> container.state() == ContainerFacts.State.RUNNING)
                .toList();
        if (!running.isEmpty()) {
            stop(engine, picture.sighted().record(), running);
            return picture.job();
        }
        if (results.areToCome(engine, picture.sighted())) {
            return picture.job();
        }
        // Once more: which of the others were stopped is known only now that the cause is.
        Picture last = reader.read(picture.sighted());
        Failure failure = cause.failure();
        List<Failure> further = new ArrayList<>(failure.further());
        for (Map.Entry<String, StepState> state : last.states().entrySet()) {
            further(picture.sighted(), failure, state).ifPresent(further::add);
        }
        Failure whole = new Failure(
                failure.step(), failure.reason(), failure.message(), failure.exitCode(), failure.logTail(), further);
        return record(last, JobStatus.FAILED, Optional.of(whole));
    }

    /** Returns what is written down in the end; on a full disk that is nothing, and the job ends all the same. */
    private static Cause written(JobDirectory directory, Cause cause) throws IOException {
        try {
            cause.write(directory.cause());
        } catch (IOException e) {
            LOG.warn("job {}: why it failed is not written down: {}", directory.name(), e.toString());
        }
        return Cause.read(directory.cause()).orElse(cause);
    }

    private static Optional<Failure> further(Sighted sighted, Failure first, Map.Entry<String, StepState> state) {
        Optional<ContainerFacts> facts = sighted.container(state.getKey());
        boolean node = state.getKey().startsWith("node-");
        if (!node
                || facts.isEmpty()
                || state.getValue().status() != JobStatus.FAILED
                || first.step().equals(Optional.of(state.getKey()))) {
            return Optional.empty();
        }
        boolean stopped = state.getValue().reason().equals(Optional.of(Cause.STOPPED));
        return Optional.of(NodeFailure.of(state.getKey(), facts.get(), stopped));
    }

    private Failure withLog(Engine engine, Sighted sighted, Failure failure) {
        List<String> tail = failure.step()
                .flatMap(sighted::container)
                .map(container -> LogTail.texts(engine, container.id(), Failure.LOG_TAIL_LINES))
                .orElse(failure.logTail());
        return new Failure(
                failure.step(), failure.reason(), failure.message(), failure.exitCode(), tail, failure.further());
    }

    /** Stops containers in the background: it takes as long as they are given, and nobody who looks should wait for it. */
    private void stop(Engine engine, JobRecord record, List<ContainerFacts> running) {
        if (!beingStopped.add(record.uid())) {
            return;
        }
        Thread thread = new Thread(
                () -> {
                    try {
                        Parallel.each(
                                running,
                                threadPrefix + "stop-",
                                container -> engine.stop(container.id(), record.grace()));
                    } catch (EngineException e) {
                        LOG.warn("job {}: not all of its nodes could be stopped: {}", record.name(), e.getMessage());
                    } finally {
                        beingStopped.remove(record.uid());
                        stoppers.remove(Thread.currentThread());
                    }
                },
                threadPrefix + "stop-" + record.name());
        stoppers.add(thread);
        thread.start();
    }

    /** Waits for what is being stopped. */
    void awaitStops() throws InterruptedException {
        for (Thread stopper : stoppers) {
            stopper.join();
        }
    }

    private TrainJob record(Picture picture, JobStatus status, Optional<Failure> failure) throws IOException {
        TrainJob seen = picture.job();
        TrainJob job = new TrainJob(
                seen.name(),
                status,
                seen.runtime(),
                seen.steps(),
                seen.numNodes(),
                seen.creationTime(),
                seen.labels(),
                seen.annotations(),
                seen.workspace(),
                failure,
                seen.progress());
        Optional<JobDirectory> directory = picture.sighted().directory();
        if (directory.isEmpty()) {
            return job;
        }
        try {
            JobReader.writeOutcome(directory.get(), job, new LinkedHashMap<>(picture.states()));
        } catch (IOException e) {
            // Whoever looks again comes to the same end, as long as the containers are there.
            LOG.warn("job {}: how it ended is not written down: {}", job.name(), e.toString());
            return job;
        }
        LOG.debug("job {} is {} at {}", job.name(), status, clock.instant());
        return reader.read(picture.sighted()).job();
    }
}
