package io.github.trainer4j.local;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InvalidJobException;
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
    /** Says that the job's nodes were not known to run when the launching JVM ended. */
    static final String LAUNCHER_LOST = "LauncherLost";
    /** Says that a process is gone and did not write down an exit code. */
    static final String PROCESS_LOST = "ProcessLost";
    /** Says that the job took longer than it may. */
    static final String DEADLINE_EXCEEDED = "DeadlineExceeded";
    /** Says that a process ended with another code than 0. */
    static final String EXIT_CODE = "ExitCode";
    /** Says that the job is being deleted. */
    static final String DELETED = "Deleted";
    /** Says that a step was ended because of another one. */
    static final String STOPPED = "Stopped";

    static Optional<Cause> read(JobDirectory directory) throws IOException {
        Optional<String> file = StateFiles.read(directory.cause());
        try {
            return file.map(Cause::parse);
        } catch (IllegalArgumentException | InvalidJobException e) {
            // A torn file after a power cut: that there is one says enough.
            return Optional.of(new Cause(
                    StateFiles.changed(directory.cause()).orElse(Instant.EPOCH),
                    Failure.of("Stopped", "the job was ended; why, cannot be read any more")));
        }
    }

    private static Cause parse(String text) {
        Fields fields = Fields.parse(text);
        return new Cause(
                fields.time("at").orElseThrow(() -> new IllegalArgumentException("no at")),
                Codec.failure(fields.object("failure").orElseThrow(() -> new IllegalArgumentException("no failure"))));
    }

    /** Writes this cause down, unless there is one already. */
    void write(JobDirectory directory) throws IOException {
        StateFiles.writeOnce(
                directory.cause(), Json.write(Map.of("at", at.toString(), "failure", Codec.toJson(failure))));
    }
}
