package io.github.trainer4j.api.json;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object, read strictly: a field of another type than asked for is an
 * {@link IllegalArgumentException} that names it. One that is missing or null is empty.
 */
public final class Fields {
    private final Map<String, @Nullable Object> map;

    private Fields(Map<String, @Nullable Object> map) {
        this.map = map;
    }

    /**
     * Reads an object.
     *
     * @throws Json.MalformedJsonException if the text is not a JSON object
     */
    public static Fields parse(String text) {
        return new Fields(Json.parseObject(text));
    }

    /** Returns a text. */
    public Optional<String> text(String key) {
        return value(key, String.class);
    }

    /**
     * Returns a text that must be there.
     *
     * @throws IllegalArgumentException if it is missing
     */
    public String need(String key) {
        return text(key).orElseThrow(() -> new IllegalArgumentException("no " + key));
    }

    /** Returns whether a truth value is there and true. */
    public boolean flag(String key) {
        return value(key, Boolean.class).orElse(false);
    }

    /** Returns a whole number. */
    public OptionalLong number(String key) {
        Optional<BigDecimal> number = value(key, BigDecimal.class);
        try {
            return number.isPresent() ? OptionalLong.of(number.get().longValueExact()) : OptionalLong.empty();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(key + " is not a whole number", e);
        }
    }

    /** Returns a whole number of at most 32 bits. */
    public OptionalInt smallNumber(String key) {
        OptionalLong number = number(key);
        if (number.isPresent() && number.getAsLong() != (int) number.getAsLong()) {
            throw new IllegalArgumentException(key + " is too large");
        }
        return number.isPresent() ? OptionalInt.of((int) number.getAsLong()) : OptionalInt.empty();
    }

    /** Returns a time in the form of {@link Instant#toString}. */
    public Optional<Instant> time(String key) {
        try {
            return text(key).map(Instant::parse);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(key + " is not a time", e);
        }
    }

    /** Returns a list of texts; empty if it is missing. */
    public List<String> texts(String key) {
        return list(key, element -> cast(key, element, String.class));
    }

    /** Returns a list of objects, each read by a function; empty if it is missing. */
    public <T> List<T> objects(String key, Function<Fields, T> reader) {
        return list(key, element -> reader.apply(object(key, element)));
    }

    /** Returns an object. */
    public Optional<Fields> object(String key) {
        Object value = map.get(key);
        return value == null ? Optional.empty() : Optional.of(object(key, value));
    }

    /** Returns an object whose values are texts, in its order; empty if it is missing. */
    public Map<String, String> strings(String key) {
        Map<String, String> strings = new LinkedHashMap<>();
        object(key)
                .ifPresent(fields -> fields.map.forEach((name, value) -> {
                    strings.put(name, cast(key, value, String.class));
                }));
        return strings;
    }

    private <T> List<T> list(String key, Function<@Nullable Object, T> reader) {
        List<T> result = new ArrayList<>();
        for (Object element : value(key, List.class).orElse(List.of())) {
            result.add(reader.apply(element));
        }
        return result;
    }

    @SuppressWarnings("unchecked") // the parser makes maps with strings as keys only
    private static Fields object(String key, @Nullable Object value) {
        return new Fields((Map<String, @Nullable Object>) cast(key, value, Map.class));
    }

    private <T> Optional<T> value(String key, Class<T> type) {
        Object value = map.get(key);
        return value == null ? Optional.empty() : Optional.of(cast(key, value, type));
    }

    private static <T> T cast(String key, @Nullable Object value, Class<T> type) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(key + " is no " + type.getSimpleName());
        }
        return type.cast(value);
    }
}
