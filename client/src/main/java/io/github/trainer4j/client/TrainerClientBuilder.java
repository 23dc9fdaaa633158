package io.github.trainer4j.client;

import com.google.inject.Guice;
import com.google.inject.ProvisionException;
import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a program configures itself. It wins over system properties ({@code trainer4j.*}), these over the
 * environment ({@code TRAINER4J_*}), this over {@code trainer4j.yaml} in the current directory, and this over the user's
 * file {@code ~/.config/trainer4j/config.yaml}. Not for use by several threads at once.
 */
public final class TrainerClientBuilder {
    private final Map<String, String> settings = new LinkedHashMap<>();
    private Optional<Path> home = Optional.empty();
    private Optional<Path> currentDirectory = Optional.empty();
    private Map<String, String> environment = System.getenv();
    private Optional<Map<String, String>> systemProperties = Optional.empty();
    private Clock clock = Clock.systemUTC();

    TrainerClientBuilder() {}

    /** Chooses the backend, such as {@code local}; short for {@code set("backend", name)}. */
    public TrainerClientBuilder backend(String name) {
        return set("backend", name);
    }

    /**
     * Sets any key, as it would stand in a file: {@code set("local.strict", "true")}. The last value of a key counts.
     *
     * @throws ConfigurationException if key or value is null
     */
    public TrainerClientBuilder set(String key, String value) {
        String normal = Settings.normal(given(key, "a key"));
        settings.keySet().removeIf(before -> Settings.normal(before).equals(normal));
        settings.put(key, given(value, "the value of " + key));
        return this;
    }

    /** Sets where backends keep what they must keep on this machine; by default {@code ~/.kubeflow/trainer}. */
    public TrainerClientBuilder workDirectory(Path directory) {
        return set("work-directory", given(directory, "the work directory").toString());
    }

    /** Sets the user's home directory; by default that of the variable {@code HOME}, else of the system property. */
    public TrainerClientBuilder home(Path directory) {
        home = Optional.of(given(directory, "the home directory"));
        return this;
    }

    /** Sets where {@code trainer4j.yaml} is looked for and relative paths start; by default that of this process. */
    public TrainerClientBuilder currentDirectory(Path directory) {
        currentDirectory = Optional.of(given(directory, "the current directory"));
        return this;
    }

    /** Sets the environment that client and backends see; by default that of this process. */
    public TrainerClientBuilder environment(Map<String, String> variables) {
        environment = Map.copyOf(given(variables, "the environment"));
        return this;
    }

    /** Sets the time of day; by default that of the system. Waits measure time on a clock of their own. */
    public TrainerClientBuilder clock(Clock clock) {
        this.clock = given(clock, "the clock");
        return this;
    }

    /** Sets the system properties that settings are taken from; by default those of this process when it is built. */
    public TrainerClientBuilder systemProperties(Map<String, String> properties) {
        systemProperties = Optional.of(Map.copyOf(given(properties, "the map of system properties")));
        return this;
    }

    /**
     * Makes a client. Later changes of the builder do not reach it.
     *
     * @throws ConfigurationException if the configuration is wrong, or no backend can be chosen; all problems at once
     * @throws io.github.trainer4j.api.BackendUnavailableException if the backend cannot work here
     */
    public TrainerClient build() {
        Map<String, String> properties = systemProperties.orElseGet(TrainerClientBuilder::properties);
        Surroundings surroundings = new Surroundings(
                home.orElseGet(() -> home(properties)),
                currentDirectory.orElseGet(() -> Path.of("")),
                environment,
                properties,
                clock);
        try {
            return Guice.createInjector(new ClientModule(new LinkedHashMap<>(settings), surroundings))
                    .getInstance(TrainerClient.class);
        } catch (ProvisionException e) {
            // Whoever does not use Guice shall not read its messages.
            if (e.getCause() instanceof TrainerException told) {
                throw told;
            }
            throw e;
        }
    }

    private Path home(Map<String, String> properties) {
        String variable = environment.getOrDefault("HOME", "");
        Path path = Path.of(variable);
        return path.isAbsolute() ? path : Path.of(properties.getOrDefault("user.home", ""));
    }

    /** Properties that are not text are nobody's settings. */
    private static Map<String, String> properties() {
        Map<String, String> properties = new HashMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            properties.put(name, System.getProperty(name, ""));
        }
        return properties;
    }

    private static <T> T given(@Nullable T value, String what) {
        if (value == null) {
            throw new ConfigurationException(List.of(what + " is null; give one or leave it out"));
        }
        return value;
    }
}
