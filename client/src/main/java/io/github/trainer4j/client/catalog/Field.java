package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.client.yaml.YamlValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A value within a document, and the way to it for messages.
 *
 * @param value the value
 * @param path the way to it, such as {@code spec.mlPolicy}; empty for the document itself
 * @param source the file or address of the document
 */
record Field(YamlValue value, String path, String source) {
    static Field root(YamlValue document, String source) {
        return new Field(document, "", source);
    }

    /** Returns the value of a key; empty if there is none. */
    Optional<Field> get(String key) {
        if (value instanceof YamlValue.Null) {
            return Optional.empty();
        }
        if (!(value instanceof YamlValue.Mapping mapping)) {
            throw wrong("keys and values are expected here");
        }
        YamlValue found = mapping.entries().get(key);
        return found == null || found instanceof YamlValue.Null
                ? Optional.empty()
                : Optional.of(new Field(found, path.isEmpty() ? key : path + "." + key, source));
    }

    /** Returns the value at the end of several keys; empty if one of them is missing. */
    Optional<Field> get(String first, String... further) {
        Optional<Field> field = get(first);
        for (String key : further) {
            field = field.flatMap(f -> f.get(key));
        }
        return field;
    }

    /** Returns the text of a key; empty if there is none. */
    Optional<String> text(String key) {
        return get(key).map(Field::text);
    }

    /** Returns the elements of the list at a key; none if there is no such key. */
    List<Field> list(String key) {
        return get(key).map(Field::elements).orElse(List.of());
    }

    /** Returns keys and values; none if there is nothing. */
    Map<String, Field> entries() {
        Map<String, Field> entries = new LinkedHashMap<>();
        if (value instanceof YamlValue.Mapping mapping) {
            mapping.entries().keySet().forEach(key -> get(key).ifPresent(field -> entries.put(key, field)));
        } else if (!(value instanceof YamlValue.Null)) {
            throw wrong("keys and values are expected here");
        }
        return entries;
    }

    String text() {
        if (value instanceof YamlValue.Scalar scalar) {
            return scalar.text();
        }
        throw wrong("a plain value is expected here");
    }

    int wholeNumber() {
        try {
            return Integer.parseInt(text());
        } catch (NumberFormatException e) {
            throw wrong("'" + text() + "' is not a whole number");
        }
    }

    /** Returns a whole number; empty if the text is one of those that leave it to the machine. */
    OptionalInt wholeNumberUnless(List<String> words) {
        return words.contains(text()) ? OptionalInt.empty() : OptionalInt.of(wholeNumber());
    }

    ConfigurationException wrong(String sentence) {
        return new ConfigurationException(
                List.of(source + " line " + value.line() + (path.isEmpty() ? "" : ": " + path) + ": " + sentence));
    }

    private List<Field> elements() {
        if (!(value instanceof YamlValue.Sequence sequence)) {
            throw wrong("a list is expected here");
        }
        List<Field> elements = new ArrayList<>();
        for (YamlValue element : sequence.elements()) {
            elements.add(new Field(element, path + "[" + elements.size() + "]", source));
        }
        return elements;
    }
}
