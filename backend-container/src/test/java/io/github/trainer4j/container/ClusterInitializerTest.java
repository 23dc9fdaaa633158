package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of an initializer that only a cluster can run. No engine is asked. */
class ClusterInitializerTest {
    @ParameterizedTest
    @CsvSource({"DOCKER, container", "DOCKER, host", "PODMAN, container", "PODMAN, host"})
    void itIsRefusedWhereverInitializersRun(Product product, String where, @TempDir Path work) {
        Planner planner = new Planner(
                product,
                new BackendContext(
                        work, work, Map.of(), Clock.systemUTC(), new OneRuntime(), spec -> new ClusterInitializer()),
                ContainerSettings.read(Settings.of(Map.of("initializers", where)), Map.of()));
        TrainJobRequest request = TrainJobRequest.builder()
                .dataset("cache://schema/table")
                .trainer(CommandTrainer.of("true"))
                .build();

        assertThatThrownBy(() -> planner.plan(request, new JobStore(work), "unix:///no/engine", false))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining(
                        "backend " + product.backend() + " cannot run the dataset-initializer of cache://schema/table")
                .hasMessageContaining("needs Kubernetes; use backend kubernetes");
    }

    private static final class ClusterInitializer implements Initializer {
        @Override
        public InitializerPlan plan() {
            throw new AssertionError("refused before it is planned");
        }

        @Override
        public Optional<Fetcher> fetcher() {
            return Optional.empty();
        }

        @Override
        public boolean needsCluster() {
            return true;
        }
    }

    private static final class OneRuntime implements RuntimeCatalog {
        @Override
        public List<TrainingRuntime> list() {
            return List.of(get(defaultName()));
        }

        @Override
        public TrainingRuntime get(String name) {
            return TrainingRuntime.of(name, "plain", "test").withImage("img:1");
        }

        @Override
        public String defaultName() {
            return "plain";
        }
    }
}
