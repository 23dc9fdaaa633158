package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The schema of the TrainJob resource, as Kubeflow Trainer 2.3 has it, without its descriptions, its status and what stands
 * within a pod; what it says of fields, types, patterns and sizes is checked, and unknown fields are refused.
 */
final class CrdSchema {
    private final Map<String, Object> schema;

    private CrdSchema(Map<String, Object> schema) {
        this.schema = schema;
    }

    static CrdSchema trainJob() {
        try (InputStream in = Objects.requireNonNull(CrdSchema.class.getResourceAsStream("trainjob-v1alpha1.json"))) {
            return new CrdSchema(Json.parseObject(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns what is wrong with a resource. */
    List<String> problems(Object resource) {
        List<String> problems = new ArrayList<>();
        check("", resource, schema, problems);
        return problems;
    }

    private static void check(String path, Object value, Map<String, Object> schema, List<String> problems) {
        if (schema.containsKey("x-kubernetes-int-or-string")) {
            pattern(path, String.valueOf(value), schema, problems);
            return;
        }
        switch (String.valueOf(schema.get("type"))) {
            case "object" -> {
                if (value instanceof Map<?, ?> map) {
                    object(path, map, schema, problems);
                } else {
                    problems.add(path + " is no object");
                }
            }
            case "array" -> {
                if (value instanceof List<?> list) {
                    array(path, list, schema, problems);
                } else {
                    problems.add(path + " is no array");
                }
            }
            case "string" -> {
                if (value instanceof String text) {
                    pattern(path, text, schema, problems);
                } else {
                    problems.add(path + " is no string");
                }
            }
            case "integer" -> {
                if (!(value instanceof Long number)) {
                    problems.add(path + " is no integer");
                } else if (schema.get("minimum") instanceof Number least && number < least.longValue()) {
                    problems.add(path + " is too small");
                }
            }
            case "boolean" -> {
                if (!(value instanceof Boolean)) {
                    problems.add(path + " is no boolean");
                }
            }
            default -> throw new IllegalStateException(path + " has the type " + schema.get("type"));
        }
    }

    @SuppressWarnings("unchecked") // a schema is made of objects with strings as keys
    private static void object(String path, Map<?, ?> map, Map<String, Object> schema, List<String> problems) {
        if (schema.containsKey("x-kubernetes-preserve-unknown-fields")) {
            return;
        }
        Map<String, Object> fields = (Map<String, Object>) schema.getOrDefault("properties", Map.of());
        ((List<Object>) schema.getOrDefault("required", List.of()))
                .stream()
                        .filter(field -> !map.containsKey(field))
                        .forEach(field -> problems.add(path + "." + field + " is missing"));
        map.forEach((key, value) -> {
            Object field = fields.getOrDefault(key, schema.get("additionalProperties"));
            if (field == null) {
                problems.add(path + "." + key + " is unknown");
            } else {
                check(path + "." + key, value, (Map<String, Object>) field, problems);
            }
        });
    }

    @SuppressWarnings("unchecked") // as above
    private static void array(String path, List<?> list, Map<String, Object> schema, List<String> problems) {
        if (schema.get("maxItems") instanceof Number most && list.size() > most.intValue()) {
            problems.add(path + " has too many elements");
        }
        list.forEach(element -> check(path + "[]", element, (Map<String, Object>) schema.get("items"), problems));
    }

    private static void pattern(String path, String text, Map<String, Object> schema, List<String> problems) {
        if (schema.get("pattern") instanceof String pattern && !text.matches(pattern)) {
            problems.add(path + " does not match " + pattern);
        }
        if (schema.get("maxLength") instanceof Number most && text.length() > most.intValue()) {
            problems.add(path + " is too long");
        }
    }
}
