package io.github.trainer4j.api;

/**
 * A field of the TrainJob resource that only a cluster can honour, such as {@code spec.suspend}. Every other backend refuses
 * it, with its path.
 *
 * @param path the way to the field in the resource, such as {@code spec.initializer.dataset.secretRef}
 * @param value its value as maps, lists, strings, numbers and booleans
 */
public record TrainJobField(String path, Object value) implements JobOption {
    /**
     * Copies the value.
     *
     * @throws InvalidJobException if the path is blank, or the value has something other than maps, lists, strings, numbers
     *     and booleans
     */
    public TrainJobField {
        Check.text(path, "the path of a field");
        value = RuntimePatch.copy(Check.present(value, path), path);
    }

    /** Returns the path. */
    @Override
    public String optionName() {
        return path;
    }
}
