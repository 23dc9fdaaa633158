package io.github.trainer4j.container;

import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was asked for, as it is written down once: in a file, and in a label of the job's network. There is no secret in it.
 *
 * @param name the job's name
 * @param uid what no two jobs share
 * @param backend the name of the backend that runs it
 * @param engine the address of the engine that runs it
 * @param runtime the name of its runtime
 * @param created when it was created
 * @param deadline when it is to be ended
 * @param grace how long its nodes are given to end
 * @param numNodes the number of nodes
 * @param labels its labels
 * @param annotations its annotations
 * @param workDirectory its work directory on the machine of the client
 * @param volume the engine's volume that its containers see as workspace; empty: the work directory
 * @param launcher the process that launches it
 * @param initializers its initializers
 * @param node what all its nodes have in common
 */
record JobRecord(
        String name,
        String uid,
        String backend,
        String engine,
        String runtime,
        Instant created,
        Optional<Instant> deadline,
        Duration grace,
        int numNodes,
        Map<String, String> labels,
        Map<String, String> annotations,
        String workDirectory,
        Optional<String> volume,
        LauncherIdentity launcher,
        List<StepRecord> initializers,
        StepRecord node) {
    private static final int FORMAT = 1;

    /**
     * A step.
     *
     * @param name its name; the nodes' is {@code node}
     * @param image the image it runs; empty: it runs in the launching process
     * @param command its program and the arguments; empty: the image's own
     * @param device the kind of devices it was given
     * @param deviceCount how many
     */
    record StepRecord(
            String name,
            Optional<String> image,
            List<String> command,
            Optional<String> device,
            Optional<String> deviceCount) {
        StepRecord {
            command = List.copyOf(command);
        }

        private Map<String, Object> toJson() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("name", name);
            image.ifPresent(value -> json.put("image", value));
            json.put("command", command);
            device.ifPresent(value -> json.put("device", value));
            deviceCount.ifPresent(value -> json.put("deviceCount", value));
            return json;
        }

        private static StepRecord fromJson(Fields fields) {
            return new StepRecord(
                    fields.need("name"),
                    fields.text("image"),
                    fields.texts("command"),
                    fields.text("device"),
                    fields.text("deviceCount"));
        }
    }

    JobRecord {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
        initializers = List.copyOf(initializers);
    }

    static String nodeStep(int rank) {
        return "node-" + rank;
    }

    List<String> nodeSteps() {
        List<String> names = new ArrayList<>(numNodes);
        for (int rank = 0; rank < numNodes; rank++) {
            names.add(nodeStep(rank));
        }
        return names;
    }

    List<String> stepNames() {
        List<String> names =
                new ArrayList<>(initializers.stream().map(StepRecord::name).toList());
        names.addAll(nodeSteps());
        return names;
    }

    String containerName(String step) {
        return name + "-" + step;
    }

    String networkName() {
        return name + "-net";
    }

    String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("name", name);
        json.put("uid", uid);
        json.put("backend", backend);
        json.put("engine", engine);
        json.put("runtime", runtime);
        json.put("created", created.toString());
        deadline.ifPresent(time -> json.put("deadline", time.toString()));
        json.put("graceMillis", grace.toMillis());
        json.put("numNodes", numNodes);
        json.put("labels", labels);
        json.put("annotations", annotations);
        json.put("workDirectory", workDirectory);
        volume.ifPresent(name -> json.put("volume", name));
        json.put("launcher", launcher.toJson());
        json.put("initializers", initializers.stream().map(StepRecord::toJson).toList());
        json.put("node", node.toJson());
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
                fields.need("uid"),
                fields.need("backend"),
                fields.need("engine"),
                fields.need("runtime"),
                fields.time("created").orElseThrow(() -> new IllegalArgumentException("no created")),
                fields.time("deadline"),
                Duration.ofMillis(fields.number("graceMillis").orElse(0)),
                fields.smallNumber("numNodes").orElse(0),
                fields.strings("labels"),
                fields.strings("annotations"),
                fields.need("workDirectory"),
                fields.text("volume"),
                LauncherIdentity.fromJson(
                        fields.object("launcher").orElseThrow(() -> new IllegalArgumentException("no launcher"))),
                fields.objects("initializers", StepRecord::fromJson),
                fields.object("node")
                        .map(StepRecord::fromJson)
                        .orElseThrow(() -> new IllegalArgumentException("no node")));
    }
}
