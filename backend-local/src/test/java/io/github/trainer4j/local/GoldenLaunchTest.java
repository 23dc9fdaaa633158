package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.launch.Placement;
import io.github.trainer4j.testkit.launch.LaunchGolden;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** That nodes are given here what they are given on every other backend. */
class GoldenLaunchTest {
    @ParameterizedTest
    @MethodSource("io.github.trainer4j.testkit.launch.LaunchGolden#all")
    void nodesAreGivenWhatTheyAreGivenEverywhere(LaunchGolden golden, @TempDir Path work) {
        Bench bench = new Bench(work);
        bench.environment.put("CUDA_VISIBLE_DEVICES", "0,1,2,3,4,5,6,7");
        golden.request().initializers().forEach(spec -> {
            bench.schemes.add(spec.scheme());
            bench.fetcher(spec.location(), (directory, context) -> {});
        });
        Host host = new Host(bench.environment, Path.of("/dev"), Optional.of("/bin/sh"));
        Planner planner =
                new Planner(bench.context(), new LocalSettings(false, Optional.empty(), Duration.ofSeconds(1)), host);
        JobStore store = new JobStore(bench.jobs());
        TrainJobRequest request = golden.request().withName("golden");
        if (golden.needsCluster() || golden.needsImage()) {
            assertThatThrownBy(() -> planner.draft(request, store)).isInstanceOf(UnsupportedFeatureException.class);
            return;
        }

        LocalPlan plan = planner.draft(request, store);

        Path job = bench.jobs().resolve("golden");
        boolean ownPython = request.trainer().orElse(null) instanceof CustomTrainer custom
                && !custom.packagesToInstall().isEmpty();
        boolean script = request.trainer().orElse(null) instanceof CustomTrainer;
        golden.check(
                plan.toJobPlan(),
                new Placement(
                        "golden",
                        job.resolve("workspace").toString(),
                        ownPython ? job.resolve("python/bin/python").toString() : script ? "/bin/sh" : "python3",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        ":",
                        Path::toString,
                        "127.0.0.1",
                        LocalPlan.PORT_TO_COME));
        assertThat(plan.steps())
                .extracting(JobRecord.StepRecord::name)
                .endsWith("node-" + (plan.launch().numNodes() - 1));
    }
}
