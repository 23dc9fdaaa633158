package io.github.trainer4j.local;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainerException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what follows from where a job stands: stops what must not go on, and writes down how the job ended. Whichever
 * client looks at a job settles it; several may do so at once, and the first one's word counts.
 */
final class Settlement {
    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);
    private static final long TICK_MILLIS = 20;
    /** How long another JVM that launches the job has, after the grace, to end its part. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final JobReader reader;
    private final ProcessTable processes;
    private final Clock clock;
    private final Workers workers;
    private final Map<String, Stop> stops = new ConcurrentHashMap<>();
    private Predicate<String> launchingHere = name -> false;
    private Consumer<String> cancelLaunch = name -> {};

    Settlement(JobReader reader, ProcessTable processes, Clock clock, Workers workers) {
        this.reader = reader;
        this.processes = processes;
        this.clock = clock;
        this.workers = workers;
    }

    /** Connects the launches of this JVM: they are cancelled when their job is to end, and waited for. */
    void launches(Predicate<String> launching, Consumer<String> cancel) {
        launchingHere = launching;
        cancelLaunch = cancel;
    }

    /** Looks at a job, does what follows at once, begins what takes longer, and returns the job. */
    TrainJob settle(JobDirectory directory) {
        Picture picture = reader.read(directory);
        switch (picture.next()) {
            case COMPLETE -> complete(directory, picture);
            case FAIL -> {
                CompletableFuture<?> unused = begin(directory, confirmed(directory, picture));
            }
            case NOTHING -> {
                return picture.job();
            }
        }
        return reader.read(directory).job();
    }

    /** What looks like a loss may be a file that another process is just about to write. */
    private Picture confirmed(JobDirectory directory, Picture picture) {
        boolean loss = picture.cause()
                .map(cause -> cause.failure().reason())
                .filter(reason -> reason.equals(Cause.LAUNCHER_LOST) || reason.equals(Cause.PROCESS_LOST))
                .isPresent();
        if (!loss || Files.exists(directory.cause())) {
            return picture;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        return reader.read(directory);
    }

    private void complete(JobDirectory directory, Picture picture) {
        JobRecord record = picture.record().orElseThrow();
        // What a node left behind outside of its session ends with the job, as it would in a container.
        for (ProcessIdentity left :
                processes.members(record.workspace(), record.launcher(), leaders(directory, record))) {
            processes.signal(left, true);
        }
        write(directory, picture.job(), JobStatus.COMPLETE, Optional.empty());
    }

    /**
     * Ends a job as failed, unless it is over or ending already.
     *
     * @return is completed when the job is over, with what could not be stopped
     */
    CompletableFuture<List<ProcessIdentity>> end(JobDirectory directory, Failure failure) {
        Picture picture = reader.read(directory);
        if (picture.job().status().isFinal() || picture.job().status() == JobStatus.UNKNOWN) {
            return CompletableFuture.completedFuture(List.of());
        }
        Cause cause = picture.cause().orElse(new Cause(clock.instant(), failure));
        return begin(directory, new Picture(picture.record(), picture.job(), Picture.Next.FAIL, Optional.of(cause)));
    }

    private CompletableFuture<List<ProcessIdentity>> begin(JobDirectory directory, Picture picture) {
        if (picture.next() != Picture.Next.FAIL) {
            return CompletableFuture.completedFuture(List.of());
        }
        try {
            picture.cause().orElseThrow().write(directory);
        } catch (IOException e) {
            throw gone(directory)
                    .orElseGet(() -> new TrainerException(
                            "job " + directory.name() + " must be stopped, but that cannot be written to "
                                    + directory.state() + ": " + e
                                    + "; make the directory writable or free some space, and look at the job again",
                            e));
        }
        Stop[] made = new Stop[1];
        Stop stop = stops.computeIfAbsent(
                directory.name(),
                name -> made[0] = new Stop(directory, picture.record().orElseThrow()));
        if (made[0] != null) {
            cancelLaunch.accept(directory.name());
            stop.tick();
        }
        return stop.done;
    }

    /** Returns whether jobs are being stopped, to be waited for. */
    List<CompletableFuture<List<ProcessIdentity>>> running() {
        return stops.values().stream().map(stop -> stop.done).toList();
    }

    /** Returns what stops all that runs of a job. */
    TreeStop treeStop(JobDirectory directory, JobRecord record) {
        return new TreeStop(
                processes, record.workspace(), record.launcher(), () -> leaders(directory, record), record.grace());
    }

    private List<ProcessIdentity> leaders(JobDirectory directory, JobRecord record) {
        List<ProcessIdentity> leaders = new ArrayList<>();
        for (JobRecord.StepRecord step : record.steps()) {
            try {
                StepProcess.read(directory, step.name(), processes).identity().ifPresent(leaders::add);
            } catch (IOException e) {
                LOG.debug("the process of {} of job {} cannot be read", step.name(), record.name(), e);
            }
        }
        return leaders;
    }

    private void write(JobDirectory directory, TrainJob job, JobStatus status, Optional<Failure> failure) {
        try {
            JobReader.writeOutcome(
                    directory,
                    new TrainJob(
                            job.name(),
                            status,
                            job.runtime(),
                            job.steps(),
                            job.numNodes(),
                            job.creationTime(),
                            job.labels(),
                            job.annotations(),
                            job.workspace(),
                            failure,
                            job.progress()));
        } catch (IOException e) {
            // Nothing is lost: whoever looks next works it out once more, unless the job was deleted meanwhile.
            if (Files.isDirectory(directory.state())) {
                LOG.warn("the outcome of job {} cannot be written down: {}", directory.name(), e.toString());
            }
        }
    }

    private static Optional<RuntimeException> gone(JobDirectory directory) {
        return Files.isDirectory(directory.root()) ? Optional.empty() : Optional.of(JobStore.missing(directory.name()));
    }

    /** One job on its way to its end as failed. */
    private final class Stop {
        private final JobDirectory directory;
        private final JobRecord record;
        private final TreeStop tree;
        private final CompletableFuture<List<ProcessIdentity>> done = new CompletableFuture<>();
        private final long patienceEnd;
        private boolean nothingRuns;

        Stop(JobDirectory directory, JobRecord record) {
            this.directory = directory;
            this.record = record;
            this.tree = treeStop(directory, record);
            this.patienceEnd = System.nanoTime() + record.grace().plus(PATIENCE).toNanos();
        }

        void tick() {
            try {
                if (nothingRuns || tree.advance()) {
                    nothingRuns = true;
                    if (launchIsOver()) {
                        finish();
                        return;
                    }
                }
                if (!workers.after(TICK_MILLIS, this::tick)) {
                    end(new TrainerException(
                            "the backend was closed while job " + record.name()
                                    + " was being stopped; look at it with another client",
                            null));
                }
            } catch (RuntimeException | Error e) {
                LOG.warn("job {} could not be stopped", record.name(), e);
                end(e);
            }
        }

        /** Whether nothing more will be started: a launch is over, its JVM is gone, or it does not react. */
        private boolean launchIsOver() {
            if (launchingHere.test(record.name())) {
                return false;
            }
            return Files.exists(directory.launched())
                    || !processes.isAlive(record.launcher())
                    || record.launcher().equals(processes.self())
                    || System.nanoTime() - patienceEnd >= 0;
        }

        private void finish() {
            try {
                Optional<Cause> cause = Cause.read(directory);
                Picture picture = reader.read(directory);
                if (cause.isPresent() && !picture.job().status().isFinal()) {
                    write(directory, picture.job(), JobStatus.FAILED, Optional.of(failure(cause.get())));
                }
            } catch (JobNotFoundException e) {
                LOG.debug("job {} was deleted while it was being stopped", record.name());
            } catch (IOException e) {
                LOG.warn("the end of job {} cannot be written down: {}", record.name(), e.toString());
            }
            end(null);
        }

        private Failure failure(Cause cause) throws IOException {
            List<Failure> further = new ArrayList<>(cause.failure().further());
            further.addAll(reader.further(directory, record, cause));
            for (ProcessIdentity process : tree.stuck()) {
                further.add(Failure.of("Stuck", "process " + process.pid() + " could not be ended and may still run"));
            }
            Failure first = cause.failure();
            return new Failure(
                    first.step(), first.reason(), first.message(), first.exitCode(), first.logTail(), further);
        }

        private void end(@org.jspecify.annotations.Nullable Throwable problem) {
            stops.remove(record.name(), this);
            if (problem == null) {
                done.complete(tree.stuck());
            } else {
                done.completeExceptionally(problem);
            }
        }
    }

    /** Returns when a stop that begins now is over at the latest. */
    static Duration longest(JobRecord record) {
        return record.grace().plus(PATIENCE).plus(PATIENCE);
    }
}
