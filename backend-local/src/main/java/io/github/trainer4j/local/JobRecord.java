package io.github.trainer4j.local;

import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is written down about a job before it exists, and never changed. It has no value of any environment variable.
 *
 * @param name the job's name
 * @param runtime the name of its runtime
 * @param created when it was created
 * @param deadline when it is ended as failed
 * @param grace how long its processes are given when they are to end
 * @param numNodes the number of nodes
 * @param labels its labels
 * @param annotations its annotations
 * @param workspace the path of its workspace as its processes are told it
 * @param host the name of the host whose processes it is made of
 * @param launcher the JVM that launches it
 * @param steps its steps, initializers first
 * @param notes what people should know, such as limits that are not enforced
 */
record JobRecord(
        String name,
        String runtime,
        Instant created,
        Optional<Instant> deadline,
        Duration grace,
        int numNodes,
        Map<String, String> labels,
        Map<String, String> annotations,
        String workspace,
        String host,
        ProcessIdentity launcher,
        List<StepRecord> steps,
        List<String> notes) {
    private static final int FORMAT = 1;

    /** What a step is. */
    enum Kind {
        /** Fetches something, on a thread of the launching JVM. */
        INITIALIZER,
        /** Builds the Python environment of the nodes. */
        ENVIRONMENT,
        /** Trains. */
        NODE
    }

    /**
     * One step.
     *
     * @param name its name
     * @param kind what it is
     * @param command the program and its arguments; empty for what is no process
     * @param device the kind of devices it was given
     * @param deviceCount how many of them
     */
    record StepRecord(
            String name, Kind kind, List<String> command, Optional<String> device, Optional<String> deviceCount) {
        private Map<String, Object> toJson() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("name", name);
            json.put("kind", kind.name());
            json.put("command", command);
            device.ifPresent(value -> json.put("device", value));
            deviceCount.ifPresent(value -> json.put("deviceCount", value));
            return json;
        }

        private static StepRecord fromJson(Fields fields) {
            return new StepRecord(
                    fields.need("name"),
                    Kind.valueOf(fields.need("kind")),
                    fields.texts("command"),
                    fields.text("device"),
                    fields.text("deviceCount"));
        }
    }

    JobRecord {
        labels = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        annotations = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
        steps = List.copyOf(steps);
        notes = List.copyOf(notes);
    }

    List<StepRecord> nodes() {
        return steps.stream().filter(step -> step.kind() == Kind.NODE).toList();
    }

    List<String> stepNames() {
        return steps.stream().map(StepRecord::name).toList();
    }

    String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("name", name);
        json.put("runtime", runtime);
        json.put("created", created.toString());
        deadline.ifPresent(time -> json.put("deadline", time.toString()));
        json.put("graceMillis", grace.toMillis());
        json.put("numNodes", numNodes);
        json.put("labels", labels);
        json.put("annotations", annotations);
        json.put("workspace", workspace);
        json.put("host", host);
        json.put("launcher", launcher.toJson());
        json.put("steps", steps.stream().map(StepRecord::toJson).toList());
        json.put("notes", notes);
        return Json.write(json);
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if it is damaged, or from a later version
     */
    static JobRecord fromJson(String text) {
        Fields fields = Fields.parse(text);
        if (fields.number("format").orElse(0) != FORMAT) {
            throw new IllegalArgumentException("it was written by another version of this program");
        }
        return new JobRecord(
                fields.need("name"),
                fields.need("runtime"),
                fields.time("created").orElseThrow(() -> new IllegalArgumentException("no created")),
                fields.time("deadline"),
                Duration.ofMillis(fields.number("graceMillis").orElse(0)),
                fields.smallNumber("numNodes").orElse(0),
                fields.strings("labels"),
                fields.strings("annotations"),
                fields.need("workspace"),
                fields.need("host"),
                ProcessIdentity.fromJson(
                        fields.object("launcher").orElseThrow(() -> new IllegalArgumentException("no launcher"))),
                fields.objects("steps", StepRecord::fromJson),
                fields.texts("notes"));
    }
}
