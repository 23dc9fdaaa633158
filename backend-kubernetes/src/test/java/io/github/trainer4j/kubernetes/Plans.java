package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import io.github.trainer4j.testkit.StandInInitializerProvider;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Makes plans without a cluster. */
final class Plans {
    private Plans() {}

    /** Returns what is made of a request in the newest version. */
    static KubernetesPlan of(TrainJobRequest.Builder request, ClusterRuntime runtime) {
        return of(request, runtime, UnaryOperator.identity());
    }

    static KubernetesPlan of(
            TrainJobRequest.Builder request, ClusterRuntime runtime, UnaryOperator<Map<String, Object>> fit) {
        Planner planner = new Planner(context(Path.of("nowhere")));
        return planner.plan(request.runtime(runtime.runtime().name()).build(), reference -> runtime, "test", fit);
    }

    /** Returns what a backend is given, with initializers as the stand-in for Kubeflow's images wants them. */
    static BackendContext context(Path directory) {
        return new BackendContext(
                directory,
                directory,
                Map.of(),
                Clock.systemUTC(),
                new NoRuntimes(),
                new StandInInitializerProvider()::create);
    }

    /** The client's own catalog, which a cluster's runtimes are not in. */
    static final class NoRuntimes implements RuntimeCatalog {
        @Override
        public List<TrainingRuntime> list() {
            return List.of();
        }

        @Override
        public TrainingRuntime get(String name) {
            throw new AssertionError("the cluster's runtimes are asked, not the client's");
        }

        @Override
        public String defaultName() {
            return "torch-distributed";
        }
    }
}
