package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.Backend;
import java.nio.file.Path;
import java.util.Map;

/** A client within the cluster, which is told nothing of it. */
final class InPodMain {
    private InPodMain() {}

    public static void main(String[] args) {
        try (Backend backend = Backends.of(Map.of(), Path.of("/nowhere"), System.getenv())) {
            backend.list();
            System.out.println("runtimes here: "
                    + backend.runtimes().stream()
                            .map(TrainingRuntime::name)
                            .sorted()
                            .toList());
        }
    }
}
