package io.github.trainer4j.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A field of the TrainJob resource that only a cluster can honour, such as {@code spec.suspend}. Every other backend refuses
 * it, with its path.
 *
 * @param path the way to the field in the resource, such as {@code spec.initializer.dataset.secretRef}
 * @param value its value as maps, lists, strings, numbers and booleans
 */
public record TrainJobField(String path, Object value) implements JobOption {
    private static final Pattern PART = Pattern.compile("\\.?([A-Za-z][A-Za-z0-9]*)|\\[\"([^\"]+)\"]");

    /**
     * Copies the value.
     *
     * @throws InvalidJobException if the path is none, or the value has something other than maps, lists, strings, numbers
     *     and booleans
     */
    public TrainJobField {
        keys(Check.text(path, "the path of a field"));
        value = RuntimePatch.copy(Check.present(value, path), path);
    }

    /** Returns the path. */
    @Override
    public String optionName() {
        return path;
    }

    /**
     * Returns a copy of a resource in which the field has this value.
     *
     * @throws InvalidJobException if the path leads through something that is no map
     */
    public Map<String, Object> in(Map<String, Object> resource) {
        return in(resource, keys(path));
    }

    private Map<String, Object> in(Map<?, ?> map, List<String> keys) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, entry) -> copy.put(String.valueOf(key), entry));
        String key = keys.get(0);
        if (keys.size() == 1) {
            copy.put(key, value);
        } else if (copy.getOrDefault(key, Map.of()) instanceof Map<?, ?> next) {
            copy.put(key, in(next, keys.subList(1, keys.size())));
        } else {
            throw wrong(path);
        }
        return copy;
    }

    private static List<String> keys(String path) {
        List<String> keys = new ArrayList<>();
        Matcher part = PART.matcher(path);
        int end = 0;
        while (part.find() && part.start() == end) {
            keys.add(part.group(1) != null ? part.group(1) : part.group(2));
            end = part.end();
        }
        if (end < path.length() || keys.isEmpty()) {
            throw wrong(path);
        }
        return keys;
    }

    private static InvalidJobException wrong(String path) {
        return new InvalidJobException("'" + Check.printable(path)
                + "' is no path of a field; write for example spec.suspend or spec.trainer.env");
    }
}
