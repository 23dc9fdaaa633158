package io.github.trainer4j.client.yaml;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of a YAML document, with the line it starts at. Scalars keep the text they were written with. */
public sealed interface YamlValue {
    /** Returns the line, counted from one. */
    int line();

    /** What a plain value means to YAML; one in quotes is always text. */
    enum Type {
        /** Anything else. */
        TEXT,
        /** A whole number or one with a fraction. */
        NUMBER,
        /** {@code true} or {@code false}. */
        BOOLEAN
    }

    /**
     * A single value.
     *
     * @param text the text, without quotes
     * @param type what it means
     * @param line the line, counted from one
     */
    record Scalar(String text, Type type, int line) implements YamlValue {}

    /**
     * No value: nothing, {@code ~} or {@code null}.
     *
     * @param line the line, counted from one
     */
    record Null(int line) implements YamlValue {}

    /**
     * A list.
     *
     * @param elements the elements
     * @param line the line, counted from one
     */
    record Sequence(List<YamlValue> elements, int line) implements YamlValue {
        /** Copies the elements. */
        public Sequence {
            elements = List.copyOf(elements);
        }
    }

    /**
     * Keys and values, no key twice.
     *
     * @param entries the values by key, in the order they were written
     * @param line the line, counted from one
     */
    record Mapping(Map<String, YamlValue> entries, int line) implements YamlValue {
        /** Copies the entries. */
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }
    }
}
