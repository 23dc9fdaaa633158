package io.github.trainer4j.api.spi;

import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import java.util.List;

/** The configured runtimes: built-in, from files, directories and servers. Safe for several threads. */
public interface RuntimeCatalog {
    /** Returns all runtimes; of two with one name, only the one of the earlier source. */
    List<TrainingRuntime> list();

    /**
     * Returns the runtime of this name.
     *
     * @throws io.github.trainer4j.api.RuntimeNotFoundException if there is none
     */
    TrainingRuntime get(String name);

    /**
     * Returns the runtime of a job: the one that it brought along, the one it names, or the default.
     *
     * @throws io.github.trainer4j.api.RuntimeNotFoundException if there is none of that name
     */
    default TrainingRuntime of(TrainJobRequest request) {
        return request.runtime()
                .map(reference -> reference.value().orElseGet(() -> get(reference.name())))
                .orElseGet(() -> get(defaultName()));
    }

    /** Returns the name of the runtime of jobs that name none. */
    String defaultName();
}
