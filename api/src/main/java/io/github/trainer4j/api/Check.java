package io.github.trainer4j.api;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
    private static final int LONGEST_TEXT = 4096;
    private static final int LONGEST_NAME = 253;
    /** What Linux takes as one argument or variable, less its closing byte. */
    private static final int LONGEST_ARGUMENT = (128 << 10) - 1;
    /** What Kubernetes takes as annotations of one object. */
    private static final int LONGEST_ANNOTATIONS = 256 << 10;

    private static final Pattern RESOURCE_NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
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
        if (value.length() > LONGEST_TEXT) {
            throw new InvalidJobException(field + " has " + value.length() + " characters; at most " + LONGEST_TEXT
                    + " are taken, shorten it");
        }
        return line(value, field);
    }

    /** A text that arrives as it was given, wherever it goes: as bytes of UTF-8 that a process can be handed. */
    static String portable(String value, String field) {
        if (present(value, field).indexOf('\0') >= 0) {
            throw new InvalidJobException(
                    field + " contains a NUL character, which no process can be given; take it out");
        }
        if (value.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw new InvalidJobException(
                    field + " contains half of a character (an unpaired surrogate), which has no bytes; take it out");
        }
        return value;
    }

    static String line(String value, String field) {
        portable(value, field);
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
            throw new InvalidJobException(field + " contains a line break; give it in one line");
        }
        return value;
    }

    /** A value that a process is given as an argument or in a variable. */
    static String argument(String value, String field) {
        portable(value, field);
        if (value.length() > LONGEST_ARGUMENT
                || (value.length() > LONGEST_ARGUMENT / 3
                        && value.getBytes(StandardCharsets.UTF_8).length > LONGEST_ARGUMENT)) {
            throw new InvalidJobException(field + " is longer than " + LONGEST_ARGUMENT
                    + " bytes, which no process can be given; put it into a file");
        }
        return value;
    }

    /** The name of a resource of a cluster; elsewhere it becomes part of a path. */
    static String name(String value, String field) {
        text(value, field);
        if (value.length() > LONGEST_NAME || !RESOURCE_NAME.matcher(value).matches()) {
            throw new InvalidJobException(field + " is '" + printable(value) + "'; use at most " + LONGEST_NAME
                    + " letters, digits, '-', '_' or '.', and start and end with a letter or digit");
        }
        return value;
    }

    static String image(String value, String field) {
        text(value, field);
        if (value.startsWith("-") || value.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new InvalidJobException(field + " is '" + printable(value)
                    + "', which is no image; write for example ghcr.io/org/image:tag");
        }
        return value;
    }

    static Optional<String> image(Optional<String> value, String field) {
        present(value, field).ifPresent(image -> image(image, field));
        return value;
    }

    /** Adds an entry that is not there yet: of two values for one name, one would be lost without a word. */
    static <V> Map<String, V> plus(Map<String, V> values, String name, V value, String field) {
        Map<String, V> more = new LinkedHashMap<>(values);
        if (more.containsKey(present(name, "a name in " + field))) {
            throw new InvalidJobException(field + " has '" + printable(name) + "' twice; give it once");
        }
        more.put(name, value);
        return more;
    }

    static Optional<String> optionalText(Optional<String> value, String field) {
        present(value, field).ifPresent(text -> text(text, field));
        return value;
    }

    /** Lists and maps that are null mean the same as empty ones; what is in them may not be null. */
    static List<String> arguments(@Nullable List<String> values, String field) {
        List<String> copy = new ArrayList<>();
        for (String value : orEmpty(values)) {
            copy.add(argument(value, field + "[" + copy.size() + "]"));
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

    /** Unlike {@link List#of}, lets nulls through to the check that names the field. */
    static <T> List<T> listOf(T @Nullable [] values) {
        return values == null ? List.of() : Collections.unmodifiableList(new ArrayList<>(Arrays.asList(values)));
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
        return Collections.unmodifiableMap(copy);
    }

    static Map<String, String> environment(@Nullable Map<String, String> values, String field) {
        return map(values, field, (name, value) -> {
            environmentName(name, field);
            argument(value, field + "[" + name + "]");
        });
    }

    static void environmentName(String name, String field) {
        if (name.length() > LONGEST_TEXT || !ENVIRONMENT_NAME.matcher(name).matches()) {
            throw new InvalidJobException(field + " has the name '" + printable(name)
                    + "'; use letters, digits, '_', '-' or '.', with no digit at the start, and at most " + LONGEST_TEXT
                    + " characters");
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
        Map<String, String> copy = map(values, field, (key, value) -> {
            labelKey(key, field);
            portable(value, field + "[" + key + "]");
        });
        long size = 0;
        for (Map.Entry<String, String> annotation : copy.entrySet()) {
            size += annotation.getKey().length() + annotation.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > LONGEST_ANNOTATIONS) {
            throw new InvalidJobException(field + " have " + size + " bytes in all; at most " + LONGEST_ANNOTATIONS
                    + " are taken, put longer text into a file");
        }
        return copy;
    }

    private static void labelKey(String key, String field) {
        int slash = key.indexOf('/');
        boolean good = LABEL_NAME.matcher(key.substring(slash + 1)).matches()
                && (slash < 0 || LABEL_PREFIX.matcher(key.substring(0, slash)).matches());
        if (!good) {
            throw new InvalidJobException(field + " has the key '" + printable(key)
                    + "'; use at most 63 letters, digits, '-', '_' or '.', after a DNS prefix and '/' if need be");
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
            throw new InvalidJobException(field + " is " + value + "; give at least " + least);
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
