package io.github.trainer4j.cli;

import io.github.trainer4j.api.spi.Settings;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as the configuration does. */
final class Durations implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        return Settings.parseDuration(text)
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' is no duration; write for example 30s, 10m, 1h30m or PT2H"));
    }
}
