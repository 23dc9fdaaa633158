package io.github.trainer4j.api.state;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Why a job ends as failed. It is decided once, whoever looks at the job later. The constants are the words for machines
 * in {@link Failure#reason()}, the same on every backend.
 *
 * @param at when it happened; what ended later, ended because of it
 * @param failure the failure
 */
public record Cause(Instant at, Failure failure) {
    /** Says that the launching process ended before all nodes were known to run. */
    public static final String LAUNCHER_LOST = "LauncherLost";
    /** Says that a process is gone and did not write down an exit code. */
    public static final String PROCESS_LOST = "ProcessLost";
    /** Says that a container was removed by somebody else. */
    public static final String CONTAINER_LOST = "ContainerLost";
    /** Says that memory ran out. */
    public static final String OUT_OF_MEMORY = "OOMKilled";
    /** Says that an initializer did not do its work. */
    public static final String INITIALIZER_FAILED = "InitializerFailed";
    /** Says that a node could not be made or started. */
    public static final String START_FAILED = "StartFailed";
    /** Says that the launching client was closed by an interrupt. */
    public static final String INTERRUPTED = "Interrupted";
    /** Says that the job took longer than it may. */
    public static final String DEADLINE_EXCEEDED = "DeadlineExceeded";
    /** Says that a process ended with another code than 0. */
    public static final String EXIT_CODE = "ExitCode";
    /** Says that the job is being deleted. */
    public static final String DELETED = "Deleted";
    /** Says that a step was ended because of another one. */
    public static final String STOPPED = "Stopped";

    /**
     * Returns the cause that was written down; empty if there is none.
     *
     * @throws IOException if the file cannot be read; one that makes no sense is a cause all the same
     */
    public static Optional<Cause> read(Path file) throws IOException {
        Optional<String> text = StateFiles.read(file);
        try {
            return text.map(Cause::parse);
        } catch (IllegalArgumentException | InvalidJobException e) {
            // A torn file after a power cut: that there is one says enough.
            return Optional.of(new Cause(
                    StateFiles.changed(file).orElse(Instant.EPOCH),
                    Failure.of(STOPPED, "the job was ended; why, cannot be read any more")));
        }
    }

    private static Cause parse(String text) {
        Fields fields = Fields.parse(text);
        return new Cause(
                fields.time("at").orElseThrow(() -> new IllegalArgumentException("no at")),
                failure(fields.object("failure").orElseThrow(() -> new IllegalArgumentException("no failure"))));
    }

    /**
     * Writes this cause down, unless there is one already.
     *
     * @throws IOException if it cannot be written
     */
    public void write(Path file) throws IOException {
        StateFiles.writeOnce(file, Json.write(Map.of("at", at.toString(), "failure", toJson(failure))));
    }

    /** Returns a failure as values that {@link Json#write} takes. */
    public static Map<String, Object> toJson(Failure failure) {
        Map<String, Object> json = new LinkedHashMap<>();
        failure.step().ifPresent(step -> json.put("step", step));
        json.put("reason", failure.reason());
        json.put("message", failure.message());
        if (failure.exitCode().isPresent()) {
            json.put("exitCode", failure.exitCode().getAsInt());
        }
        json.put("logTail", failure.logTail());
        json.put("further", failure.further().stream().map(Cause::toJson).toList());
        return json;
    }

    /**
     * Returns the failure that {@link #toJson} has written.
     *
     * @throws IllegalArgumentException if a field is missing or of another type
     * @throws InvalidJobException if a field has a value that a failure cannot have
     */
    public static Failure failure(Fields fields) {
        return new Failure(
                fields.text("step"),
                fields.need("reason"),
                fields.need("message"),
                fields.smallNumber("exitCode"),
                fields.texts("logTail"),
                fields.objects("further", Cause::failure));
    }
}
