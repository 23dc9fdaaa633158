package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.TrainJobField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts fields to where their path leads, such as {@code spec.trainer.resourcesPerNode.requests["cpu"]}. */
final class FieldPath {
    private static final Pattern PART = Pattern.compile("\\.?([A-Za-z][A-Za-z0-9]*)|\\[\"([^\"]+)\"]");

    private FieldPath() {}

    @SuppressWarnings("unchecked") // the resource has strings as keys only
    static void put(Map<String, Object> resource, TrainJobField field) {
        List<String> keys = keys(field.path());
        Map<String, Object> map = resource;
        for (String key : keys.subList(0, keys.size() - 1)) {
            Object next = map.computeIfAbsent(key, missing -> new LinkedHashMap<String, Object>());
            if (!(next instanceof Map)) {
                throw wrong(field.path());
            }
            Map<String, Object> copy = new LinkedHashMap<>((Map<String, Object>) next);
            map.put(key, copy);
            map = copy;
        }
        map.put(keys.get(keys.size() - 1), field.value());
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
        return new InvalidJobException(
                "'" + path + "' is no path of a field; write for example spec.suspend or spec.trainer.env");
    }
}
