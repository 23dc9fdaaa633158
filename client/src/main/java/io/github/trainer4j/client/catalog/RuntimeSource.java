package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.TrainingRuntime;
import java.util.List;

/** A place that defines runtimes. Safe for several threads. */
interface RuntimeSource {
    /**
     * Reads all runtimes of this place.
     *
     * @throws io.github.trainer4j.api.TrainerException if it cannot be read; the message names it
     */
    List<TrainingRuntime> read();
}
