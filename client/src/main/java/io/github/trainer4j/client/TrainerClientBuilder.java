package io.github.trainer4j.client;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.ProvisionException;
import com.google.inject.TypeLiteral;
import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.InitializerProvider;
import io.github.trainer4j.api.spi.InitializerRegistry;
import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
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
        return make(TrainerClient.class);
    }

    /** Returns what is on the class path, and what is wrong with it, without choosing a backend. */
    public Diagnostics diagnostics() {
        Injector injector = injector();
        List<ProviderReport> reports = new ArrayList<>();
        reports.addAll(injector.getInstance(Key.get(new TypeLiteral<ProviderRegistry<BackendProvider>>() {}))
                .reports());
        reports.addAll(injector.getInstance(Key.get(new TypeLiteral<ProviderRegistry<InitializerProvider>>() {}))
                .reports());
        return new Diagnostics(reports);
    }

    /**
     * Returns the initializers on the class path, for programs that fetch something without a job and so without a backend.
     */
    public InitializerRegistry initializers() {
        return make(InitializerRegistry.class);
    }

    /**
     * Returns every key that the client and the chosen backend know, with its value and where that was configured; where no
     * backend can be made, the keys of the client, and of the backend as far as it got.
     *
     * @throws ConfigurationException if a file cannot be read, or has something that is no value
     */
    public List<Settings.Value> configuration() {
        Injector injector = injector();
        Settings settings = told(() -> injector.getInstance(Settings.class));
        try {
            injector.getInstance(TrainerClient.class).close();
        } catch (ProvisionException e) {
            // What is wrong is told to whoever builds a client; here it is looked at.
            if (!(e.getCause() instanceof TrainerException)) {
                throw e;
            }
        }
        return settings.effective();
    }

    private <T> T make(Class<T> type) {
        Injector injector = injector();
        return told(() -> injector.getInstance(type));
    }

    private Injector injector() {
        Map<String, String> properties = systemProperties.orElseGet(TrainerClientBuilder::properties);
        Surroundings surroundings = new Surroundings(
                home.orElseGet(() -> home(properties)),
                currentDirectory.orElseGet(() -> Path.of("")),
                environment,
                properties,
                clock);
        return Guice.createInjector(new ClientModule(new LinkedHashMap<>(settings), surroundings));
    }

    /** Whoever does not use Guice shall not read its messages. */
    private static <T> T told(Supplier<T> making) {
        try {
            return making.get();
        } catch (ProvisionException e) {
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
