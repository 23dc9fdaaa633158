package io.github.trainer4j.kubernetes;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A part of a resource that has no class of its own, as maps and lists. Reading is lenient: what is missing, or of another
 * type than asked for, is empty, because another version of the cluster may have written it.
 */
record Tree(@Nullable Object value) {
    static final Tree EMPTY = new Tree(null);

    /** Returns what lies at the end of a path of keys. */
    Tree at(String... keys) {
        Object here = value;
        for (String key : keys) {
            here = here instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return new Tree(here);
    }

    boolean isPresent() {
        return value != null;
    }

    Optional<String> text() {
        return value instanceof String text && !text.isEmpty() ? Optional.of(text) : Optional.empty();
    }

    OptionalInt number() {
        return value instanceof Number number ? OptionalInt.of(number.intValue()) : OptionalInt.empty();
    }

    Optional<Instant> time() {
        try {
            return text().map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    List<Tree> list() {
        List<Tree> list = new ArrayList<>();
        if (value instanceof List<?> elements) {
            elements.forEach(element -> list.add(new Tree(element)));
        }
        return list;
    }

    /** Returns the entries of a map, in its order. */
    Map<String, Tree> entries() {
        Map<String, Tree> entries = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, entry) -> entries.put(String.valueOf(key), new Tree(entry)));
        }
        return entries;
    }

    /** Returns a map as it is; an empty one if this is none. */
    Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> entries) {
            entries.forEach((key, entry) -> map.put(String.valueOf(key), entry));
        }
        return map;
    }

    /** Returns the first element of a list whose field has this text. */
    Tree find(String key, String text) {
        return list().stream()
                .filter(element -> element.at(key).text().equals(Optional.of(text)))
                .findFirst()
                .orElse(EMPTY);
    }

    List<String> texts() {
        return list().stream()
                .flatMap(element -> element.value() instanceof String text ? java.util.stream.Stream.of(text) : null)
                .toList();
    }

    /** Returns the scalars of a map as texts, in its order. */
    Map<String, String> strings() {
        Map<String, String> strings = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, entry) -> {
                if (entry instanceof String || entry instanceof Number || entry instanceof Boolean) {
                    strings.put(String.valueOf(key), String.valueOf(entry));
                }
            });
        }
        return strings;
    }
}
