package io.github.trainer4j.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The checks that every value of a job passes before it exists; each names the field and says what it takes. */
final class Check {
    private static final Pattern ENVIRONMENT_NAME = Pattern.compile("[-._a-zA-Z][-._a-zA-Z0-9]*");
    private static final Pattern LABEL_NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern LABEL_PREFIX = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    private Check() {}

    static <T> T present(@Nullable T value, String field) {
        if (value == null) {
            throw new InvalidJobException(field + " is null; leave it out or give a value");
        }
        return value;
    }

    static <T> Optional<T> optional(Optional<T> value, String field) {
        return present(value, field);
    }

    static String text(String value, String field) {
        if (present(value, field).isBlank()) {
            throw new InvalidJobException(field + " is blank; give a value");
        }
        return line(value, field);
    }

    /** A value that ends up in an argument, a header or a variable: no NUL character can travel there. */
    static String noNul(String value, String field) {
        if (present(value, field).indexOf('\0') >= 0) {
            throw new InvalidJobException(field + " contains a NUL character, which no process can be given");
        }
        return value;
    }

    static String line(String value, String field) {
        noNul(value, field);
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
            throw new InvalidJobException(field + " contains a line break; give it in one line");
        }
        return value;
    }

    static Optional<String> optionalText(Optional<String> value, String field) {
        present(value, field).ifPresent(text -> text(text, field));
        return value;
    }

    /** Lists and maps that are null mean the same as empty ones; what is in them may not be null. */
    static List<String> arguments(@Nullable List<String> values, String field) {
        List<String> copy = new ArrayList<>();
        for (String value : orEmpty(values)) {
            copy.add(noNul(value, field + "[" + copy.size() + "]"));
        }
        return List.copyOf(copy);
    }

    static List<String> texts(@Nullable List<String> values, String field) {
        List<String> copy = new ArrayList<>();
        for (String value : orEmpty(values)) {
            copy.add(text(value, field + "[" + copy.size() + "]"));
        }
        return List.copyOf(copy);
    }

    static <T> List<T> list(@Nullable List<T> values, String field) {
        List<T> copy = new ArrayList<>();
        for (T value : orEmpty(values)) {
            copy.add(present(value, field + "[" + copy.size() + "]"));
        }
        return List.copyOf(copy);
    }

    private static <T> List<T> orEmpty(@Nullable List<T> values) {
        return values == null ? List.of() : values;
    }

    static <V> Map<String, V> map(@Nullable Map<String, V> values, String field, BiConsumer<String, V> entry) {
        Map<String, V> copy = new LinkedHashMap<>();
        (values == null ? Map.<String, V>of() : values).forEach((key, value) -> {
            present(key, "a name in " + field);
            present(value, field + "[" + key + "]");
            entry.accept(key, value);
            copy.put(key, value);
        });
        return java.util.Collections.unmodifiableMap(copy);
    }

    static Map<String, String> environment(@Nullable Map<String, String> values, String field) {
        return map(values, field, (name, value) -> {
            environmentName(name, field);
            noNul(value, field + "[" + name + "]");
        });
    }

    static void environmentName(String name, String field) {
        if (!ENVIRONMENT_NAME.matcher(name).matches()) {
            throw new InvalidJobException(field + " has the name '" + printable(name)
                    + "'; a variable's name is letters, digits, '_', '-' or '.', and starts with no digit");
        }
    }

    static Map<String, String> labels(@Nullable Map<String, String> values, String field) {
        return map(values, field, (key, value) -> {
            labelKey(key, field);
            if (!value.isEmpty() && !LABEL_NAME.matcher(value).matches()) {
                throw new InvalidJobException(field + "[" + key + "] has the value '" + printable(value)
                        + "'; a label's value is at most 63 letters, digits, '-', '_' or '.', and starts and ends with a"
                        + " letter or digit; put longer text into an annotation");
            }
        });
    }

    static Map<String, String> annotations(@Nullable Map<String, String> values, String field) {
        return map(values, field, (key, value) -> {
            labelKey(key, field);
            noNul(value, field + "[" + key + "]");
        });
    }

    private static void labelKey(String key, String field) {
        int slash = key.indexOf('/');
        boolean good = LABEL_NAME.matcher(key.substring(slash + 1)).matches()
                && (slash < 0 || LABEL_PREFIX.matcher(key.substring(0, slash)).matches());
        if (!good) {
            throw new InvalidJobException(field + " has the key '" + printable(key)
                    + "'; a key is an optional DNS prefix and '/', then at most 63 letters, digits, '-', '_' or '.'");
        }
    }

    static Optional<Duration> positive(Optional<Duration> value, String field) {
        present(value, field).ifPresent(duration -> positive(duration, field));
        return value;
    }

    static Duration positive(Duration value, String field) {
        if (present(value, field).isNegative() || value.isZero()) {
            throw new InvalidJobException(field + " is " + value + "; give a duration above zero");
        }
        return value;
    }

    static OptionalInt atLeastOne(OptionalInt value, String field) {
        present(value, field).ifPresent(number -> atLeast(number, 1, field));
        return value;
    }

    static int atLeast(int value, int least, String field) {
        if (value < least) {
            throw new InvalidJobException(field + " is " + value + "; it must be at least " + least);
        }
        return value;
    }

    /** Shortens and escapes what a user typed, so that an error stays one readable line. */
    static String printable(String value) {
        StringBuilder text = new StringBuilder();
        value.codePoints().limit(80).forEach(c -> {
            if (Character.isISOControl(c)) {
                text.append(String.format("\\u%04x", c));
            } else {
                text.appendCodePoint(c);
            }
        });
        return text + (value.codePointCount(0, value.length()) > 80 ? "…" : "");
    }
}
