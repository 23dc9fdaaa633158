package io.github.trainer4j.local;

import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What can be configured.
 *
 * @param strict whether a limit that cannot be enforced is an error
 * @param python the Python interpreter: a name on {@code PATH} or a path
 * @param grace how long processes are given between being asked to end and being ended
 */
record LocalSettings(boolean strict, Optional<String> python, Duration grace) {
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

    static LocalSettings read(Settings settings, Path home) {
        Optional<String> python = settings.text("python")
                .map(text ->
                        text.startsWith("~/") ? home.resolve(text.substring(2)).toString() : text);
        if (python.filter(String::isBlank).isPresent()) {
            settings.problem("python", "it is blank; give a Python interpreter, or leave it out");
        }
        return new LocalSettings(
                settings.flag("strict", false), python, settings.duration("grace-period", DEFAULT_GRACE));
    }
}
