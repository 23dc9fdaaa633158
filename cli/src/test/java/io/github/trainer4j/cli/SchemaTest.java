package io.github.trainer4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.json.Json;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds what is printed as JSON to the schema that is documented. */
class SchemaTest {
    private static final Path SCHEMA = Path.of("../docs/cli/schema.json");

    private Trial trial;
    private Map<String, Object> definitions;

    @BeforeEach
    @SuppressWarnings("unchecked") // a schema is made of objects with strings as keys
    void begin(@TempDir Path directory) throws Exception {
        trial = new Trial(directory);
        definitions =
                (Map<String, Object>) Json.parseObject(Files.readString(SCHEMA)).get("$defs");
    }

    private void assertFits(String definition, String... command) {
        Trial.Result result = trial.run(command);
        for (String text : definition.equals("logLine") ? result.out().lines().toList() : List.of(result.out())) {
            assertThat(problems(definition, Json.parse(text))).as(text).isEmpty();
        }
        assertThat(result.out()).isNotEmpty();
    }

    private List<String> problems(String definition, Object value) {
        List<String> problems = new ArrayList<>();
        check(definition, value, schema(definitions.get(definition)), problems);
        return problems;
    }

    @Test
    void whatEveryCommandPrintsFitsTheSchema() {
        trial.run("train", "--name", "good", "--label", "a=b", "--wait", "--", "echo", "x");
        trial.run("train", "--name", "bad", "--wait", "--", "sh", "-c", "echo no; exit 3");
        assertFits("jobs", "list", "-o", "json");
        assertFits("jobs", "get", "-o", "json");
        assertFits("job", "get", "bad", "-o", "json");
        assertFits("job", "wait", "good", "-o", "json");
        assertFits("job", "describe", "bad", "-o", "json");
        assertFits("job", "train", "--name", "third", "--wait", "-o", "json", "--", "true");
        assertFits("events", "events", "bad", "-o", "json");
        assertFits("logLine", "logs", "bad", "-o", "json");
        assertFits("runtimes", "runtimes", "-o", "json");
        assertFits("runtime", "runtimes", "torch-distributed", "-o", "json");
        assertFits("backends", "backends", "-o", "json");
        assertFits("config", "config", "-o", "json");
        assertFits("version", "version", "-o", "json");
    }

    @Test
    void theSchemaCanSayNo() {
        assertThat(problems("version", Map.of("version", 1, "more", "x")))
                .containsExactlyInAnyOrder(
                        "version.version is no string",
                        "version.more is unknown",
                        "version.java is missing",
                        "version.vm is missing",
                        "version.os is missing");
        assertThat(problems("events", Map.of("items", List.of(Map.of("type", "odd")))))
                .contains("events.items[].type is odd", "events.items[].time is missing");
    }

    @SuppressWarnings("unchecked") // as above
    private static Map<String, Object> schema(Object value) {
        return (Map<String, Object>) value;
    }

    private void check(String path, Object value, Map<String, Object> schema, List<String> problems) {
        if (schema.get("$ref") instanceof String reference) {
            check(path, value, schema(definitions.get(reference.replaceFirst("^#/\\$defs/", ""))), problems);
        } else if (schema.get("enum") instanceof List<?> values) {
            if (!values.contains(value)) {
                problems.add(path + " is " + value);
            }
        } else if ("object".equals(schema.get("type")) && value instanceof Map<?, ?> map) {
            object(path, map, schema, problems);
        } else if ("array".equals(schema.get("type")) && value instanceof List<?> list) {
            list.forEach(element -> check(path + "[]", element, schema(schema.get("items")), problems));
        } else {
            boolean fits = switch (String.valueOf(schema.get("type"))) {
                case "string" -> value instanceof String;
                case "integer" -> value instanceof BigDecimal number && number.scale() <= 0;
                case "boolean" -> value instanceof Boolean;
                default -> false;
            };
            if (!fits) {
                problems.add(path + " is no " + schema.get("type"));
            }
        }
    }

    private void object(String path, Map<?, ?> map, Map<String, Object> schema, List<String> problems) {
        Map<String, Object> fields = schema.containsKey("properties") ? schema(schema.get("properties")) : Map.of();
        if (schema.get("required") instanceof List<?> required) {
            required.stream()
                    .filter(field -> !map.containsKey(field))
                    .forEach(field -> problems.add(path + "." + field + " is missing"));
        }
        map.forEach((key, value) -> {
            Object field = fields.getOrDefault(key, schema.get("additionalProperties"));
            if (field instanceof Map) {
                check(path + "." + key, value, schema(field), problems);
            } else {
                problems.add(path + "." + key + " is unknown");
            }
        });
    }
}
