package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What is known of one step, its log included. Guarded by the lock of its job. */
final class ToyStep {
    private final ToyJob job;
    private final List<LogLine> lines = new ArrayList<>();
    private Step.Builder known;
    private Step last;

    ToyStep(ToyJob job, String name, List<String> command) {
        this.job = job;
        this.known = Step.builder(name).command(command);
        this.last = known.build();
    }

    String name() {
        return last.name();
    }

    Step read() {
        return last;
    }

    void started(String instance) {
        synchronized (job) {
            if (last.startTime().isEmpty()) {
                known.startTime(job.now());
            }
            last = known.status(JobStatus.RUNNING).instance(instance).build();
            job.event(name(), Event.Type.NORMAL, "Started", name() + " was started as " + instance);
        }
        job.changed();
    }

    void ended(OptionalInt exitCode, JobStatus status, String reason) {
        synchronized (job) {
            exitCode.ifPresent(known::exitCode);
            last = known.status(status).reason(reason).endTime(job.now()).build();
            Event.Type type = status == JobStatus.COMPLETE ? Event.Type.NORMAL : Event.Type.WARNING;
            String code = exitCode.isPresent() ? " with code " + exitCode.getAsInt() : "";
            job.event(name(), type, exitCode.isPresent() ? "Exited" : reason, name() + " ended" + code);
        }
        job.changed();
    }

    /** The job is over: what still runs was stopped, and what never started never will. */
    void abandon(boolean failed) {
        if (failed && !last.status().isFinal()) {
            if (last.startTime().isPresent()) {
                known.endTime(job.now());
            }
            last = known.status(JobStatus.FAILED).reason("Stopped").build();
        }
    }

    void bytes(long done, OptionalLong total) {
        synchronized (job) {
            last = known.bytes(done, total).build();
        }
    }

    void log(String text) {
        synchronized (job) {
            lines.add(new LogLine(name(), Optional.of(job.now()), text));
            job.notifyAll();
        }
    }

    List<LogLine> lines() {
        return lines;
    }

    List<String> tail() {
        synchronized (job) {
            return lines.subList(Math.max(0, lines.size() - Failure.LOG_TAIL_LINES), lines.size()).stream()
                    .map(LogLine::text)
                    .toList();
        }
    }
}
