package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several sources as one catalog. A call reads each source once at most, and none that it does not need.
 *
 * @param sources the sources, those that win first
 * @param defaultName the name of the runtime of jobs that name none
 */
record SourceCatalog(List<RuntimeSource> sources, String defaultName) implements RuntimeCatalog {
    SourceCatalog {
        sources = List.copyOf(sources);
    }

    /**
     * Returns all runtimes; of two with one name, only the one of the earlier source.
     *
     * @throws ConfigurationException if a source is malformed, missing or holds no runtime, or has one name twice
     * @throws io.github.trainer4j.api.TrainerException if a server cannot be reached, and there is no copy
     */
    @Override
    public List<TrainingRuntime> list() {
        Map<String, TrainingRuntime> runtimes = new LinkedHashMap<>();
        for (RuntimeSource source : sources) {
            read(source).forEach(runtimes::putIfAbsent);
        }
        return List.copyOf(runtimes.values());
    }

    /**
     * Returns the runtime of this name, from the first source that has it.
     *
     * @throws RuntimeNotFoundException if there is none
     * @throws ConfigurationException if a source before is malformed, missing or holds no runtime, or has one name twice
     * @throws io.github.trainer4j.api.TrainerException if a server cannot be reached, and there is no copy
     */
    @Override
    public TrainingRuntime get(String name) {
        List<String> names = new ArrayList<>();
        for (RuntimeSource source : sources) {
            Map<String, TrainingRuntime> runtimes = read(source);
            TrainingRuntime runtime = runtimes.get(name);
            if (runtime != null) {
                return runtime;
            }
            names.addAll(runtimes.keySet());
        }
        throw new RuntimeNotFoundException(name, names.stream().distinct().toList());
    }

    private static Map<String, TrainingRuntime> read(RuntimeSource source) {
        Map<String, TrainingRuntime> runtimes = new LinkedHashMap<>();
        for (TrainingRuntime runtime : source.read()) {
            TrainingRuntime before = runtimes.putIfAbsent(runtime.name(), runtime);
            if (before != null) {
                throw new ConfigurationException(List.of("the runtime '" + runtime.name() + "' is defined in "
                        + before.source() + " and again in " + runtime.source() + "; keep one"));
            }
        }
        return runtimes;
    }
}
