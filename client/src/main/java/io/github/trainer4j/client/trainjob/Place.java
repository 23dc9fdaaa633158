package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.NearNames;
import io.github.trainer4j.client.yaml.YamlValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A value within a resource, and the way to it. What is wrong with it is recorded and read as missing, so that one reading
 * finds all mistakes.
 *
 * @param value the value
 * @param path the way to it, such as {@code spec.trainer.env[0]}; empty for the resource itself
 * @param problems where mistakes go
 */
record Place(YamlValue value, String path, Problems problems) {
    private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z][A-Za-z0-9]*");

    /** Returns the way to a field of what this path leads to. */
    static String join(String path, String key) {
        if (!PLAIN_KEY.matcher(key).matches()) {
            return path + "[\"" + key + "\"]";
        }
        return path.isEmpty() ? key : path + "." + key;
    }

    void wrong(String sentence) {
        problems.add(value.line(), path, sentence);
    }

    /** Returns the value of a key; empty if there is none, or it is null. */
    Optional<Place> get(String key) {
        return Optional.ofNullable(entries().get(key));
    }

    /** Returns the value of a key that must be there. */
    Optional<Place> need(String key) {
        Optional<Place> found = get(key);
        if (found.isEmpty() && isMapping()) {
            wrong("'" + key + "' is missing");
        }
        return found;
    }

    /** Records every key that is not one of these. */
    void only(Set<String> known) {
        entries().forEach((key, place) -> {
            if (!known.contains(key)) {
                place.wrong("there is no such field" + NearNames.hint(key, known)
                        + (NearNames.of(key, known).isEmpty()
                                ? "; known are "
                                        + String.join(
                                                ", ", known.stream().sorted().toList())
                                : ""));
            }
        });
    }

    /** Returns all entries that are not null. */
    Map<String, Place> entries() {
        Map<String, Place> entries = new LinkedHashMap<>();
        if (value instanceof YamlValue.Mapping mapping) {
            mapping.entries().forEach((key, entry) -> {
                if (!(entry instanceof YamlValue.Null)) {
                    entries.put(key, new Place(entry, join(path, key), problems));
                }
            });
        } else if (!(value instanceof YamlValue.Null)) {
            wrong("keys and values are expected here");
        }
        return entries;
    }

    private boolean isMapping() {
        return value instanceof YamlValue.Mapping || value instanceof YamlValue.Null;
    }

    /** Returns the elements of the list at a key; none if there is no such key. */
    List<Place> list(String key) {
        return get(key).map(Place::elements).orElse(List.of());
    }

    /** Returns the elements of this list; none if it is none. */
    List<Place> elements() {
        List<Place> elements = new ArrayList<>();
        if (value instanceof YamlValue.Sequence sequence) {
            for (YamlValue element : sequence.elements()) {
                elements.add(new Place(element, path + "[" + elements.size() + "]", problems));
            }
        } else {
            wrong("a list is expected here, with '- ' before each element");
        }
        return elements;
    }

    /** Returns a text. A number or a truth value is none, as a cluster would say too. */
    Optional<String> text() {
        if (value instanceof YamlValue.Scalar scalar) {
            if (scalar.type() == YamlValue.Type.TEXT) {
                return Optional.of(scalar.text());
            }
            wrong("a text is expected here, and " + scalar.text() + " is none; write it in quotes: \"" + scalar.text()
                    + "\"");
        } else {
            wrong("a text is expected here");
        }
        return Optional.empty();
    }

    Optional<String> text(String key) {
        return get(key).flatMap(Place::text);
    }

    /** Returns the text of a plain value, whatever its type. */
    Optional<String> amount() {
        if (value instanceof YamlValue.Scalar scalar) {
            return Optional.of(scalar.text());
        }
        wrong("an amount is expected here, such as 2, 500m or 4Gi");
        return Optional.empty();
    }

    Map<String, String> texts(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        get(key).map(Place::entries)
                .orElse(Map.of())
                .forEach((name, place) -> place.text().ifPresent(text -> texts.put(name, text)));
        return texts;
    }

    List<String> textList(String key) {
        return list(key).stream().flatMap(place -> place.text().stream()).toList();
    }

    Optional<Boolean> flag(String key) {
        return get(key).flatMap(Place::flag);
    }

    private Optional<Boolean> flag() {
        if (value instanceof YamlValue.Scalar scalar && scalar.type() == YamlValue.Type.BOOLEAN) {
            return Optional.of(scalar.text().equalsIgnoreCase("true"));
        }
        wrong("true or false is expected here");
        return Optional.empty();
    }

    OptionalInt wholeNumber(String key) {
        OptionalLong number = get(key).map(Place::wholeNumber).orElse(OptionalLong.empty());
        if (number.isPresent() && number.getAsLong() != (int) number.getAsLong()) {
            get(key).ifPresent(place -> place.wrong(number.getAsLong() + " is too large"));
            return OptionalInt.empty();
        }
        return number.isPresent() ? OptionalInt.of((int) number.getAsLong()) : OptionalInt.empty();
    }

    OptionalLong wholeNumber() {
        if (value instanceof YamlValue.Scalar scalar && scalar.type() == YamlValue.Type.NUMBER) {
            try {
                return OptionalLong.of(new BigDecimal(scalar.text().replace("_", "")).longValueExact());
            } catch (ArithmeticException | NumberFormatException e) {
                wrong(scalar.text() + " is no whole number");
                return OptionalLong.empty();
            }
        }
        wrong("a whole number is expected here");
        return OptionalLong.empty();
    }

    /** Returns the value as maps, lists, strings, numbers and booleans; nulls are left out. */
    Object tree() {
        if (value instanceof YamlValue.Mapping) {
            Map<String, Object> map = new LinkedHashMap<>();
            entries().forEach((key, place) -> map.put(key, place.tree()));
            return map;
        }
        if (value instanceof YamlValue.Sequence) {
            return elements().stream()
                    .filter(place -> !(place.value instanceof YamlValue.Null))
                    .map(Place::tree)
                    .toList();
        }
        YamlValue.Scalar scalar = (YamlValue.Scalar) value;
        return switch (scalar.type()) {
            case TEXT -> scalar.text();
            case BOOLEAN -> scalar.text().equalsIgnoreCase("true");
            case NUMBER -> number(scalar.text());
        };
    }

    private Object number(String text) {
        try {
            BigDecimal number = new BigDecimal(text.replace("_", ""));
            return number.scale() <= 0 && number.precision() - number.scale() < 18
                    ? (Object) number.longValueExact()
                    : number;
        } catch (NumberFormatException e) {
            wrong(text + " is a number in a form that is not read here; write it in decimal");
            return 0L;
        }
    }
}
