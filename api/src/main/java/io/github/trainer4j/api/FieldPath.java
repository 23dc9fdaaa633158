package io.github.trainer4j.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The way to a field of a resource, whose form is told at {@link TrainJobField}. */
final class FieldPath {
    private static final Pattern PART =
            Pattern.compile("\\.?([A-Za-z][A-Za-z0-9]*)|\\[\"([^\"]+)\"]|\\[name=\"([^\"]+)\"]");

    private final String text;
    private final List<Part> parts;

    private FieldPath(String text, List<Part> parts) {
        this.text = text;
        this.parts = parts;
    }

    /** A key, or the name of an element. */
    private record Part(String name, boolean element) {}

    /**
     * Reads a path.
     *
     * @throws InvalidJobException if it is none
     */
    static FieldPath of(String text) {
        Check.text(text, "the path of a field");
        List<Part> parts = new ArrayList<>();
        Matcher part = PART.matcher(text);
        int end = 0;
        while (part.find() && part.start() == end) {
            String key = part.group(1) != null ? part.group(1) : part.group(2);
            parts.add(key != null ? new Part(key, false) : new Part(part.group(3), true));
            end = part.end();
        }
        if (end < text.length() || parts.get(0).element()) {
            throw wrong(text);
        }
        return new FieldPath(text, parts);
    }

    /** Returns what the path leads to; empty if it leads to nothing. */
    Optional<Object> get(Map<String, Object> resource) {
        Object here = resource;
        for (Part part : parts) {
            if (part.element()) {
                here = here instanceof List<?> list ? element(list, part.name()) : null;
            } else {
                here = here instanceof Map<?, ?> map ? map.get(part.name()) : null;
            }
        }
        return Optional.ofNullable(here);
    }

    private static @Nullable Object element(List<?> list, String name) {
        int index = indexOf(list, name);
        return index < 0 ? null : list.get(index);
    }

    /**
     * Returns a copy of a resource in which the field has this value. What is missing on the way is made, an element with its
     * name alone.
     *
     * @throws InvalidJobException if the path leads through something that is no map, or no list where it names an element
     */
    Map<String, Object> set(Map<String, Object> resource, Object value) {
        return inMap(resource, parts, value);
    }

    private Object in(@Nullable Object holder, List<Part> further, Object value) {
        if (further.isEmpty()) {
            return value;
        }
        boolean element = further.get(0).element();
        Object there = holder != null ? holder : element ? List.of() : Map.of();
        if (element && there instanceof List<?> list) {
            return inList(list, further, value);
        }
        if (!element && there instanceof Map<?, ?> map) {
            return inMap(map, further, value);
        }
        throw wrong(text);
    }

    private Map<String, Object> inMap(Map<?, ?> map, List<Part> further, Object value) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, entry) -> copy.put(String.valueOf(key), entry));
        String key = further.get(0).name();
        copy.put(key, in(copy.get(key), rest(further), value));
        return copy;
    }

    private List<Object> inList(List<?> list, List<Part> further, Object value) {
        List<Object> copy = new ArrayList<>(list);
        String name = further.get(0).name();
        int index = indexOf(copy, name);
        if (index < 0) {
            copy.add(in(Map.of("name", name), rest(further), value));
        } else {
            copy.set(index, in(copy.get(index), rest(further), value));
        }
        return copy;
    }

    private static int indexOf(List<?> list, String name) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) instanceof Map<?, ?> element && name.equals(element.get("name"))) {
                return i;
            }
        }
        return -1;
    }

    private static List<Part> rest(List<Part> list) {
        return list.subList(1, list.size());
    }

    private static InvalidJobException wrong(String path) {
        return new InvalidJobException("'" + Check.printable(path)
                + "' is no path of a field; write for example spec.suspend or spec.trainer.env");
    }
}
