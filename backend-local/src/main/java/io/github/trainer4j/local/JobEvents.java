package io.github.trainer4j.local;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.api.state.ExitCodes;
import io.github.trainer4j.api.state.StateFiles;
import io.github.trainer4j.local.JobRecord.Kind;
import io.github.trainer4j.local.JobRecord.StepRecord;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What has happened to a job. Events are not recorded but follow from the job's files, like its status: so none is lost
 * with the JVM that might have written it, and none comes twice.
 */
final class JobEvents {
    private final List<Event> events = new ArrayList<>();
    /** Times of files are a few milliseconds behind the clock: no node seems to start before what it has waited for. */
    private Instant launched = Instant.MIN;

    private JobEvents() {}

    /** Returns the events in the order of their times. */
    static List<Event> of(JobDirectory directory, Picture picture) throws IOException {
        JobEvents all = new JobEvents();
        Optional<JobRecord> record = picture.record();
        if (record.isPresent()) {
            all.record(record.get());
            for (StepRecord step : record.get().steps()) {
                picture.job().step(step.name()).ifPresent(seen -> all.step(step, seen));
            }
            Optional<Cause> cause = Cause.read(directory.cause());
            cause.ifPresent(all::cause);
            all.outcome(picture.job(), StateFiles.changed(directory.outcome()));
        }
        all.events.sort(Comparator.comparing(Event::time));
        return List.copyOf(all.events);
    }

    private void add(Instant time, Optional<String> step, Event.Type type, String reason, String message) {
        events.add(new Event(time.isBefore(launched) ? launched : time, step, type, reason, message));
    }

    private void record(JobRecord record) {
        add(
                record.created(),
                Optional.empty(),
                Event.Type.NORMAL,
                "Created",
                "created with runtime " + record.runtime() + " and steps " + String.join(", ", record.stepNames()));
        for (String note : record.notes()) {
            add(record.created(), Optional.empty(), Event.Type.WARNING, "LimitsNotEnforced", note);
        }
    }

    private void step(StepRecord record, Step step) {
        Optional<String> name = Optional.of(step.name());
        boolean node = record.kind() == Kind.NODE;
        if (node && launched.equals(Instant.MIN)) {
            launched = events.stream()
                    .map(Event::time)
                    .max(Comparator.naturalOrder())
                    .orElse(Instant.MIN);
        }
        step.startTime().ifPresent(time -> {
            String what = node
                    ? "process " + step.instance().orElse("?") + " runs " + String.join(" ", step.command())
                    : record.kind() == Kind.ENVIRONMENT ? "builds the Python environment" : "fetches";
            add(time, name, Event.Type.NORMAL, "Started", what);
        });
        if (step.exitCode().isPresent()) {
            int code = step.exitCode().getAsInt();
            add(
                    step.endTime().orElseThrow(),
                    name,
                    code == 0 ? Event.Type.NORMAL : Event.Type.WARNING,
                    "Exited",
                    (code == 0 ? "exited with 0" : ExitCodes.describe(code) + " (exit code " + code + ")")
                            + step.reason()
                                    .filter(Cause.STOPPED::equals)
                                    .map(reason -> ", because the job was stopped")
                                    .orElse(""));
        } else if (!node && step.endTime().isPresent()) {
            boolean complete = step.status() == JobStatus.COMPLETE;
            add(
                    step.endTime().get(),
                    name,
                    complete ? Event.Type.NORMAL : Event.Type.WARNING,
                    complete ? "Completed" : "Failed",
                    complete ? fetched(step) : "failed: " + step.reason().orElse("unknown reason"));
        }
    }

    private static String fetched(Step step) {
        return "done" + (step.bytesDone().isPresent() ? ", " + step.bytesDone().getAsLong() + " bytes fetched" : "");
    }

    /** The end of the job as a whole, where no event of a step tells it. */
    private void cause(Cause cause) {
        Failure failure = cause.failure();
        boolean told = failure.exitCode().isPresent();
        if (!told) {
            add(cause.at(), failure.step(), Event.Type.WARNING, failure.reason(), failure.message());
        }
    }

    private void outcome(TrainJob job, Optional<Instant> time) {
        if (!job.status().isFinal() || time.isEmpty()) {
            return;
        }
        boolean complete = job.status() == JobStatus.COMPLETE;
        // Never before the last thing that it follows from, whatever the file's clock says.
        Instant last =
                events.stream().map(Event::time).max(Comparator.naturalOrder()).orElse(time.get());
        add(
                time.get().isBefore(last) ? last : time.get(),
                Optional.empty(),
                complete ? Event.Type.NORMAL : Event.Type.WARNING,
                job.status().text(),
                complete
                        ? "all nodes exited with 0"
                        : job.failure()
                                .map(failure ->
                                        failure.step().map(step -> step + ": ").orElse("") + failure.message())
                                .orElse("failed"));
    }
}
