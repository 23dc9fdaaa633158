package io.github.trainer4j.api;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A field of the training runtime that a job brought along, which only a cluster can honour, such as the
 * {@code nodeSelector} of its pods. A cluster checks that its own runtime has the same; every other backend refuses it, with
 * its path.
 *
 * @param runtime the runtime's name
 * @param path the way to the field in the runtime's resource, in the form that {@link TrainJobField} tells
 * @param value its value as maps, lists, strings, numbers and booleans
 */
public record RuntimeField(String runtime, String path, Object value) implements JobOption {
    /**
     * Copies the value.
     *
     * @throws InvalidJobException if the name or the path is none, or the value has something other than maps, lists,
     *     strings, numbers and booleans
     */
    public RuntimeField {
        Check.name(runtime, "the runtime's name");
        FieldPath.of(path);
        value = RuntimePatch.copy(Check.present(value, path), path);
    }

    /** Returns the path, and whose it is. */
    @Override
    public String optionName() {
        return path + " of the runtime " + runtime;
    }

    /**
     * Returns a copy of a runtime's resource in which the field has this value.
     *
     * @throws InvalidJobException if the path leads through something that is no map, or no list where it names an element
     */
    public Map<String, Object> in(Map<String, Object> resource) {
        return FieldPath.of(path).set(resource, value);
    }

    /** Returns whether a runtime's resource says the same here; a cluster may have added fields with its defaults. */
    public boolean isIn(Map<String, Object> resource) {
        return FieldPath.of(path)
                .get(resource)
                .filter(there -> says(there, value))
                .isPresent();
    }

    private static boolean says(@Nullable Object there, Object wanted) {
        if (there instanceof Map<?, ?> map && wanted instanceof Map<?, ?> fields) {
            return fields.entrySet().stream().allMatch(field -> says(map.get(field.getKey()), field.getValue()));
        }
        if (there instanceof List<?> list && wanted instanceof List<?> elements) {
            return list.size() == elements.size()
                    && IntStream.range(0, elements.size()).allMatch(i -> says(list.get(i), elements.get(i)));
        }
        if (there instanceof Number && wanted instanceof Number) {
            return new BigDecimal(there.toString()).compareTo(new BigDecimal(wanted.toString())) == 0;
        }
        return wanted.equals(there);
    }
}
