package io.github.trainer4j.api;

import java.util.Map;

/**
 * A field of the TrainJob resource that only a cluster can honour, such as {@code spec.suspend}. Every other backend refuses
 * it, with its path.
 *
 * <p>A path is written as Kubernetes does it: {@code limits["example.com/card"]} is a key that is no plain word, and
 * {@code env[name="KEY"]} the element of a list that has this name.
 *
 * @param path the way to the field in the resource, such as {@code spec.initializer.dataset.secretRef}
 * @param value its value as maps, lists, strings, numbers and booleans
 */
public record TrainJobField(String path, Object value) implements JobOption {
    /**
     * Copies the value.
     *
     * @throws InvalidJobException if the path is none, or the value has something other than maps, lists, strings, numbers
     *     and booleans
     */
    public TrainJobField {
        FieldPath.of(path);
        value = RuntimePatch.copy(Check.present(value, path), path);
    }

    /** Returns the path. */
    @Override
    public String optionName() {
        return path;
    }

    /**
     * Returns a copy of a resource in which the field has this value. What is missing on the way is made, an element with its
     * name alone.
     *
     * @throws InvalidJobException if the path leads through something that is no map, or no list where it names an element
     */
    public Map<String, Object> in(Map<String, Object> resource) {
        return FieldPath.of(path).set(resource, value);
    }
}
