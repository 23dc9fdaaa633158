package io.github.trainer4j.kubernetes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges patches of a runtime, because one manager may give only one. */
final class Patches {
    private Patches() {}

    /**
     * Returns both patches in one. Maps are merged key by key, lists whose elements have names element by element; other
     * lists follow one another. Of two values for one place the second counts.
     */
    static Map<String, Object> merge(Map<String, Object> first, Map<String, Object> second) {
        Map<String, Object> merged = new LinkedHashMap<>(first);
        second.forEach((key, value) -> merged.merge(key, value, Patches::value));
        return merged;
    }

    @SuppressWarnings("unchecked") // patches have strings as keys only
    private static Object value(Object first, Object second) {
        if (first instanceof Map && second instanceof Map) {
            return merge((Map<String, Object>) first, (Map<String, Object>) second);
        }
        if (first instanceof List<?> one && second instanceof List<?> other) {
            return list((List<Object>) one, (List<Object>) other);
        }
        return second;
    }

    @SuppressWarnings("unchecked") // patches have strings as keys only
    private static List<Object> list(List<Object> first, List<Object> second) {
        List<Object> merged = new ArrayList<>(first);
        for (Object element : second) {
            int same = name(element).isEmpty() ? -1 : indexOf(merged, name(element));
            if (same < 0) {
                merged.add(element);
            } else {
                merged.set(same, merge((Map<String, Object>) merged.get(same), (Map<String, Object>) element));
            }
        }
        return merged;
    }

    private static int indexOf(List<Object> elements, String name) {
        for (int i = 0; i < elements.size(); i++) {
            if (name(elements.get(i)).equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private static String name(Object element) {
        return element instanceof Map<?, ?> map && map.get("name") instanceof String name ? name : "";
    }
}
