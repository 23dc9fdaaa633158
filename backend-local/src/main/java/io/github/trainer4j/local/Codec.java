package io.github.trainer4j.local;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.json.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Steps as JSON. */
final class Codec {
    private Codec() {}

    /** The image is left out: a process has none. */
    static Map<String, Object> toJson(Step step) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", step.name());
        json.put("status", step.status().name());
        step.instance().ifPresent(value -> json.put("instance", value));
        put(json, "exitCode", step.exitCode());
        step.reason().ifPresent(value -> json.put("reason", value));
        json.put("restarts", step.restarts());
        step.startTime().ifPresent(value -> json.put("startTime", value.toString()));
        step.endTime().ifPresent(value -> json.put("endTime", value.toString()));
        json.put("command", step.command());
        step.device().ifPresent(value -> json.put("device", value));
        step.deviceCount().ifPresent(value -> json.put("deviceCount", value));
        put(json, "bytesDone", step.bytesDone());
        put(json, "bytesTotal", step.bytesTotal());
        return json;
    }

    static Step step(Fields fields) {
        return new Step(
                fields.need("name"),
                JobStatus.valueOf(fields.need("status")),
                fields.text("instance"),
                fields.smallNumber("exitCode"),
                fields.text("reason"),
                Optional.empty(),
                fields.smallNumber("restarts").orElse(0),
                fields.time("startTime"),
                fields.time("endTime"),
                Optional.empty(),
                fields.texts("command"),
                fields.text("device"),
                fields.text("deviceCount"),
                fields.number("bytesDone"),
                fields.number("bytesTotal"));
    }

    static List<Step> steps(Fields fields) {
        return fields.objects("steps", Codec::step);
    }

    private static void put(Map<String, Object> json, String key, OptionalInt value) {
        if (value.isPresent()) {
            json.put(key, value.getAsInt());
        }
    }

    private static void put(Map<String, Object> json, String key, OptionalLong value) {
        if (value.isPresent()) {
            json.put(key, value.getAsLong());
        }
    }
}
