package io.github.trainer4j.local;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainingProgress;
import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.progress.ProgressFile;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.api.state.ExitCodes;
import io.github.trainer4j.api.state.StateFiles;
import io.github.trainer4j.local.JobRecord.Kind;
import io.github.trainer4j.local.JobRecord.StepRecord;
import io.github.trainer4j.local.Picture.Next;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works out where a job stands: from its files, and from which of its processes run. The only place where that is done. */
final class JobReader {
    private static final Logger LOG = LoggerFactory.getLogger(JobReader.class);
    private static final Duration START_LIMIT = Duration.ofSeconds(10);

    private final ProcessTable processes;
    private final Clock clock;

    JobReader(ProcessTable processes, Clock clock) {
        this.processes = processes;
        this.clock = clock;
    }

    /**
     * Looks at a job.
     *
     * @throws io.github.trainer4j.api.JobNotFoundException if there is no such job (any more)
     */
    Picture read(JobDirectory directory) {
        try {
            JobRecord record =
                    JobRecord.fromJson(StateFiles.read(directory.record()).orElse(""));
            Optional<TrainJob> outcome = outcome(directory, record);
            if (outcome.isPresent()) {
                return new Picture(Optional.of(record), outcome.get(), Next.NOTHING, Optional.empty());
            }
            return look(directory, record);
        } catch (IOException | IllegalArgumentException | InvalidJobException e) {
            LOG.debug("the files of job {} cannot be read", directory.name(), e);
            return unreadable(directory);
        }
    }

    private Picture look(JobDirectory directory, JobRecord record) throws IOException {
        boolean here = processes.isOfThisHost(record.host(), record.launcher());
        Optional<Cause> cause = Cause.read(directory.cause());
        Facts facts = new Facts(directory, record, cause, here);
        boolean launcherRuns = processes.isAlive(record.launcher());
        for (StepRecord step : record.steps()) {
            if (step.kind() == Kind.NODE) {
                facts.node(step);
            } else {
                facts.launched(step, here && !launcherRuns);
            }
        }
        if (!here) {
            return new Picture(
                    Optional.of(record),
                    job(directory, record, JobStatus.UNKNOWN, facts.steps, Optional.empty(), Optional.empty()),
                    Next.NOTHING,
                    Optional.empty());
        }
        if (!facts.allStarted && !launcherRuns && !isStarting(directory)) {
            facts.failed(
                    clock.instant(),
                    Failure.of(
                            Cause.LAUNCHER_LOST,
                            "the process that launched the job (pid "
                                    + record.launcher().pid()
                                    + ") ended before all nodes had started; delete the job and submit it again"));
        }
        facts.deadline(clock.instant());
        Optional<Cause> ending = cause.or(facts::first);
        Next next = ending.isPresent() ? Next.FAIL : facts.allSucceeded ? Next.COMPLETE : Next.NOTHING;
        JobStatus status = facts.allStarted ? JobStatus.RUNNING : JobStatus.CREATED;
        return new Picture(
                Optional.of(record),
                job(
                        directory,
                        record,
                        status,
                        facts.steps,
                        Optional.empty(),
                        ProgressFile.newest(directory.workspace(), record.numNodes())),
                next,
                ending);
    }

    /** Whether the launch is just over, so that the last nodes may not have written their files yet. */
    private boolean isStarting(JobDirectory directory) throws IOException {
        return StateFiles.changed(directory.launched())
                .filter(at -> at.plus(START_LIMIT).isAfter(clock.instant()))
                .isPresent();
    }

    /** What the files of one job say, collected step by step. */
    private final class Facts {
        private final JobDirectory directory;
        private final JobRecord record;
        private final Optional<Cause> cause;
        private final boolean here;
        private final List<Step> steps = new ArrayList<>();
        private final List<Cause> failures = new ArrayList<>();
        private boolean allStarted = true;
        private boolean allSucceeded = true;
        private boolean allEnded = true;
        private Instant lastEnd = Instant.MIN;

        Facts(JobDirectory directory, JobRecord record, Optional<Cause> cause, boolean here) {
            this.directory = directory;
            this.record = record;
            this.cause = cause;
            this.here = here;
        }

        void failed(Instant at, Failure failure) {
            failures.add(new Cause(at, failure));
        }

        Optional<Cause> first() {
            // Times of files are a few milliseconds coarse; at the same time, the deadline is the cause and the rest
            // follows.
            return failures.stream()
                    .min(Comparator.comparing(Cause::at)
                            .thenComparing(failure -> failure.failure().step().isPresent()));
        }

        /** A step that the launching JVM runs itself. */
        void launched(StepRecord step, boolean launcherIsGone) throws IOException {
            StepState state = StepState.read(directory, step.name());
            if (launcherIsGone && state.status() == JobStatus.RUNNING) {
                state = new StepState(
                        JobStatus.FAILED,
                        state.started(),
                        state.ended(),
                        Optional.of(Cause.LAUNCHER_LOST),
                        state.restarts(),
                        state.bytesDone(),
                        state.bytesTotal());
            }
            Step.Builder builder = builder(step).status(state.status()).restarts(state.restarts());
            state.started().ifPresent(builder::startTime);
            state.ended().ifPresent(builder::endTime);
            state.reason().ifPresent(builder::reason);
            if (state.bytesDone().isPresent()) {
                builder.bytes(state.bytesDone().getAsLong(), state.bytesTotal());
            }
            steps.add(builder.build());
        }

        void node(StepRecord step) throws IOException {
            StepProcess process = StepProcess.read(directory, step.name(), processes);
            boolean lost = false;
            if (here
                    && process.identity().isPresent()
                    && process.exitCode().isEmpty()
                    && !processes.isAlive(process.identity().get())) {
                // The exit code is written before the process ends: this look sees it if there is one.
                process = StepProcess.read(directory, step.name(), processes);
                lost = process.exitCode().isEmpty();
            }
            Step.Builder builder = builder(step);
            process.identity().ifPresent(identity -> builder.instance(Long.toString(identity.pid())));
            process.started().ifPresent(builder::startTime);
            process.ended().ifPresent(builder::endTime);
            if (process.exitCode().isPresent()) {
                exited(
                        step.name(),
                        process.exitCode().getAsInt(),
                        process.ended().orElse(clock.instant()),
                        builder);
            } else if (lost) {
                lost(step.name(), process, builder);
            } else if (process.identity().isPresent()) {
                builder.status(here ? JobStatus.RUNNING : JobStatus.UNKNOWN);
                allSucceeded = false;
                allEnded = false;
            } else {
                allStarted = false;
                allSucceeded = false;
                allEnded = false;
                cause.ifPresent(ending -> builder.reason("NotStarted"));
            }
            steps.add(builder.build());
        }

        private void exited(String step, int code, Instant end, Step.Builder builder) {
            lastEnd = end.isAfter(lastEnd) ? end : lastEnd;
            builder.exitCode(code);
            if (code == 0) {
                builder.status(JobStatus.COMPLETE);
                return;
            }
            allSucceeded = false;
            boolean stopped = cause.filter(ending -> isConsequence(ending, step, code, end))
                    .isPresent();
            builder.status(JobStatus.FAILED).reason(stopped ? Cause.STOPPED : Cause.EXIT_CODE);
            failed(
                    end,
                    new Failure(
                            Optional.of(step),
                            stopped ? Cause.STOPPED : Cause.EXIT_CODE,
                            stopped ? "was stopped because the job ended" : ExitCodes.describe(code),
                            OptionalInt.of(code),
                            stopped ? List.of() : tail(step),
                            List.of()));
        }

        /** Whether a node ended because the job was being ended; in doubt, what a signal ended was. */
        private static boolean isConsequence(Cause cause, String step, int code, Instant end) {
            if (cause.failure().step().equals(Optional.of(step))) {
                return false;
            }
            boolean sameTime = end.equals(cause.at());
            return end.isAfter(cause.at())
                    || (sameTime && (cause.failure().step().isEmpty() || ExitCodes.isStop(code)));
        }

        private void lost(String step, StepProcess process, Step.Builder builder) {
            allSucceeded = false;
            boolean stopped = cause.filter(ending -> !ending.failure().step().equals(Optional.of(step)))
                    .isPresent();
            builder.status(JobStatus.FAILED).reason(stopped ? Cause.STOPPED : Cause.PROCESS_LOST);
            failed(
                    clock.instant(),
                    new Failure(
                            Optional.of(step),
                            stopped ? Cause.STOPPED : Cause.PROCESS_LOST,
                            stopped
                                    ? "was stopped because the job ended"
                                    : "its process "
                                            + process.identity()
                                                    .map(ProcessIdentity::pid)
                                                    .orElse(0L)
                                            + " is gone and left no exit code; it was killed together with the process that"
                                            + " waited for it, or this host was restarted",
                            OptionalInt.empty(),
                            stopped ? List.of() : tail(step),
                            List.of()));
        }

        private List<String> tail(String step) {
            return LogTail.lines(directory.log(step), Failure.LOG_TAIL_LINES);
        }

        void deadline(Instant now) throws IOException {
            Optional<Instant> passed = StateFiles.changed(directory.deadline())
                    .filter(at -> !allEnded || !lastEnd.isBefore(at))
                    .or(() -> record.deadline().filter(at -> !allEnded && !now.isBefore(at)));
            passed.ifPresent(at -> failed(
                    at,
                    deadlineFailure(
                            Duration.between(record.created(), record.deadline().orElse(at)))));
        }

        private static Step.Builder builder(StepRecord step) {
            Step.Builder builder = Step.builder(step.name()).command(step.command());
            if (step.device().isPresent() && step.deviceCount().isPresent()) {
                builder.device(step.device().get(), step.deviceCount().get());
            }
            return builder;
        }
    }

    static Failure deadlineFailure(Duration limit) {
        return Failure.of(
                Cause.DEADLINE_EXCEEDED,
                "the job did not end within its deadline of " + limit + " and was stopped; give it a longer one");
    }

    /** Returns all failures of a job's nodes as they are now, apart from that of one step. */
    List<Failure> further(JobDirectory directory, JobRecord record, Cause cause) throws IOException {
        Facts facts = new Facts(directory, record, Optional.of(cause), true);
        for (StepRecord node : record.nodes()) {
            facts.node(node);
        }
        return facts.failures.stream()
                .map(Cause::failure)
                .filter(failure -> !failure.step().equals(cause.failure().step()))
                .toList();
    }

    private Optional<TrainJob> outcome(JobDirectory directory, JobRecord record) throws IOException {
        Optional<String> text = StateFiles.read(directory.outcome());
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            Fields fields = Fields.parse(text.get());
            return Optional.of(job(
                    directory,
                    record,
                    JobStatus.valueOf(fields.need("status")),
                    Codec.steps(fields),
                    fields.object("failure").map(Cause::failure),
                    fields.text("progress").flatMap(progress -> ProgressFile.parse(progress, record.created()))));
        } catch (IllegalArgumentException | InvalidJobException e) {
            // A torn file after a power cut: all that it said follows once more from the other files.
            Files.deleteIfExists(directory.outcome());
            return Optional.empty();
        }
    }

    /** Writes down how a job ended, unless that is written down already. */
    static void writeOutcome(JobDirectory directory, TrainJob job) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("status", job.status().name());
        job.failure().ifPresent(failure -> json.put("failure", Cause.toJson(failure)));
        json.put("steps", job.steps().stream().map(Codec::toJson).toList());
        job.progress().ifPresent(progress -> json.put("progress", ProgressFile.text(progress)));
        StateFiles.writeOnce(directory.outcome(), Json.write(json));
    }

    private static TrainJob job(
            JobDirectory directory,
            JobRecord record,
            JobStatus status,
            List<Step> steps,
            Optional<Failure> failure,
            Optional<TrainingProgress> progress) {
        return new TrainJob(
                record.name(),
                status,
                Optional.of(record.runtime()),
                steps,
                record.numNodes(),
                record.created(),
                record.labels(),
                record.annotations(),
                Optional.of(directory.workspace()),
                failure,
                progress);
    }

    /** A job whose files are damaged or cannot be read is shown all the same, so that it can be deleted. */
    private static Picture unreadable(JobDirectory directory) {
        Instant created;
        try {
            created = StateFiles.changed(directory.root()).orElseThrow(() -> JobStore.missing(directory.name()));
        } catch (IOException e) {
            throw new BackendUnavailableException(
                    "job " + directory.name() + " in " + directory.root() + " cannot be read: " + e, List.of(), e);
        }
        TrainJob job = new TrainJob(
                directory.name(),
                JobStatus.UNKNOWN,
                Optional.empty(),
                List.of(),
                0,
                created,
                Map.of(),
                Map.of(),
                Optional.of(directory.workspace()),
                Optional.empty(),
                Optional.empty());
        return new Picture(Optional.empty(), job, Next.NOTHING, Optional.empty());
    }
}
