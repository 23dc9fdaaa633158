package io.github.trainer4j.container;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Why a job ends as failed. It is decided once, whoever looks at the job later.
 *
 * @param at when it happened; what ended later, ended because of it
 * @param failure the failure
 */
record Cause(Instant at, Failure failure) {
    /** Says that the launching process ended before all nodes had started. */
    static final String LAUNCHER_LOST = "LauncherLost";
    /** Says that a container was removed by somebody else. */
    static final String CONTAINER_LOST = "ContainerLost";
    /** Says that memory ran out. */
    static final String OUT_OF_MEMORY = "OOMKilled";
    /** Says that a container could not be made or started. */
    static final String START_FAILED = "StartFailed";
    /** Says that the launching client was closed by an interrupt. */
    static final String INTERRUPTED = "Interrupted";
    /** Says that the job took longer than it may. */
    static final String DEADLINE_EXCEEDED = "DeadlineExceeded";
    /** Says that a process ended with another code than 0. */
    static final String EXIT_CODE = "ExitCode";
    /** Says that a step was ended because of another one. */
    static final String STOPPED = "Stopped";

    static Optional<Cause> read(JobDirectory directory) throws IOException {
        return StateFiles.read(directory.cause()).map(text -> {
            Fields fields = Fields.parse(text);
            return new Cause(
                    fields.time("at").orElseThrow(() -> new IllegalArgumentException("no at")),
                    Codec.failure(
                            fields.object("failure").orElseThrow(() -> new IllegalArgumentException("no failure"))));
        });
    }

    /** Writes this cause down, unless there is one already. */
    void write(JobDirectory directory) throws IOException {
        StateFiles.writeOnce(
                directory.cause(), Json.write(Map.of("at", at.toString(), "failure", Codec.toJson(failure))));
    }
}
