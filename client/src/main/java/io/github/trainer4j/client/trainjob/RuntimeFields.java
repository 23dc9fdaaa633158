package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.client.yaml.YamlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Finds the fields of a runtime that only a cluster can honour: all but those that a client reads, and those that say what
 * every backend does anyway.
 */
final class RuntimeFields {
    private static final String JOB = "spec\\.template\\.spec\\.replicatedJobs\\[\\d+]";
    private static final String POD = JOB + "\\.template\\.spec\\.template\\.spec";
    private static final String CONTAINER = POD + "\\.containers\\[\\d+]";

    /** Fields with whatever is below them. */
    private static final Pattern HONOURED = Pattern.compile(String.join(
            "|",
            "apiVersion",
            "kind",
            "metadata",
            "spec\\.mlPolicy\\.(numNodes|jax|xgboost|torch\\.numProcPerNode|mpi)",
            JOB + "\\.(name|dependsOn)",
            JOB + "\\.template\\.metadata",
            JOB + "\\.template\\.spec\\.template\\.metadata",
            CONTAINER + "\\.(name|image|command|args|env|resources)"));

    /** Fields that change nothing with this value. */
    private static final Map<Pattern, String> NEUTRAL = Map.of(
            Pattern.compile(JOB + "\\.replicas"), "1",
            Pattern.compile(JOB + "\\.template\\.spec\\.backoffLimit"), "0",
            Pattern.compile(JOB + "\\.template\\.spec\\.(completions|parallelism)"), "1",
            Pattern.compile(POD + "\\.restartPolicy"), "Never");

    /** The volume by which a cluster hands on what initializers fetch; elsewhere that is the workspace. */
    private static final Pattern SHARED =
            Pattern.compile(POD + "\\.(volumes|containers\\[\\d+]\\.volumeMounts)\\[\\d+]");

    private RuntimeFields() {}

    /** Returns the fields of a runtime's resource, with their values. */
    static List<TrainJobField> ofClusters(Place resource, String name) {
        List<TrainJobField> fields = new ArrayList<>();
        walk(resource, "runtime " + name + ": ", fields);
        return fields;
    }

    private static void walk(Place place, String prefix, List<TrainJobField> fields) {
        if (HONOURED.matcher(place.path()).matches() || isNeutral(place) || isShared(place)) {
            return;
        }
        List<Place> below = place.below();
        if (below.isEmpty() && place.value() instanceof YamlValue.Scalar) {
            fields.add(new TrainJobField(prefix + place.path(), place.tree()));
        }
        below.forEach(inner -> walk(inner, prefix, fields));
    }

    private static boolean isNeutral(Place place) {
        return place.value() instanceof YamlValue.Scalar scalar
                && NEUTRAL.entrySet().stream()
                        .anyMatch(entry -> entry.getKey().matcher(place.path()).matches()
                                && entry.getValue().equals(scalar.text()));
    }

    private static boolean isShared(Place place) {
        return SHARED.matcher(place.path()).matches()
                && place.value() instanceof YamlValue.Mapping mapping
                && mapping.entries().get("name") instanceof YamlValue.Scalar name
                && name.text().equals("initializer");
    }
}
