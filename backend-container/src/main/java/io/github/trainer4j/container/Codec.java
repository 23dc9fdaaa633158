package io.github.trainer4j.container;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.TrainingProgress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Failures and progress as JSON. */
final class Codec {
    private Codec() {}

    static Map<String, Object> toJson(Failure failure) {
        Map<String, Object> json = new LinkedHashMap<>();
        failure.step().ifPresent(step -> json.put("step", step));
        json.put("reason", failure.reason());
        json.put("message", failure.message());
        put(json, "exitCode", failure.exitCode());
        json.put("logTail", failure.logTail());
        json.put("further", failure.further().stream().map(Codec::toJson).toList());
        return json;
    }

    static Failure failure(Fields fields) {
        return new Failure(
                fields.text("step"),
                fields.need("reason"),
                fields.need("message"),
                fields.smallNumber("exitCode"),
                fields.texts("logTail"),
                fields.objects("further", Codec::failure));
    }

    static Map<String, Object> toJson(TrainingProgress progress) {
        Map<String, Object> json = new LinkedHashMap<>();
        put(json, "percent", progress.percent());
        progress.remaining().ifPresent(time -> json.put("remainingSeconds", time.toSeconds()));
        json.put("metrics", progress.metrics());
        json.put("updated", progress.updated().toString());
        return json;
    }

    static TrainingProgress progress(Fields fields) {
        OptionalLong remaining = fields.number("remainingSeconds");
        return new TrainingProgress(
                fields.smallNumber("percent"),
                remaining.isPresent() ? Optional.of(Duration.ofSeconds(remaining.getAsLong())) : Optional.empty(),
                fields.strings("metrics"),
                fields.time("updated").orElseThrow(() -> new IllegalArgumentException("no updated")));
    }

    private static void put(Map<String, Object> json, String key, OptionalInt value) {
        if (value.isPresent()) {
            json.put(key, value.getAsInt());
        }
    }
}
