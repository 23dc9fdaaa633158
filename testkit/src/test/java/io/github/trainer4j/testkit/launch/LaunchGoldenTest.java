package io.github.trainer4j.testkit.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.JobPlan.PlannedStep;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.launch.NodeLaunch;
import io.github.trainer4j.api.launch.Placement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LaunchGoldenTest {
    private static final Placement HERE =
            new Placement("golden", "/here", "python3", "java", ":", Path::toString, "127.0.0.1", 40001);

    @ParameterizedTest
    @MethodSource("io.github.trainer4j.testkit.launch.LaunchGolden#all")
    void aLaunchIsWhatItsGoldenFileSays(LaunchGolden golden) {
        golden.checkLaunch();
    }

    @ParameterizedTest
    @MethodSource("io.github.trainer4j.testkit.launch.LaunchGolden#all")
    void aPlanThatLaunchesItPasses(LaunchGolden golden) {
        assertThatCode(() -> golden.check(plan(golden, Map.of("OWN", "1"), List.of()), HERE))
                .doesNotThrowAnyException();
        assertThat(golden.text()).doesNotContain("never shown");
    }

    @Test
    void aPlanThatDiffersFails() {
        LaunchGolden golden = LaunchGolden.all()
                .filter(candidate -> candidate.toString().equals("script-torch"))
                .findFirst()
                .orElseThrow();

        assertThatThrownBy(() -> golden.check(plan(golden, Map.of(), List.of("more")), HERE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("command of node-0 of script-torch");
        assertThatThrownBy(() -> golden.check(plan(golden, Map.of("PET_NNODES", "7"), List.of()), HERE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("environment of node-0 of script-torch");
        assertThatThrownBy(() -> golden.check(new JobPlan("b", "golden", "r", List.of(), Optional.empty()), HERE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("has no node-0");
    }

    private static JobPlan plan(LaunchGolden golden, Map<String, String> moreEnv, List<String> moreArgs) {
        Launch launch = Launch.of(
                golden.request(),
                golden.request().runtime().orElseThrow().value().orElseThrow(),
                Map.of());
        List<PlannedStep> steps = new ArrayList<>();
        for (int rank = 0; rank < launch.numNodes(); rank++) {
            NodeLaunch node = launch.node(rank, HERE);
            List<String> command = new ArrayList<>(node.command());
            command.addAll(moreArgs);
            Map<String, String> env = new TreeMap<>(node.env());
            env.putAll(moreEnv);
            steps.add(new PlannedStep(
                    "node-" + rank,
                    command,
                    Optional.empty(),
                    env,
                    node.secretEnv().keySet(),
                    node.files().stream().map(LaunchFile::path).toList(),
                    List.of()));
        }
        return new JobPlan("b", "golden", "r", steps, Optional.empty());
    }
}
