package io.github.trainer4j.testkit;

import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import java.util.List;

/**
 * A catalog of given runtimes; the first is the default.
 *
 * @param list the runtimes, at least one
 */
public record FixedRuntimeCatalog(List<TrainingRuntime> list) implements RuntimeCatalog {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public FixedRuntimeCatalog {
        list = List.copyOf(list);
        if (list.isEmpty()) {
            throw new IllegalArgumentException("a catalog needs a runtime, for jobs that name none");
        }
    }

    @Override
    public TrainingRuntime get(String name) {
        return list.stream()
                .filter(runtime -> runtime.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new RuntimeNotFoundException(
                        name, list.stream().map(TrainingRuntime::name).toList()));
    }

    @Override
    public String defaultName() {
        return list.get(0).name();
    }
}
