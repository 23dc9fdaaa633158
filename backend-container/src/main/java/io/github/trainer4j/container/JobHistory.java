package io.github.trainer4j.container;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.api.state.ExitCodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells what has happened to a job: what was written down, and what follows from where its steps stand. */
final class JobHistory {
    private JobHistory() {}

    static List<Event> of(Picture picture) {
        JobRecord record = picture.sighted().record();
        List<Event> events = new ArrayList<>();
        events.add(new Event(
                record.created(),
                Optional.empty(),
                Event.Type.NORMAL,
                "Created",
                "job " + record.name() + " with " + record.numNodes() + " nodes"));
        picture.sighted().directory().ifPresent(directory -> events.addAll(JobEvents.read(directory.events())));
        Instant last = record.created();
        for (Map.Entry<String, StepState> step : picture.states().entrySet()) {
            started(step.getKey(), step.getValue(), record).ifPresent(events::add);
            outOfMemory(step.getKey(), step.getValue()).ifPresent(events::add);
            Optional<Event> ended = ended(step.getKey(), step.getValue());
            ended.ifPresent(events::add);
            last = ended.map(Event::time).filter(last::isBefore).orElse(last);
        }
        Instant end = last;
        picture.job()
                .failure()
                .filter(failure -> failure.exitCode().isEmpty())
                .ifPresent(failure -> events.add(
                        new Event(end, failure.step(), Event.Type.WARNING, failure.reason(), failure.message())));
        events.sort(Comparator.comparing(Event::time));
        return events;
    }

    private static Optional<Event> started(String step, StepState state, JobRecord record) {
        return state.started()
                .map(time -> new Event(
                        time,
                        Optional.of(step),
                        Event.Type.NORMAL,
                        "Started",
                        state.placed() ? "started container " + record.containerName(step) : "started"));
    }

    private static Optional<Event> outOfMemory(String step, StepState state) {
        return state.ended()
                .filter(time -> state.reason().equals(Optional.of(Cause.OUT_OF_MEMORY)))
                .map(time -> new Event(
                        time,
                        Optional.of(step),
                        Event.Type.WARNING,
                        Cause.OUT_OF_MEMORY,
                        "its memory ran out; give it a higher limit, or let it use less"));
    }

    private static Optional<Event> ended(String step, StepState state) {
        if (state.ended().isEmpty()) {
            return Optional.empty();
        }
        boolean well = state.status() == JobStatus.COMPLETE;
        String message = state.exitCode().isPresent()
                ? ExitCodes.describe(state.exitCode().getAsInt())
                        + (state.exitCode().getAsInt() == 0 || state.exitCode().getAsInt() <= 128
                                ? ""
                                : " (exit code " + state.exitCode().getAsInt() + ")")
                : "ended" + state.reason().map(reason -> ": " + reason).orElse("");
        return Optional.of(new Event(
                state.ended().get(),
                Optional.of(step),
                well ? Event.Type.NORMAL : Event.Type.WARNING,
                "Exited",
                message));
    }
}
