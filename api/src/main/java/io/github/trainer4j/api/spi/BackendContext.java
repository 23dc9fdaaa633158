package io.github.trainer4j.api.spi;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;

/**
 * What a backend is given instead of fetching it for itself.
 *
 * @param home the user's home directory
 * @param workDirectory where backends keep what they must keep on this machine; each uses a directory of its own in it
 * @param environment the environment of this process
 * @param clock the time of day
 * @param runtimes the configured runtimes
 * @param initializers the initializers on the class path
 */
public record BackendContext(
        Path home,
        Path workDirectory,
        Map<String, String> environment,
        Clock clock,
        RuntimeCatalog runtimes,
        InitializerRegistry initializers) {
    /** Copies the environment; no part may be null. */
    public BackendContext {
        Objects.requireNonNull(home, "home");
        Objects.requireNonNull(workDirectory, "workDirectory");
        environment = Map.copyOf(environment);
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(runtimes, "runtimes");
        Objects.requireNonNull(initializers, "initializers");
    }
}
