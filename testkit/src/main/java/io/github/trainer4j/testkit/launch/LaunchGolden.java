package io.github.trainer4j.testkit.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.launch.NodeLaunch;
import io.github.trainer4j.api.launch.Placement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One job and the golden file of what its nodes are given: files, commands and environment. A backend that passes
 * {@link #check} for each of {@link #all()} launches what every other backend launches:
 *
 * <pre>{@code
 * @ParameterizedTest
 * @MethodSource("io.github.trainer4j.testkit.launch.LaunchGolden#all")
 * void nodesAreGivenWhatTheyAreGivenEverywhere(LaunchGolden golden) {
 *     golden.check(backend.plan(golden.request()), placement);
 * }
 * }</pre>
 *
 * <p>The golden files lie beside this class. What depends on the place stands in them as {@code ${workspace}},
 * {@code ${python}}, {@code ${java}}, {@code ${class path entry NAME}}, {@code ${master}} and {@code ${port}}.
 */
public final class LaunchGolden {
    private final String name;
    private final TrainJobRequest request;

    private LaunchGolden(String name, TrainJobRequest request) {
        this.name = name;
        this.request = request;
    }

    /** Returns all pinned jobs. */
    public static Stream<LaunchGolden> all() {
        return GoldenJobs.all().entrySet().stream().map(job -> new LaunchGolden(job.getKey(), job.getValue()));
    }

    /** Returns the job; it gives its runtime by value. */
    public TrainJobRequest request() {
        return request;
    }

    /** Returns whether only a cluster can launch the job, so that other backends refuse it. */
    public boolean needsCluster() {
        return launch().needsCluster();
    }

    /** Returns whether the job is an image that runs by itself, which backends without images refuse. */
    public boolean needsImage() {
        return request.nodes().image().isPresent();
    }

    /** Returns the content of the golden file. */
    public String text() {
        try (InputStream in = LaunchGolden.class.getResourceAsStream(name + ".txt")) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Fails unless each node of a plan has the command and files of the golden file, at least its environment, and
     * exactly its secret variables.
     *
     * @param plan a backend's plan for {@link #request()}
     * @param placement where the backend says that a node runs
     */
    public void check(JobPlan plan, Placement placement) {
        checkLaunch();
        Launch launch = launch();
        for (int rank = 0; rank < launch.numNodes(); rank++) {
            NodeLaunch node = launch.node(rank, placement);
            String step = "node-" + rank;
            JobPlan.PlannedStep planned = plan.steps().stream()
                    .filter(candidate -> candidate.name().equals(step))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("the plan of " + name + " has no " + step));
            assertThat(planned.command()).as("command of %s of %s", step, name).isEqualTo(node.command());
            assertThat(planned.env()).as("environment of %s of %s", step, name).containsAllEntriesOf(node.env());
            assertThat(planned.secretEnv())
                    .as("secret variables of %s of %s", step, name)
                    .isEqualTo(node.secretEnv().keySet());
            assertThat(planned.files())
                    .as("files of %s of %s", step, name)
                    .containsAll(node.files().stream().map(LaunchFile::path).toList());
        }
    }

    /** Fails unless the launch that all backends take from api is that of the golden file. */
    void checkLaunch() {
        assertThat(render()).as(name + ".txt").isEqualTo(text());
    }

    private Launch launch() {
        return Launch.of(request, runtime(), Map.of());
    }

    private TrainingRuntime runtime() {
        return request.runtime().flatMap(reference -> reference.value()).orElseThrow();
    }

    private String render() {
        Placement placeholders = new Placement(
                "${job}",
                "${workspace}",
                "${python}",
                "${java}",
                ":",
                (Path entry) -> "${class path entry " + entry.getFileName() + "}",
                "${master}",
                Integer.MAX_VALUE);
        Launch launch = launch();
        StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < launch.numNodes(); rank++) {
            NodeLaunch node = launch.node(rank, placeholders);
            text.append("node-").append(rank).append('\n');
            node.files()
                    .forEach(file ->
                            line(text, "file", Json.write(file.path()) + " holds " + Json.write(file.content())));
            lines(text, "install", node.install());
            lines(text, "command", node.command());
            node.env().forEach((variable, value) -> line(text, "env", variable + "=" + Json.write(value)));
            node.secretEnv().keySet().forEach(variable -> line(text, "secret", variable));
        }
        return text.toString().replace(Integer.toString(Integer.MAX_VALUE), "${port}");
    }

    private static void lines(StringBuilder text, String kind, List<String> values) {
        values.forEach(value -> line(text, kind, Json.write(value)));
    }

    private static void line(StringBuilder text, String kind, String value) {
        text.append("  ").append(kind).append(' ').append(value).append('\n');
    }

    /** Returns the name of the golden file. */
    @Override
    public String toString() {
        return name;
    }
}
