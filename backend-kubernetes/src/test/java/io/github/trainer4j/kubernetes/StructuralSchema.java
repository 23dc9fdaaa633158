package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Checks resources against the schema of a CustomResourceDefinition as strictly as an API server does. */
final class StructuralSchema {
    private final List<String> problems = new ArrayList<>();

    private StructuralSchema() {}

    /** Returns the schema of TrainJobs in a version of Kubeflow Trainer. */
    static Tree ofTrainJobs(String version) throws IOException {
        try (InputStream in = StructuralSchema.class.getResourceAsStream("/crd/trainjobs-" + version + ".yaml.gz");
                GZIPInputStream text = new GZIPInputStream(in)) {
            Tree crd = new Tree(
                    Serialization.unmarshal(new String(text.readAllBytes(), StandardCharsets.UTF_8), Map.class));
            return crd.at("spec", "versions").list().get(0).at("schema", "openAPIV3Schema");
        }
    }

    static List<String> problems(Tree value, Tree schema) {
        StructuralSchema check = new StructuralSchema();
        check.value(value, schema, "");
        return check.problems;
    }

    private void value(Tree value, Tree schema, String path) {
        Object raw = value.value();
        String type = schema.at("type").text().orElse("");
        if (Boolean.TRUE.equals(schema.at("x-kubernetes-int-or-string").value())) {
            require(raw instanceof String || raw instanceof Integer, path + " is no number and no text");
        } else {
            switch (type) {
                case "object" -> require(raw instanceof Map, path + " is no object");
                case "array" -> require(raw instanceof List, path + " is no list");
                case "string" -> require(raw instanceof String, path + " is no text");
                case "integer" -> require(raw instanceof Integer || raw instanceof Long, path + " is no whole number");
                case "boolean" -> require(raw instanceof Boolean, path + " is neither true nor false");
                default -> require(false, path + " has the type " + type + ", which the test does not know");
            }
        }
        if (raw instanceof Map) {
            object(value, schema, path);
        } else if (raw instanceof List) {
            size(value.list().size(), schema, "Items", path);
            unique(value, schema, path);
            int index = 0;
            for (Tree element : value.list()) {
                value(element, schema.at("items"), path + "[" + index++ + "]");
            }
        } else if (raw instanceof String text) {
            size(text.length(), schema, "Length", path);
            schema.at("pattern")
                    .text()
                    .ifPresent(pattern -> require(
                            Pattern.compile(pattern).matcher(text).find(), path + " does not match " + pattern));
            List<String> allowed = schema.at("enum").texts();
            require(allowed.isEmpty() || allowed.contains(text), path + " is none of " + allowed);
        } else if (raw instanceof Number number) {
            OptionalInt least = schema.at("minimum").number();
            require(least.isEmpty() || number.longValue() >= least.getAsInt(), path + " is below " + least);
        }
    }

    private void unique(Tree value, Tree schema, String path) {
        List<String> keys = schema.at("x-kubernetes-list-map-keys").texts();
        List<List<Object>> known = new ArrayList<>();
        for (Tree element : keys.isEmpty() ? List.<Tree>of() : value.list()) {
            List<Object> identity = new ArrayList<>();
            keys.forEach(key -> identity.add(element.at(key).value()));
            require(!known.contains(identity), path + " has " + identity + " twice");
            known.add(identity);
        }
    }

    private void object(Tree value, Tree schema, String path) {
        for (String field : schema.at("required").texts()) {
            require(value.at(field).isPresent(), path + "." + field + " is missing");
        }
        Tree fields = schema.at("properties");
        Tree others = schema.at("additionalProperties");
        value.entries().forEach((name, field) -> {
            Tree known = fields.isPresent() ? fields.at(name) : others;
            // Of metadata a CustomResourceDefinition says nothing: its fields are those of all resources.
            require(known.isPresent() || path.equals(".metadata"), path + "." + name + " is unknown");
            if (known.isPresent()) {
                value(field, known, path + "." + name);
            }
        });
    }

    private void size(int size, Tree schema, String what, String path) {
        OptionalInt most = schema.at("max" + what).number();
        OptionalInt least = schema.at("min" + what).number();
        require(most.isEmpty() || size <= most.getAsInt(), path + " has more than " + most);
        require(least.isEmpty() || size >= least.getAsInt(), path + " has less than " + least);
    }

    private void require(boolean good, String problem) {
        if (!good) {
            problems.add(problem);
        }
    }
}
