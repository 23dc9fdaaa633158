package io.github.trainer4j.client;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * What a client takes from its process, unless the builder says otherwise.
 *
 * @param home the user's home directory
 * @param currentDirectory where {@code trainer4j.yaml} is looked for, and what relative paths start at
 * @param environment the environment variables
 * @param systemProperties the system properties
 * @param clock the time of day
 */
record Surroundings(
        Path home,
        Path currentDirectory,
        Map<String, String> environment,
        Map<String, String> systemProperties,
        Clock clock) {
    Surroundings {
        home = home.toAbsolutePath();
        currentDirectory = currentDirectory.toAbsolutePath();
        environment = Map.copyOf(environment);
        systemProperties = Map.copyOf(systemProperties);
    }
}
