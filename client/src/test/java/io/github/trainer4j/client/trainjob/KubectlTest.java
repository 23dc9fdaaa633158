package io.github.trainer4j.client.trainjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.testkit.RequiresEngine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks a real cluster what it thinks of the jobs; it makes none of them. */
@RequiresEngine({"TRAINER4J_TEST_KUBECONFIG", "TRAINER4J_TEST_KUBECTL", "TRAINER4J_TEST_KUBE_NAMESPACE"})
class KubectlTest {
    @Test
    void kubectlAppliesWhatIsWritten(@TempDir Path directory) throws Exception {
        List<TrainJobRequest> jobs = new ArrayList<>(JobSamples.all().values());
        jobs.add(JobSamples.container());
        Path file = Files.writeString(
                directory.resolve("jobs.yaml"), TrainJobs.write(jobs.toArray(TrainJobRequest[]::new)));

        assertThat(apply(file).lines())
                .hasSize(jobs.size())
                .allMatch(line -> line.startsWith("trainjob.trainer.kubeflow.org/t4j-")
                        && line.endsWith(" created (server dry run)"));
    }

    @Test
    void kubectlAppliesARuntimeThatIsWritten(@TempDir Path directory) throws Exception {
        // Its job would be refused, as a dry run makes no runtime that it could name.
        String runtime = TrainJobs.write(JobSamples.withRuntime()).split("---\n", -1)[0];
        Path file = Files.writeString(directory.resolve("runtime.yaml"), runtime);

        assertThat(apply(file)).contains("trainingruntime.trainer.kubeflow.org/mine created (server dry run)");
    }

    private static String apply(Path file) throws Exception {
        Process kubectl = new ProcessBuilder(
                        System.getenv("TRAINER4J_TEST_KUBECTL"),
                        "--kubeconfig",
                        System.getenv("TRAINER4J_TEST_KUBECONFIG"),
                        "--namespace",
                        System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE"),
                        "apply",
                        "--dry-run=server",
                        "--filename",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(kubectl.waitFor()).as(output).isZero();
        return output;
    }
}
