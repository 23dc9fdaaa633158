package io.github.trainer4j.container;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainingProgress;
import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.progress.ProgressFile;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.api.state.StateFiles;
import io.github.trainer4j.container.JobRecord.StepRecord;
import io.github.trainer4j.container.Picture.Next;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Works out where a job stands, from its containers and its files. The only place where that is done. */
final class JobReader {
    private final Product product;
    private final Clock clock;
    private final Predicate<JobRecord> launching;
    private final Function<JobRecord, Optional<Cause>> remembered;

    /**
     * Makes a reader.
     *
     * @param launching whether a job that this process launches is still being launched
     * @param remembered why a launch of this process failed, which may be written down nowhere
     */
    JobReader(
            Product product,
            Clock clock,
            Predicate<JobRecord> launching,
            Function<JobRecord, Optional<Cause>> remembered) {
        this.product = product;
        this.clock = clock;
        this.launching = launching;
        this.remembered = remembered;
    }

    /**
     * Looks at a job.
     *
     * @throws JobNotFoundException if its files are gone meanwhile
     */
    Picture read(Sighted sighted) {
        try {
            Optional<Picture> outcome = outcome(sighted);
            return outcome.isPresent() ? outcome.get() : look(sighted);
        } catch (IOException e) {
            if (sighted.directory().isPresent()
                    && !Files.exists(sighted.directory().get().record())) {
                throw JobNotFoundException.noJob(sighted.record().name(), product.backend());
            }
            throw new BackendUnavailableException(
                    "the files of job " + sighted.record().name() + " cannot be read: " + e, List.of(), e);
        }
    }

    private Picture look(Sighted sighted) throws IOException {
        JobRecord record = sighted.record();
        Optional<Cause> cause = sighted.directory().isPresent()
                ? Cause.read(sighted.directory().get().cause()).or(() -> remembered.apply(record))
                : Optional.empty();
        boolean launched = sighted.directory()
                .map(directory -> Files.exists(directory.launched()))
                .orElse(false);
        Facts facts = new Facts(sighted, cause, launched);
        for (String node : record.nodeSteps()) {
            facts.node(node);
        }
        Launcher launcher = launched ? Launcher.DONE : launcher(record);
        boolean lost = launcher == Launcher.GONE && !facts.allStarted;
        Map<String, StepState> states = new LinkedHashMap<>();
        for (StepRecord initializer : record.initializers()) {
            states.put(initializer.name(), facts.initializer(initializer.name(), lost));
        }
        states.putAll(facts.nodes);
        if (lost) {
            facts.failures.add(new Cause(
                    clock.instant(),
                    Failure.of(
                            Cause.LAUNCHER_LOST,
                            "the process that launched the job (pid "
                                    + record.launcher().pid()
                                    + ") ended before all nodes had started; delete the job and submit it again")));
        }
        facts.deadline(clock.instant());
        Optional<Cause> ending = cause.or(() -> first(facts.failures));
        return picture(sighted, states, facts, ending, launcher);
    }

    /** What the process that launches a job is at. */
    private enum Launcher {
        /** It still launches, and will clean up if that fails. */
        BUSY,
        /** It has ended before it was done. */
        GONE,
        /** It has done its part, or nobody can say. */
        DONE
    }

    private Launcher launcher(JobRecord record) {
        LauncherIdentity identity = record.launcher();
        if (!identity.isOfThisHost()) {
            return Launcher.DONE;
        }
        boolean busy = identity.isSelf() ? launching.test(record) : identity.isAlive();
        return busy ? Launcher.BUSY : Launcher.GONE;
    }

    private Picture picture(
            Sighted sighted, Map<String, StepState> states, Facts facts, Optional<Cause> ending, Launcher launcher) {
        JobStatus status = facts.unknown ? JobStatus.UNKNOWN : facts.allStarted ? JobStatus.RUNNING : JobStatus.CREATED;
        if (sighted.foreign()) {
            // Nothing is done about another program's job, so it is told as it stands.
            status = ending.isPresent()
                    ? JobStatus.FAILED
                    : facts.allSucceeded && facts.allStarted ? JobStatus.COMPLETE : status;
            return new Picture(
                    sighted,
                    job(sighted, status, states, ending.map(Cause::failure), Optional.empty()),
                    states,
                    Next.NOTHING,
                    ending);
        }
        Next next = launcher == Launcher.BUSY
                ? Next.NOTHING
                : ending.isPresent() ? Next.FAIL : facts.allSucceeded ? Next.COMPLETE : Next.NOTHING;
        return new Picture(
                sighted, job(sighted, status, states, Optional.empty(), progress(sighted)), states, next, ending);
    }

    static Optional<Cause> first(List<Cause> causes) {
        return causes.stream().min(Comparator.comparing(Cause::at));
    }

    /** What the containers of one job say, collected step by step. */
    private final class Facts {
        private final Sighted sighted;
        private final Optional<Cause> cause;
        private final boolean launched;
        private final Map<String, StepState> nodes = new LinkedHashMap<>();
        private final List<Cause> failures = new ArrayList<>();
        private boolean allStarted = true;
        private boolean allSucceeded = true;
        private boolean allEnded = true;
        private boolean unknown;

        Facts(Sighted sighted, Optional<Cause> cause, boolean launched) {
            this.sighted = sighted;
            this.cause = cause;
            this.launched = launched;
            if (sighted.record().numNodes() == 0) {
                allStarted = false;
                allSucceeded = false;
                allEnded = false;
            }
        }

        void node(String step) throws IOException {
            StepState state = noted(step);
            Optional<ContainerFacts> container = sighted.container(step);
            if (container.isEmpty()) {
                nodes.put(step, missing(step, state));
                return;
            }
            state = state.told(container.get());
            switch (container.get().state()) {
                case CREATED -> {
                    allStarted = false;
                    allSucceeded = false;
                    allEnded = false;
                    state = state.as(JobStatus.CREATED, cause.map(ending -> "NotStarted"));
                }
                case RUNNING -> {
                    allSucceeded = false;
                    allEnded = false;
                    state = state.as(JobStatus.RUNNING, Optional.empty());
                }
                case EXITED -> state = exited(step, state, container.get());
                case OTHER -> {
                    unknown = true;
                    allSucceeded = false;
                    allEnded = false;
                    state = state.as(JobStatus.UNKNOWN, Optional.empty());
                }
            }
            nodes.put(step, state);
        }

        private StepState exited(String step, StepState state, ContainerFacts facts) {
            if (facts.exitCode().isEmpty()) {
                unknown = true;
                allSucceeded = false;
                return state.as(JobStatus.UNKNOWN, Optional.empty());
            }
            int code = facts.exitCode().getAsInt();
            if (code == 0) {
                return state.as(JobStatus.COMPLETE, Optional.empty());
            }
            allSucceeded = false;
            boolean stopped = cause.filter(ending -> !ending.failure().step().equals(Optional.of(step)))
                    .isPresent();
            Failure failure = NodeFailure.of(step, facts, stopped);
            failures.add(new Cause(facts.ended().orElse(clock.instant()), failure));
            return state.as(JobStatus.FAILED, Optional.of(failure.reason()));
        }

        private StepState missing(String step, StepState state) {
            allSucceeded = false;
            if (!launched || cause.isPresent()) {
                allStarted = false;
                allEnded = false;
                return state.as(JobStatus.CREATED, cause.map(ending -> "NotStarted"));
            }
            failures.add(new Cause(
                    clock.instant(),
                    new Failure(
                            Optional.of(step),
                            Cause.CONTAINER_LOST,
                            "its container " + sighted.record().containerName(step)
                                    + " was removed by somebody else, so nobody knows how it ended",
                            java.util.OptionalInt.empty(),
                            List.of(),
                            List.of())));
            if (sighted.gone().contains(step)) {
                return state.as(JobStatus.FAILED, Optional.of(Cause.CONTAINER_LOST));
            }
            unknown = true;
            return state.as(JobStatus.UNKNOWN, Optional.empty());
        }

        StepState initializer(String step, boolean lost) throws IOException {
            StepState state = noted(step);
            Optional<ContainerFacts> container = sighted.container(step);
            if (container.isPresent()) {
                state = state.placed(true);
            }
            if (sighted.directory().isEmpty()) {
                // Only the containers tell; one that is gone has done its work if the nodes could start.
                state = container
                        .map(facts -> alone(step, facts))
                        .orElse(allStarted ? state.as(JobStatus.COMPLETE, Optional.empty()) : state);
            }
            return lost && state.status() == JobStatus.RUNNING
                    ? state.as(JobStatus.FAILED, Optional.of(Cause.LAUNCHER_LOST))
                    : state;
        }

        private StepState alone(String step, ContainerFacts facts) {
            StepState state = StepState.TO_COME.told(facts);
            return switch (facts.state()) {
                case CREATED -> state;
                case RUNNING -> state.as(JobStatus.RUNNING, Optional.empty());
                case EXITED -> {
                    if (facts.exitCode().isPresent() && facts.exitCode().getAsInt() == 0) {
                        yield state.as(JobStatus.COMPLETE, Optional.empty());
                    }
                    if (sighted.foreign()) {
                        failures.add(new Cause(facts.created(), NodeFailure.of(step, facts, false)));
                    }
                    yield state.as(JobStatus.FAILED, Optional.of(Cause.EXIT_CODE));
                }
                case OTHER -> state.as(JobStatus.UNKNOWN, Optional.empty());
            };
        }

        private StepState noted(String step) throws IOException {
            return sighted.directory().isPresent()
                    ? StepState.read(sighted.directory().get().step(step))
                    : StepState.TO_COME;
        }

        void deadline(Instant now) {
            sighted.record()
                    .deadline()
                    .filter(at -> !allEnded && !now.isBefore(at))
                    .ifPresent(at -> failures.add(new Cause(
                            at,
                            deadlineFailure(Duration.between(sighted.record().created(), at)))));
        }
    }

    static Failure deadlineFailure(Duration limit) {
        return Failure.of(
                Cause.DEADLINE_EXCEEDED,
                "the job did not end within its deadline of " + limit + " and was stopped; give it a longer one");
    }

    private static Optional<TrainingProgress> progress(Sighted sighted) {
        return sighted.directory()
                .flatMap(directory -> ProgressFile.newest(
                        directory.workspace(), sighted.record().numNodes()));
    }

    private Optional<Picture> outcome(Sighted sighted) throws IOException {
        if (sighted.directory().isEmpty()) {
            return Optional.empty();
        }
        Path file = sighted.directory().get().outcome();
        Optional<String> text = StateFiles.read(file);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            Fields fields = Fields.parse(text.get());
            Map<String, StepState> states = new LinkedHashMap<>();
            Fields steps = fields.object("steps").orElseThrow(() -> new IllegalArgumentException("no steps"));
            for (String step : sighted.record().stepNames()) {
                states.put(step, steps.object(step).map(StepState::fromJson).orElse(StepState.TO_COME));
            }
            TrainJob job = job(
                    sighted,
                    JobStatus.valueOf(fields.need("status")),
                    states,
                    fields.object("failure").map(Cause::failure),
                    fields.text("progress")
                            .flatMap(progress -> ProgressFile.parse(
                                    progress, sighted.record().created())));
            return Optional.of(new Picture(sighted, job, states, Next.NOTHING, Optional.empty()));
        } catch (IllegalArgumentException e) {
            // A torn file after a power cut: all that it said follows once more from the containers.
            Files.deleteIfExists(file);
            return Optional.empty();
        }
    }

    /** Writes down how a job ended, unless that is written down already. */
    static void writeOutcome(JobDirectory directory, TrainJob job, Map<String, StepState> states) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("status", job.status().name());
        job.failure().ifPresent(failure -> json.put("failure", Cause.toJson(failure)));
        Map<String, Object> steps = new LinkedHashMap<>();
        states.forEach((step, state) -> steps.put(step, state.toJson()));
        json.put("steps", steps);
        job.progress().ifPresent(progress -> json.put("progress", ProgressFile.text(progress)));
        StateFiles.writeOnce(directory.outcome(), Json.write(json));
    }

    static TrainJob job(
            Sighted sighted,
            JobStatus status,
            Map<String, StepState> states,
            Optional<Failure> failure,
            Optional<TrainingProgress> progress) {
        JobRecord record = sighted.record();
        Map<String, StepRecord> records = new LinkedHashMap<>();
        record.initializers().forEach(initializer -> records.put(initializer.name(), initializer));
        List<Step> steps = new ArrayList<>();
        states.forEach((step, state) ->
                steps.add(state.toStep(step, record.containerName(step), records.getOrDefault(step, record.node()))));
        Optional<Path> workspace =
                sighted.directory().map(JobDirectory::workspace).or(() -> foreignWorkspace(sighted));
        return new TrainJob(
                record.name(),
                status,
                record.runtime().isBlank() ? Optional.empty() : Optional.of(record.runtime()),
                steps,
                record.numNodes(),
                record.created(),
                record.labels(),
                record.annotations(),
                workspace,
                failure,
                progress);
    }

    /** Returns the directory that another program's job says is its work directory, if this machine has it. */
    private static Optional<Path> foreignWorkspace(Sighted sighted) {
        String directory = sighted.record().workDirectory();
        if (!sighted.foreign() || directory.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(directory)).filter(Files::isDirectory);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
