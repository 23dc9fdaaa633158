package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.InvalidJobException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges patches of a runtime, because one manager may give only one. */
final class Patches {
    /** What tells the elements of a list apart, as for Kubernetes itself: one volume may be mounted at several paths. */
    private static final List<String> KEYS = List.of("mountPath", "name");

    private Patches() {}

    /**
     * Returns both patches in one. Maps are merged key by key, lists whose elements have names or mount paths element by
     * element; other lists follow one another.
     *
     * @throws InvalidJobException if they have different values for one place, so that one would be lost
     */
    static Map<String, Object> merge(Map<String, Object> first, Map<String, Object> second) {
        return merge(first, second, "");
    }

    private static Map<String, Object> merge(Map<String, Object> first, Map<String, Object> second, String path) {
        Map<String, Object> merged = new LinkedHashMap<>(first);
        second.forEach((key, value) -> merged.merge(key, value, (one, other) -> value(one, other, path + "." + key)));
        return merged;
    }

    @SuppressWarnings("unchecked") // patches have strings as keys only
    private static Object value(Object first, Object second, String path) {
        if (first instanceof Map && second instanceof Map) {
            return merge((Map<String, Object>) first, (Map<String, Object>) second, path);
        }
        if (first instanceof List<?> one && second instanceof List<?> other) {
            return list((List<Object>) one, (List<Object>) other, path);
        }
        if (!first.equals(second)) {
            throw new InvalidJobException("the job's runtime patches have two values for " + path.substring(1) + ": "
                    + first + " and " + second + "; give one");
        }
        return second;
    }

    @SuppressWarnings("unchecked") // patches have strings as keys only
    private static List<Object> list(List<Object> first, List<Object> second, String path) {
        List<Object> merged = new ArrayList<>(first);
        for (Object element : second) {
            String identity = identity(element);
            int same = identity.isEmpty() ? -1 : indexOf(merged, identity);
            if (same < 0) {
                merged.add(element);
            } else {
                merged.set(
                        same,
                        merge(
                                (Map<String, Object>) merged.get(same),
                                (Map<String, Object>) element,
                                path + "[" + identity + "]"));
            }
        }
        return merged;
    }

    private static int indexOf(List<Object> elements, String identity) {
        for (int i = 0; i < elements.size(); i++) {
            if (identity(elements.get(i)).equals(identity)) {
                return i;
            }
        }
        return -1;
    }

    private static String identity(Object element) {
        if (element instanceof Map<?, ?> map) {
            for (String key : KEYS) {
                if (map.get(key) instanceof String identity) {
                    return identity;
                }
            }
        }
        return "";
    }
}
