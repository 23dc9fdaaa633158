package io.github.trainer4j.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as people write them: {@code 90s}, {@code 1h30m}, {@code PT2H}. */
final class Durations implements ITypeConverter<Duration> {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    @Override
    public Duration convert(String text) {
        return parse(text)
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' is no duration; write for example 30s, 10m, 1h30m or PT2H"));
    }

    /** Returns the duration; empty if the text is none. */
    static Optional<Duration> parse(String text) {
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
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
            return Optional.of(Duration.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
