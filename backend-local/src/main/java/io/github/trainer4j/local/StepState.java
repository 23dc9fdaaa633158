package io.github.trainer4j.local;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.state.StateFiles;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where a step stands that the launching JVM runs itself.
 *
 * @param status where it stands
 * @param started when it started
 * @param ended when it ended
 * @param reason one word on why it failed
 * @param restarts how often it was started again
 * @param bytesDone how much is fetched
 * @param bytesTotal how much there is in all
 */
record StepState(
        JobStatus status,
        Optional<Instant> started,
        Optional<Instant> ended,
        Optional<String> reason,
        int restarts,
        OptionalLong bytesDone,
        OptionalLong bytesTotal) {
    static final StepState TO_COME = new StepState(
            JobStatus.CREATED,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            OptionalLong.empty(),
            OptionalLong.empty());

    /** Returns the state at the begin of an attempt, of which the first is number 1. */
    StepState started(Instant time, int attempt) {
        return new StepState(
                JobStatus.RUNNING,
                started.or(() -> Optional.of(time)),
                Optional.empty(),
                Optional.empty(),
                attempt - 1,
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    StepState progress(long done, OptionalLong total) {
        return new StepState(status, started, ended, reason, restarts, OptionalLong.of(done), total);
    }

    StepState completed(Instant time) {
        return new StepState(
                JobStatus.COMPLETE, started, Optional.of(time), Optional.empty(), restarts, bytesDone, bytesTotal);
    }

    StepState failed(Instant time, String why) {
        return new StepState(
                JobStatus.FAILED, started, Optional.of(time), Optional.of(why), restarts, bytesDone, bytesTotal);
    }

    /** Returns the state as it was written last; one that is damaged counts as none. */
    static StepState read(JobDirectory directory, String step) throws IOException {
        Optional<String> text = StateFiles.read(directory.step(step));
        try {
            return text.map(StepState::parse).orElse(TO_COME);
        } catch (IllegalArgumentException e) {
            return TO_COME;
        }
    }

    private static StepState parse(String text) {
        Fields fields = Fields.parse(text);
        return new StepState(
                JobStatus.valueOf(fields.need("status")),
                fields.time("started"),
                fields.time("ended"),
                fields.text("reason"),
                fields.smallNumber("restarts").orElse(0),
                fields.number("bytesDone"),
                fields.number("bytesTotal"));
    }

    void write(JobDirectory directory, String step) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("status", status.name());
        started.ifPresent(time -> json.put("started", time.toString()));
        ended.ifPresent(time -> json.put("ended", time.toString()));
        reason.ifPresent(why -> json.put("reason", why));
        json.put("restarts", restarts);
        if (bytesDone.isPresent()) {
            json.put("bytesDone", bytesDone.getAsLong());
        }
        if (bytesTotal.isPresent()) {
            json.put("bytesTotal", bytesTotal.getAsLong());
        }
        StateFiles.write(directory.step(step), Json.write(json));
    }
}
