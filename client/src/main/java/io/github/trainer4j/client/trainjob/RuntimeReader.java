package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.RuntimeField;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.client.catalog.RuntimeYaml;
import io.github.trainer4j.client.yaml.YamlValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A runtime that stands beside jobs, taken apart into what every backend honours and the fields that only a cluster can.
 *
 * @param runtime what every backend honours
 * @param fields the rest
 */
record RuntimeReader(TrainingRuntime runtime, List<RuntimeField> fields) {
    private static final String NAME = "name";
    private static final String EMPTY = "{}";
    private static final String JOBSET = "spec\\.template\\.spec\\.";
    private static final String JOB = JOBSET + "replicatedJobs\\[name=\"[^\"]+\"]\\.";
    private static final String POD = JOB + "template\\.spec\\.template\\.spec\\.";

    /** Fields with whatever is below them. Nodes start together, and find one another by name, on every backend. */
    private static final Pattern HONOURED = Pattern.compile(String.join(
            "|",
            "apiVersion|kind|metadata|status",
            // A backend that starts nodes without MPI refuses the runtime's framework.
            "spec\\.mlPolicy\\.(numNodes|torch\\.numProcPerNode|mpi)",
            "spec\\.podGroupPolicy",
            JOBSET + "network",
            JOB + "dependsOn(\\[.*)?",
            JOB + "template\\.metadata\\.labels\\[\"trainer\\.kubeflow\\.org/[^\"]+\"]",
            POD + "containers\\[name=\"node\"]\\.(image|command|args|resources|env(\\[name=\"[^\"]+\"]\\.value)?)",
            POD + "containers\\[name=\"(dataset|model)-initializer\"]\\.image",
            // By this volume a cluster hands on what initializers fetch; elsewhere it is the workspace. Claims of other
            // volumes say nothing without their mounts.
            JOBSET + "volumeClaimPolicies",
            POD + "(volumes|containers\\[name=\"[^\"]+\"]\\.volumeMounts)\\[name=\"initializer\"]"));

    /** Values with which a field changes nothing. */
    private static final Map<Pattern, String> NEUTRAL = Map.of(
            Pattern.compile("spec\\.mlPolicy\\.(torch|jax|xgboost)"), EMPTY,
            Pattern.compile(JOBSET + "failurePolicy\\.maxRestarts"), "0",
            Pattern.compile(JOB + "replicas"), "1",
            Pattern.compile(JOB + "groupName"), "default",
            Pattern.compile(JOB + "template\\.spec\\.backoffLimit"), "0",
            Pattern.compile(JOB + "template\\.spec\\.(completions|parallelism)"), "1",
            Pattern.compile(POD + "restartPolicy"), "Never",
            Pattern.compile(POD + "containers\\[name=\"[^\"]+\"]\\.imagePullPolicy"), "IfNotPresent");

    /**
     * Reads a runtime's resource.
     *
     * @throws InvalidJobException if it lacks what a runtime must have
     */
    static RuntimeReader read(Place resource) {
        Map<String, Object> fields = new LinkedHashMap<>();
        YamlValue honoured = honoured(resource, "", fields).orElse(resource.value());
        try {
            TrainingRuntime runtime =
                    RuntimeYaml.read(honoured, resource.problems().source()).get(0);
            List<RuntimeField> rest = new ArrayList<>();
            fields.forEach((path, value) -> rest.add(new RuntimeField(runtime.name(), path, value)));
            return new RuntimeReader(runtime, List.copyOf(rest));
        } catch (ConfigurationException e) {
            throw new InvalidJobException(String.join("\n  ", e.problems()), e);
        }
    }

    /**
     * Returns what of a value every backend honours; empty if that is nothing.
     *
     * @param path the way to it, by the names of elements
     * @param fields where the rest goes
     */
    private static Optional<YamlValue> honoured(Place place, String path, Map<String, Object> fields) {
        if (place.value() instanceof YamlValue.Sequence sequence && haveNames(sequence)) {
            List<YamlValue> elements = new ArrayList<>();
            for (Place element : place.elements()) {
                honoured(element, path + "[name=\"" + name(element.value()) + "\"]", fields)
                        .ifPresent(elements::add);
            }
            return Optional.of(new YamlValue.Sequence(elements, sequence.line()));
        }
        if (HONOURED.matcher(path).matches() || isNeutral(place.value(), path)) {
            return Optional.of(place.value());
        }
        if (place.value() instanceof YamlValue.Mapping mapping
                && !mapping.entries().isEmpty()
                && !path.endsWith(".valueFrom")) {
            return withinMapping(place, mapping, path, fields);
        }
        fields.put(path, place.tree());
        return Optional.empty();
    }

    private static Optional<YamlValue> withinMapping(
            Place place, YamlValue.Mapping mapping, String path, Map<String, Object> fields) {
        int before = fields.size();
        boolean isElement = path.endsWith("\"]") && mapping.entries().containsKey(NAME);
        Map<String, YamlValue> entries = new LinkedHashMap<>();
        place.entries().forEach((key, entry) -> {
            if (isElement && key.equals(NAME)) {
                entries.put(key, entry.value());
            } else {
                honoured(entry, Place.join(path, key), fields).ifPresent(value -> entries.put(key, value));
            }
        });
        boolean nothingLeft = entries.size() <= (isElement ? 1 : 0);
        return nothingLeft && fields.size() > before
                ? Optional.empty()
                : Optional.of(new YamlValue.Mapping(entries, mapping.line()));
    }

    private static boolean isNeutral(YamlValue value, String path) {
        return NEUTRAL.entrySet().stream()
                .anyMatch(entry -> entry.getKey().matcher(path).matches()
                        && entry.getValue().equals(text(value)));
    }

    private static String text(YamlValue value) {
        if (value instanceof YamlValue.Scalar scalar) {
            return scalar.text();
        }
        return value instanceof YamlValue.Mapping mapping && mapping.entries().isEmpty() ? EMPTY : "";
    }

    /** Returns whether the elements of a list can be told apart by their names. */
    private static boolean haveNames(YamlValue.Sequence sequence) {
        Set<String> names = new LinkedHashSet<>();
        return !sequence.elements().isEmpty()
                && sequence.elements().stream()
                        .map(RuntimeReader::name)
                        .allMatch(name -> !name.isEmpty() && names.add(name));
    }

    private static String name(YamlValue element) {
        return element instanceof YamlValue.Mapping mapping
                        && mapping.entries().get(NAME) instanceof YamlValue.Scalar name
                        && name.text().indexOf('"') < 0
                ? name.text()
                : "";
    }
}
