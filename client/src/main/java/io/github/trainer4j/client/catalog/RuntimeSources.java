package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The configured sources of runtimes as one catalog. Each call reads every source once. */
public final class RuntimeSources implements RuntimeCatalog {
    private final List<RuntimeSource> sources;
    private final String defaultName;

    private RuntimeSources(List<RuntimeSource> sources, String defaultName) {
        this.sources = List.copyOf(sources);
        this.defaultName = defaultName;
    }

    /** Returns the catalog that the settings describe; reads nothing yet. */
    public static RuntimeCatalog of(
            Settings settings, Path home, Path currentDirectory, Path workDirectory, Clock clock) {
        return new RuntimeSources(
                List.of(new BuiltinRuntimes()), settings.text("default-runtime", "torch-distributed"));
    }

    @Override
    public List<TrainingRuntime> list() {
        return List.copyOf(byName().values());
    }

    @Override
    public TrainingRuntime get(String name) {
        Map<String, TrainingRuntime> runtimes = byName();
        TrainingRuntime runtime = runtimes.get(name);
        if (runtime == null) {
            throw new RuntimeNotFoundException(name, runtimes.keySet());
        }
        return runtime;
    }

    @Override
    public String defaultName() {
        return defaultName;
    }

    private Map<String, TrainingRuntime> byName() {
        Map<String, TrainingRuntime> runtimes = new LinkedHashMap<>();
        for (RuntimeSource source : sources) {
            source.read().forEach(runtime -> runtimes.putIfAbsent(runtime.name(), runtime));
        }
        return runtimes;
    }
}
