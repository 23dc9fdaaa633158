package io.github.trainer4j.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A patch of the training runtime's specification for one job on Kubernetes: what stands under
 * {@code trainingRuntimeSpec} in one element of the TrainJob's {@code spec.runtimePatches}.
 *
 * @param trainingRuntimeSpec the patch as maps, lists, strings, numbers and booleans
 */
public record RuntimePatch(Map<String, Object> trainingRuntimeSpec) implements JobOption {
    /**
     * Copies the tree.
     *
     * @throws InvalidJobException if it is empty, or has something other than maps, lists, strings, numbers and booleans
     */
    public RuntimePatch {
        Check.present(trainingRuntimeSpec, "trainingRuntimeSpec");
        if (trainingRuntimeSpec.isEmpty()) {
            throw new InvalidJobException("a runtime patch is empty; leave it out or say what to change");
        }
        trainingRuntimeSpec = copyMap(trainingRuntimeSpec, "trainingRuntimeSpec");
    }

    @Override
    public String optionName() {
        return "runtimePatches";
    }

    private static Map<String, Object> copyMap(Map<?, ?> map, String path) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            if (!(key instanceof String name)) {
                throw new InvalidJobException(
                        path + " has the key " + key + ", which is no string; use strings as keys");
            }
            copy.put(name, copy(value, path + "." + name));
        });
        return Collections.unmodifiableMap(copy);
    }

    static Object copy(Object value, String path) {
        if (value instanceof Map<?, ?> map) {
            return copyMap(map, path);
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            for (Object element : list) {
                copy.add(copy(element, path + "[" + copy.size() + "]"));
            }
            return Collections.unmodifiableList(copy);
        }
        if (value instanceof String || value instanceof Number || value instanceof Boolean) {
            return value;
        }
        throw new InvalidJobException(path + " is " + value + "; use maps, lists, strings, numbers and booleans");
    }
}
