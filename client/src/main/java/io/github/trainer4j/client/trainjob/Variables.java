package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.Secret;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A list {@code env}.
 *
 * @param plain the variables with values
 * @param secret the variables whose values a cluster's Secret has
 */
record Variables(Map<String, String> plain, Map<String, Secret> secret) {
    /** What names of variables start with that a cluster itself gives values to. */
    private static final List<String> OF_CLUSTER = List.of("PET_", "JAX_", "DMLC_", "JOB_COMPLETION_INDEX");

    static Variables read(Place owner) {
        Variables variables = new Variables(new LinkedHashMap<>(), new LinkedHashMap<>());
        owner.list("env").forEach(variables::add);
        return variables;
    }

    private void add(Place variable) {
        variable.only(Set.of("name", "value", "valueFrom"));
        Optional<String> name = variable.need("name").flatMap(Place::text);
        Optional<Place> from = variable.get("valueFrom");
        if (name.isEmpty()) {
            return;
        }
        if (plain.containsKey(name.get()) || secret.containsKey(name.get())) {
            variable.wrong("the variable " + name.get() + " is given twice; give it once");
        } else if (from.isPresent()) {
            reference(from.get()).ifPresent(value -> secret.put(name.get(), value));
        } else {
            String value = variable.get("value")
                    .flatMap(place -> place.text().map(text -> expand(place, text)))
                    .orElse("");
            plain.put(name.get(), value);
        }
    }

    private static Optional<Secret> reference(Place from) {
        from.only(Schema.VALUE_SOURCES);
        from.entries().forEach((key, place) -> {
            if (!key.equals("secretKeyRef") && Schema.VALUE_SOURCES.contains(key)) {
                place.wrong(
                        "only a cluster has such a value, and this client cannot hand the reference on; give a 'value',"
                                + " a 'secretKeyRef', or apply the file with kubectl");
            }
        });
        Optional<Place> key = from.get("secretKeyRef");
        if (key.isEmpty()) {
            if (from.entries().isEmpty()) {
                from.wrong("'secretKeyRef' is missing");
            }
            return Optional.empty();
        }
        key.get().only(Set.of("name", "key", "optional"));
        key.get().get("optional").ifPresent(optional -> {
            if (key.get().flag("optional").orElse(false)) {
                optional.wrong(
                        "a secret that may be missing is not read; leave 'optional' out, or apply the file with kubectl");
            }
        });
        Optional<String> name = key.get().need("name").flatMap(Place::text);
        Optional<String> entry = key.get().need("key").flatMap(Place::text);
        return name.isPresent() && entry.isPresent()
                ? Optional.of(Secret.reference(name.get(), entry.get()))
                : Optional.empty();
    }

    /** Returns what a cluster makes of a command, an argument or a later variable. */
    String expand(Place place, String text) {
        return Expansion.expand(text, plain, name -> {
            if (secret.containsKey(name) || OF_CLUSTER.stream().anyMatch(name::startsWith)) {
                place.wrong("$(" + name
                        + ") stands for a value that only a cluster has at this place; let the program read the variable "
                        + name + " itself");
            }
            return true;
        });
    }
}
