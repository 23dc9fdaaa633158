package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.launch.Expansion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A list {@code env}.
 *
 * @param plain the variables with values
 * @param secret the variables whose values a cluster's Secret has
 * @param references the other variables whose values only a cluster has, as fields of the job
 */
record Variables(Map<String, String> plain, Map<String, Secret> secret, Map<String, TrainJobField> references) {
    /** What names of variables start with that a cluster itself gives values to. */
    private static final List<String> OF_CLUSTER = List.of("PET_", "JAX_", "DMLC_", "JOB_COMPLETION_INDEX");

    static Variables read(Place owner) {
        Variables variables = new Variables(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
        owner.get("env").ifPresent(env -> owner.list("env").forEach(variable -> variables.add(variable, env.path())));
        return variables;
    }

    private void add(Place variable, String env) {
        variable.only(Set.of("name", "value", "valueFrom"));
        Optional<String> name = variable.need("name").flatMap(Place::text);
        Optional<Place> from = variable.get("valueFrom");
        if (name.isEmpty()) {
            return;
        }
        if (plain.containsKey(name.get()) || isOfCluster(name.get())) {
            variable.wrong("the variable " + name.get() + " is given twice; give it once");
        } else if (from.isPresent()) {
            reference(name.get(), from.get(), env);
        } else {
            String value = variable.get("value")
                    .flatMap(place -> place.text().map(text -> expand(place, text)))
                    .orElse("");
            plain.put(name.get(), value);
        }
    }

    private void reference(String name, Place from, String env) {
        from.only(Schema.VALUE_SOURCES);
        if (from.entries().size() != 1) {
            from.wrong("give one of " + String.join(", ", new TreeSet<>(Schema.VALUE_SOURCES)));
            return;
        }
        Optional<Place> key = from.get("secretKeyRef");
        if (key.isEmpty() || key.get().flag("optional").orElse(false)) {
            from.entries().forEach((source, place) -> {
                String path = env + "[name=\"" + name + "\"].valueFrom." + source;
                Checked.value(
                                place,
                                () -> Optional.of(new TrainJobField(path, place.tree())),
                                Optional.<TrainJobField>empty())
                        .ifPresent(field -> references.put(name, field));
            });
            return;
        }
        key.get().only(Set.of("name", "key", "optional"));
        Optional<String> holder = key.get().need("name").flatMap(Place::text);
        Optional<String> entry = key.get().need("key").flatMap(Place::text);
        if (holder.isPresent() && entry.isPresent()) {
            secret.put(name, Secret.reference(holder.get(), entry.get()));
        }
    }

    private boolean isOfCluster(String name) {
        return secret.containsKey(name) || references.containsKey(name);
    }

    /** Returns what a cluster makes of a command, an argument or a later variable. */
    String expand(Place place, String text) {
        return Expansion.expand(text, plain, name -> {
            if (isOfCluster(name) || OF_CLUSTER.stream().anyMatch(name::startsWith)) {
                place.wrong("$(" + name
                        + ") stands for a value that only a cluster has at this place; let the program read the variable "
                        + name + " itself");
            }
            return true;
        });
    }
}
