package io.github.trainer4j.api.spi;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.NearNames;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Settings as they were configured, under one prefix. Reading a key makes it known; {@link #check()} then reports every
 * value that was malformed and every configured key that nobody asked for, all at once, each with its source. Not for use
 * by several threads at once.
 *
 * <p>Keys are lower-case words joined by {@code -}, levels by {@code .}, as in {@code local.grace-period}. An environment
 * variable has {@code _} for both: {@code TRAINER4J_LOCAL_GRACE_PERIOD}.
 */
public final class Settings {
    private static final Pattern SHORT_DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private final String prefix;
    private final Map<String, Value> values;
    private final Map<String, String> known;
    private final Map<String, String> knownMaps;
    private final Map<String, String> defaults;
    private final Set<String> problems;

    /**
     * One configured value.
     *
     * @param key the key as it was written
     * @param text the value
     * @param source where it was written, for people, such as {@code environment variable TRAINER4J_BACKEND}
     */
    public record Value(String key, String text, String source) {}

    private Settings(
            String prefix,
            Map<String, Value> values,
            Map<String, String> known,
            Map<String, String> knownMaps,
            Map<String, String> defaults,
            Set<String> problems) {
        this.prefix = prefix;
        this.values = values;
        this.known = known;
        this.knownMaps = knownMaps;
        this.defaults = defaults;
        this.problems = problems;
    }

    /** Returns settings of these values. Of two values for one key the first counts. */
    public static Settings of(List<Value> values) {
        Map<String, Value> byKey = new LinkedHashMap<>();
        for (Value value : values) {
            byKey.putIfAbsent(normal(value.key()), value);
        }
        return new Settings(
                "", byKey, new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashSet<>());
    }

    /** Returns settings of these keys and values, with {@code code} as their source; for tests and programs. */
    public static Settings of(Map<String, String> values) {
        List<Value> list = new ArrayList<>();
        values.forEach((key, text) -> list.add(new Value(key, text, "code")));
        return of(list);
    }

    /** Returns the settings under a further level. They share problems and known keys with these. */
    public Settings under(String level) {
        return new Settings(prefix + level + ".", values, known, knownMaps, defaults, problems);
    }

    /** Returns the text of a key, if it is configured. */
    public Optional<String> text(String key) {
        return value(key).map(Value::text);
    }

    /** Returns the text of a key, or a default. */
    public String text(String key, String fallback) {
        defaults.put(normal(prefix + key), fallback);
        return text(key).orElse(fallback);
    }

    /** Returns whether a key is {@code true}, or a default. Anything but {@code true} and {@code false} is a problem. */
    public boolean flag(String key, boolean fallback) {
        return parse(key, fallback, "true or false", text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        });
    }

    /** Returns a whole number that is at least so large, or a default. */
    public int number(String key, int fallback, int least) {
        return parse(key, fallback, "a whole number of at least " + least, text -> {
            int number = Integer.parseInt(text);
            if (number < least) {
                throw new IllegalArgumentException(text);
            }
            return number;
        });
    }

    /** Returns a duration, as {@link #parseDuration} reads it. */
    public Duration duration(String key, Duration fallback) {
        return parse(key, fallback, "a duration such as 500ms, 30s, 10m, 1h30m or PT10M", Settings::someDuration);
    }

    /** Returns a path; {@code ~} at its start is the given home directory. A blank text is a problem. */
    public Optional<Path> path(String key, Path home) {
        return parse(key, Optional.empty(), "a path", text -> {
            if (text.isEmpty()) {
                throw new IllegalArgumentException("blank");
            }
            return Optional.of(
                    text.equals("~") || text.startsWith("~/")
                            ? home.resolve(text.substring(Math.min(2, text.length())))
                            : Path.of(text));
        });
    }

    /** Returns the elements of a comma-separated list, blanks dropped; empty if the key is not configured. */
    public List<String> list(String key) {
        return text(key)
                .map(text -> Arrays.stream(text.split(","))
                        .map(String::strip)
                        .filter(element -> !element.isEmpty())
                        .toList())
                .orElse(List.of());
    }

    /** Returns one of an enumeration's constants, written in lower case with {@code -}, or a default. */
    public <E extends Enum<E>> E choice(String key, E fallback) {
        E[] constants = fallback.getDeclaringClass().getEnumConstants();
        List<String> names = Arrays.stream(constants).map(Settings::choiceName).toList();
        return parse(key, fallback, "one of " + String.join(", ", names), text -> {
            int index = names.indexOf(text.toLowerCase(Locale.ROOT));
            if (index < 0) {
                throw new IllegalArgumentException(text);
            }
            return constants[index];
        });
    }

    /** Returns all entries below a key, by the rest of their keys as they were written. */
    public Map<String, String> map(String key) {
        String start = normal(prefix + key) + ".";
        knownMaps.put(start, prefix + key + ".*");
        Map<String, String> entries = new LinkedHashMap<>();
        values.forEach((normal, value) -> {
            if (normal.startsWith(start)) {
                entries.put(value.key().substring(start.length()), value.text());
            }
        });
        return entries;
    }

    /** Returns where a key's value was written, for messages; {@code default} if it is not configured. */
    public String source(String key) {
        return value(key).map(Value::source).orElse("default");
    }

    /**
     * Returns the keys below this level that were asked for so far, in that order, maps last: a map's with {@code .*} at its
     * end. What documentation lists can so be held to what is read.
     */
    public List<String> asked() {
        return Stream.concat(known.values().stream(), knownMaps.values().stream())
                .filter(key -> key.startsWith(prefix))
                .map(key -> key.substring(prefix.length()))
                .toList();
    }

    /**
     * Returns every key that was asked for so far, at all levels, with its value: the configured one, or with the source
     * {@code default} the one that is taken instead, which is empty where there is none. What is configured within maps
     * follows.
     */
    public List<Value> effective() {
        List<Value> all = new ArrayList<>();
        known.forEach((normal, key) -> {
            Value value = values.get(normal);
            all.add(
                    value == null
                            ? new Value(key, defaults.getOrDefault(normal, ""), "default")
                            : new Value(key, value.text(), value.source()));
        });
        values.forEach((normal, value) -> {
            if (!known.containsKey(normal) && knownMaps.keySet().stream().anyMatch(normal::startsWith)) {
                all.add(value);
            }
        });
        return List.copyOf(all);
    }

    /** Records that the value of a key makes no sense, for {@link #check()} to report. */
    public void problem(String key, String sentence) {
        problems.add(prefix + key + " (" + source(key) + "): " + sentence);
    }

    /**
     * Reports everything that is wrong.
     *
     * @throws ConfigurationException if a value was malformed or a key is unknown
     */
    public void check() {
        List<String> all = new ArrayList<>(problems);
        values.forEach((normal, value) -> {
            if (!known.containsKey(normal) && knownMaps.keySet().stream().noneMatch(normal::startsWith)) {
                all.add("unknown key '" + value.key() + "' (" + value.source() + ")"
                        + NearNames.hint(normal, known.values()));
            }
        });
        if (!all.isEmpty()) {
            throw new ConfigurationException(all);
        }
    }

    private Optional<Value> value(String key) {
        String normal = normal(prefix + key);
        known.put(normal, prefix + key);
        return Optional.ofNullable(values.get(normal));
    }

    private <T> T parse(String key, T fallback, String expected, Function<String, T> parser) {
        Optional<Value> value = value(key);
        if (!(fallback instanceof Optional)) {
            defaults.put(
                    normal(prefix + key),
                    fallback instanceof Enum<?> choice ? choiceName(choice) : String.valueOf(fallback));
        }
        if (value.isEmpty()) {
            return fallback;
        }
        try {
            return parser.apply(value.get().text().strip());
        } catch (IllegalArgumentException | DateTimeParseException | ArithmeticException e) {
            problem(key, "'" + value.get().text() + "' is not " + expected);
            return fallback;
        }
    }

    private static Duration someDuration(String text) {
        return parseDuration(text).orElseThrow(() -> new IllegalArgumentException(text));
    }

    /**
     * Reads a duration as people write it: {@code 500ms}, {@code 30s}, {@code 10m}, {@code 2h}, {@code 1d}, several of them in a
     * row, as {@code 1h30m}, or the form of ISO 8601.
     *
     * @return the duration; empty if the text is none, or it is negative
     */
    public static Optional<Duration> parseDuration(String text) {
        Duration sum = Duration.ZERO;
        Matcher part = SHORT_DURATION.matcher(text);
        int end = 0;
        while (part.find() && part.start() == end) {
            long amount = Long.parseLong(part.group(1));
            sum = sum.plus(
                    switch (part.group(2)) {
                        case "ms" -> Duration.ofMillis(amount);
                        case "s" -> Duration.ofSeconds(amount);
                        case "m" -> Duration.ofMinutes(amount);
                        case "h" -> Duration.ofHours(amount);
                        default -> Duration.ofDays(amount);
                    });
            end = part.end();
        }
        if (end == text.length() && end > 0) {
            return Optional.of(sum);
        }
        try {
            return Optional.of(Duration.parse(text)).filter(duration -> !duration.isNegative());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static String choiceName(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the form in which keys are compared: two keys are the same if this form of them is. */
    public static String normal(String key) {
        return key.toLowerCase(Locale.ROOT).replace('-', '.').replace('_', '.');
    }
}
