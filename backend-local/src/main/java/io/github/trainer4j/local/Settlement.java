package io.github.trainer4j.local;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.state.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what follows from where a job stands: stops what must not go on, and writes down how the job ended. Whichever
 * client looks at a job settles it; several may do so at once, and the first one's word counts.
 */
final class Settlement {
    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);
    private static final long TICK_MILLIS = 20;
    private static final long CONFIRM_MILLIS = 100;
    /** How long another JVM that launches the job has, after the grace, to end its part. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final JobReader reader;
    private final ProcessTable processes;
    private final Clock clock;
    private final Workers workers;
    private final Map<JobRecord, Stop> stops = new ConcurrentHashMap<>();
    /** Why jobs are to end, where the disk was too full to write it down. */
    private final Map<JobRecord, Cause> unwritten = new ConcurrentHashMap<>();

    private final Set<Path> warned = ConcurrentHashMap.newKeySet();

    Settlement(JobReader reader, ProcessTable processes, Clock clock, Workers workers) {
        this.reader = reader;
        this.processes = processes;
        this.clock = clock;
        this.workers = workers;
    }

    /** Looks at a job, does what follows at once, begins what takes longer, and returns the job. */
    TrainJob settle(JobDirectory directory) {
        Picture picture = reader.read(directory);
        Optional<Cause> known = picture.record().map(unwritten::get);
        if (known.isPresent() && !picture.job().status().isFinal()) {
            picture = new Picture(picture.record(), picture.job(), Picture.Next.FAIL, known);
        } else if (picture.next() == Picture.Next.FAIL) {
            picture = confirmed(directory, picture);
        }
        return switch (picture.next()) {
            case COMPLETE -> complete(directory, picture);
            case FAIL -> {
                Stop stop = begin(directory, picture);
                yield stop.outcome != null
                        ? stop.outcome
                        : reader.read(directory).job();
            }
            case NOTHING -> picture.job();
        };
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
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(CONFIRM_MILLIS));
        return reader.read(directory);
    }

    private TrainJob complete(JobDirectory directory, Picture picture) {
        JobRecord record = picture.record().orElseThrow();
        // What a node left behind outside of its session ends with the job, as it would in a container.
        for (ProcessIdentity left :
                processes.members(record.workspace(), record.launcher(), leaders(directory, record))) {
            processes.signal(left, true);
        }
        return conclude(directory, picture.job(), JobStatus.COMPLETE, Optional.empty());
    }

    /** Writes down how a job ended and returns it so, or as somebody else has written it down before. */
    private TrainJob conclude(JobDirectory directory, TrainJob job, JobStatus status, Optional<Failure> failure) {
        TrainJob ended = new TrainJob(
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
                job.progress());
        try {
            JobReader.writeOutcome(directory, ended);
        } catch (NoSuchFileException e) {
            throw JobStore.missing(directory.name());
        } catch (IOException e) {
            // Nothing is lost, for instance on a full disk: whoever looks next works it out once more.
            warnOnce(directory, e);
            return ended;
        }
        return reader.read(directory).job();
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
        return begin(directory, new Picture(picture.record(), picture.job(), Picture.Next.FAIL, Optional.of(cause)))
                .done;
    }

    private Stop begin(JobDirectory directory, Picture picture) {
        Cause cause = picture.cause().orElseThrow();
        JobRecord record = picture.record().orElseThrow();
        try {
            cause.write(directory.cause());
            unwritten.remove(record);
        } catch (NoSuchFileException e) {
            throw JobStore.missing(directory.name());
        } catch (IOException e) {
            warnOnce(directory, e);
            unwritten.put(record, cause);
        }
        Stop[] made = new Stop[1];
        Stop stop = stops.computeIfAbsent(record, any -> made[0] = new Stop(directory, record, cause));
        if (made[0] != null) {
            Launches.cancel(directory);
            stop.tick();
        }
        return stop;
    }

    private void warnOnce(JobDirectory directory, IOException e) {
        if (warned.add(directory.root())) {
            LOG.warn("the end of job {} cannot be written down: {}", directory.name(), e.toString());
        }
    }

    /** Returns the stops that are under way, to be waited for. */
    List<CompletableFuture<List<ProcessIdentity>>> running() {
        return stops.values().stream().map(stop -> stop.done).toList();
    }

    /** Returns whether a job was not deleted meanwhile, and its name perhaps given to another one. */
    boolean isStillThere(JobDirectory directory, JobRecord record) {
        return reader.read(directory).record().filter(record::equals).isPresent();
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

    /** Returns how long a stop that begins now takes at the most. */
    static Duration longest(JobRecord record) {
        return record.grace().plus(PATIENCE).plus(PATIENCE);
    }

    /** One job on its way to its end as failed. */
    private final class Stop {
        private final JobDirectory directory;
        private final JobRecord record;
        private final Cause cause;
        private final TreeStop tree;
        private final CompletableFuture<List<ProcessIdentity>> done = new CompletableFuture<>();
        private final long patienceEnd;
        private boolean nothingRuns;
        private volatile @Nullable TrainJob outcome;

        Stop(JobDirectory directory, JobRecord record, Cause cause) {
            this.directory = directory;
            this.record = record;
            this.cause = cause;
            this.tree = treeStop(directory, record);
            this.patienceEnd = System.nanoTime() + record.grace().plus(PATIENCE).toNanos();
        }

        void tick() {
            try {
                if (!isStillThere(directory, record)) {
                    LOG.debug("job {} was deleted while it was being stopped", record.name());
                    end(null);
                    return;
                }
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
            } catch (JobNotFoundException e) {
                LOG.debug("job {} was deleted while it was being stopped", record.name());
                end(null);
            } catch (RuntimeException | Error e) {
                LOG.warn("job {} could not be stopped", record.name(), e);
                end(e);
            }
        }

        /** Whether nothing more will be started: the launch is over, its JVM is gone, or that does not react. */
        private boolean launchIsOver() {
            if (Launches.isLaunching(directory)) {
                return false;
            }
            return Files.exists(directory.launched())
                    || !processes.isAlive(record.launcher())
                    || record.launcher().equals(processes.self())
                    || System.nanoTime() - patienceEnd >= 0;
        }

        private void finish() {
            try {
                // What was decided first counts, should it be another client's word.
                Cause decided = Cause.read(directory.cause()).orElse(cause);
                Picture picture = reader.read(directory);
                outcome = picture.job().status().isFinal()
                        ? picture.job()
                        : conclude(directory, picture.job(), JobStatus.FAILED, Optional.of(failure(decided)));
            } catch (IOException e) {
                LOG.warn("how job {} ended cannot be read: {}", record.name(), e.toString());
            }
            end(null);
        }

        private Failure failure(Cause decided) throws IOException {
            Failure first = decided.failure();
            List<Failure> further = new ArrayList<>(first.further());
            further.addAll(reader.further(directory, record, decided));
            for (ProcessIdentity process : tree.stuck()) {
                further.add(Failure.of("Stuck", "process " + process.pid() + " could not be ended and may still run"));
            }
            return new Failure(
                    first.step(), first.reason(), first.message(), first.exitCode(), first.logTail(), further);
        }

        private void end(@Nullable Throwable problem) {
            stops.remove(record, this);
            if (problem == null) {
                done.complete(tree.stuck());
            } else {
                done.completeExceptionally(problem);
            }
        }
    }
}
