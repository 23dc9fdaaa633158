package io.github.trainer4j.container;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.state.StateFiles;
import io.github.trainer4j.container.JobRecord.StepRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Where a step stands.
 *
 * @param status where it stands
 * @param placed whether there is, or was, a container for it
 * @param started when it started
 * @param ended when it ended
 * @param exitCode the exit code, if it ended with one
 * @param reason one word on why it stands there
 * @param bytesDone how much is fetched
 * @param bytesTotal how much there is in all
 */
record StepState(
        JobStatus status,
        boolean placed,
        Optional<Instant> started,
        Optional<Instant> ended,
        OptionalInt exitCode,
        Optional<String> reason,
        OptionalLong bytesDone,
        OptionalLong bytesTotal) {
    static final StepState TO_COME = new StepState(
            JobStatus.CREATED,
            false,
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty());

    /** Returns this state with another status and reason. */
    StepState as(JobStatus to, Optional<String> why) {
        return new StepState(to, placed, started, ended, exitCode, why, bytesDone, bytesTotal);
    }

    StepState placed(boolean is) {
        return new StepState(status, is, started, ended, exitCode, reason, bytesDone, bytesTotal);
    }

    /** Returns a fresh running state; what an earlier attempt left is forgotten. */
    static StepState started(Instant time, boolean placed) {
        return new StepState(
                JobStatus.RUNNING,
                placed,
                Optional.of(time),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    StepState progress(long done, OptionalLong total) {
        return new StepState(status, placed, started, ended, exitCode, reason, OptionalLong.of(done), total);
    }

    StepState ended(JobStatus how, Instant time, OptionalInt code, Optional<String> why) {
        return new StepState(how, placed, started, Optional.of(time), code, why, bytesDone, bytesTotal);
    }

    /** Returns this state with the times and the exit code that the engine tells. */
    StepState told(ContainerFacts facts) {
        Optional<Instant> end =
                facts.state() == ContainerFacts.State.EXITED ? facts.ended().or(() -> ended) : ended;
        // Of a program that ends at once, Docker notes the start after the end.
        Optional<Instant> start = facts.started()
                .or(() -> started)
                .map(time -> end.filter(time::isAfter).orElse(time));
        return new StepState(
                status,
                true,
                start,
                end,
                facts.exitCode().isPresent() ? facts.exitCode() : exitCode,
                reason,
                bytesDone,
                bytesTotal);
    }

    /** Returns the step as users see it. */
    Step toStep(String name, String container, StepRecord record) {
        return new Step(
                name,
                status,
                placed ? Optional.of(container) : Optional.empty(),
                exitCode,
                reason,
                Optional.empty(),
                0,
                started,
                ended,
                record.image(),
                record.command(),
                record.device(),
                record.deviceCount(),
                bytesDone,
                bytesTotal);
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("status", status.name());
        json.put("placed", placed);
        started.ifPresent(time -> json.put("started", time.toString()));
        ended.ifPresent(time -> json.put("ended", time.toString()));
        if (exitCode.isPresent()) {
            json.put("exitCode", exitCode.getAsInt());
        }
        reason.ifPresent(why -> json.put("reason", why));
        if (bytesDone.isPresent()) {
            json.put("bytesDone", bytesDone.getAsLong());
        }
        if (bytesTotal.isPresent()) {
            json.put("bytesTotal", bytesTotal.getAsLong());
        }
        return json;
    }

    static StepState fromJson(Fields fields) {
        return new StepState(
                JobStatus.valueOf(fields.need("status")),
                fields.flag("placed"),
                fields.time("started"),
                fields.time("ended"),
                fields.smallNumber("exitCode"),
                fields.text("reason"),
                fields.number("bytesDone"),
                fields.number("bytesTotal"));
    }

    /** Returns the state as it was written last. */
    static StepState read(Path file) throws IOException {
        return StateFiles.read(file).map(text -> fromJson(Fields.parse(text))).orElse(TO_COME);
    }

    void write(Path file) throws IOException {
        StateFiles.write(file, Json.write(toJson()));
    }
}
