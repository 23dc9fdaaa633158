package io.github.trainer4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.client.trainjob.TrainJobs;
import io.github.trainer4j.testkit.hub.FakeHub;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MoreCommandsTest {
    private Trial trial;
    private Path directory;

    @BeforeEach
    void begin(@TempDir Path directory) {
        this.directory = directory;
        trial = new Trial(directory);
    }

    @Test
    void runtimesAreShown() {
        assertThat(trial.run("runtimes").out()).containsPattern("torch-distributed +torch +1\n");
        assertThat(trial.run("runtimes", "-o", "wide").out()).contains("ClusterTrainingRuntime", "built-in");
        assertThat(trial.run("runtimes", "torch-distributed", "-o", "json").out())
                .contains("\"framework\": \"torch\"");
        assertThat(trial.run("runtimes", "torch-distribute").code()).isEqualTo(5);
    }

    @Test
    void everyProviderIsShownWithItsJar() {
        Trial.Result result = trial.without("TRAINER4J_BACKEND").run("backends", "-o", "json");
        assertThat(result.code()).isZero();
        List<?> items = (List<?>) Json.parseObject(result.out()).get("items");
        assertThat(items.toString()).contains("name=local, usable=true", "name=docker", "name=kubernetes", "name=hf");
    }

    @Test
    void theConfigurationIsShownWithItsSources() {
        trial.file("trainer4j.yaml", "local:\n  strict: true\ndocker:\n  registry-password: hidden-value\n");
        Trial.Result result = trial.run("config", "--set", "default-runtime=mine");
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out())
                .containsPattern("local.strict +true +./trainer4j.yaml line 2")
                .containsPattern("default-runtime +mine +command line")
                .containsPattern("backend +local +environment variable TRAINER4J_BACKEND")
                .containsPattern("runtimes.timeout +PT10S +default")
                .doesNotContain("hidden-value");
        assertThat(trial.run("config", "--set", "nope=1"))
                .satisfies(wrong -> assertThat(wrong.code()).isEqualTo(2))
                .satisfies(wrong -> assertThat(wrong.out()).contains("default-runtime"));
    }

    @Test
    void shellsAreTaughtToComplete() {
        assertThat(trial.run("completion", "bash").out())
                .startsWith("#!/usr/bin/env bash")
                .contains("--secret-env");
        assertThat(trial.run("completion", "zsh").code()).isZero();
        assertThat(trial.run("completion", "fish").code()).isEqualTo(2);
    }

    @Test
    void aDryRunStartsNothing() {
        String[] job = {"train", "--name", "led", "--env", "A=b", "--label", "team=vision", "--nodes", "2", "--", "true"
        };
        assertThat(trial.run(with(job, "--dry-run")).out())
                .contains("job led on backend local, runtime torch-distributed", "node-1", "A=b");
        String yaml = trial.run(with(job, "--dry-run=yaml")).out();
        assertThat(TrainJobs.read(yaml, "f")).singleElement().satisfies(read -> {
            assertThat(read.name()).contains("led");
            assertThat(read.nodes().numNodes()).hasValue(2);
            assertThat(read.labels()).containsEntry("team", "vision");
        });
        assertThat(trial.run("list").err()).isEqualTo("No jobs.\n");
    }

    private static String[] with(String[] job, String option) {
        String[] more = new String[job.length + 1];
        more[0] = job[0];
        more[1] = option;
        System.arraycopy(job, 1, more, 2, job.length - 1);
        return more;
    }

    @Test
    void whatABackendCannotDoIsRefusedWithThePathOfTheField() {
        String job = """
                apiVersion: trainer.kubeflow.org/v1alpha1
                kind: TrainJob
                metadata: {name: led}
                spec:
                  runtimeRef: {name: torch-distributed}
                  trainer: {command: ["true"], %s}
                """;
        trial.file("image.yaml", job.formatted("image: busybox"));
        trial.file("hca.yaml", job.formatted("resourcesPerNode: {limits: {rdma/hca: 1, cpu: 1}}"));
        trial.file("secret.yaml", job.formatted("env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]"));
        trial.file("suspend.yaml", job.formatted("numNodes: 1") + "  suspend: true\n");
        assertThat(trial.run("train", "-f", "image.yaml").err())
                .contains("spec.trainer.image: ", "use backend docker, podman or kubernetes");
        assertThat(trial.run("train", "-f", "hca.yaml").err())
                .contains("spec.trainer.resourcesPerNode.limits[\"rdma/hca\"]: ", "use backend kubernetes");
        assertThat(trial.run("train", "-f", "secret.yaml").err())
                .contains("spec.trainer.env[name=\"A\"].valueFrom.secretKeyRef: ", "use backend kubernetes");
        assertThat(trial.run("train", "-f", "suspend.yaml"))
                .satisfies(result -> assertThat(result.code()).isEqualTo(2))
                .satisfies(result -> assertThat(result.err()).contains("spec.suspend"));
    }

    @Test
    void allThatOnlyAClusterCanHonourOfAJobAndItsRuntimeIsNamedAtOnce() {
        trial.file("job.yaml", """
                apiVersion: trainer.kubeflow.org/v1alpha1
                kind: ClusterTrainingRuntime
                metadata: {name: mine, labels: {trainer.kubeflow.org/framework: plain}}
                spec:
                  template:
                    spec:
                      replicatedJobs:
                      - name: node
                        template:
                          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                          spec:
                            template:
                              spec:
                                nodeSelector: {disk: ssd}
                                containers: [{name: node, command: ["true"]}]
                ---
                apiVersion: trainer.kubeflow.org/v1alpha1
                kind: TrainJob
                metadata: {name: led}
                spec:
                  runtimeRef: {name: mine}
                  suspend: true
                  trainer: {env: [{name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}
                """);
        assertThat(trial.run("train", "-f", "job.yaml"))
                .satisfies(result -> assertThat(result.code()).isEqualTo(2))
                .satisfies(result -> assertThat(result.err())
                        .contains(
                                "backend local does not know the options ",
                                "spec.template.spec.replicatedJobs[name=\"node\"].template.spec.template.spec"
                                        + ".nodeSelector.disk of the runtime mine",
                                "spec.suspend",
                                "spec.trainer.env[name=\"POD\"].valueFrom.fieldRef"));
    }

    @Test
    void aNamespaceMeansNothingHereAndThatIsSaid() {
        trial.file("job.yaml", """
                apiVersion: trainer.kubeflow.org/v1alpha1
                kind: TrainJob
                metadata: {name: led, namespace: team}
                spec: {runtimeRef: {name: torch-distributed}, trainer: {command: ["true"]}}
                """);
        assertThat(trial.run("train", "-f", "job.yaml", "--wait"))
                .satisfies(result -> assertThat(result.code()).isZero())
                .satisfies(result -> assertThat(result.err())
                        .contains("Note: metadata.namespace (team) means nothing to backend local."));
    }

    @Test
    void oneInitializerFetchesByItself() throws Exception {
        try (FakeHub hub = FakeHub.start()) {
            hub.dataset("org/data").file("a.txt", "content");
            Trial.Result result = trial.run("fetch", "hf://org/data", "data", "--option", "endpoint=" + hub.endpoint());
            assertThat(result.code()).as(result.err()).isZero();
            assertThat(result.out()).isEqualTo("data\n");
            assertThat(result.err()).contains("dataset-initializer", "7 B/7 B");
        }
        assertThat(Files.readString(directory.resolve("data/a.txt"))).isEqualTo("content");
        assertThat(trial.run("fetch", "nope://a/b", "data").code()).isEqualTo(2);
        assertThat(trial.run("fetch", "hf://org/data", "data", "--option", "endpoint=http://127.0.0.1:1")
                        .code())
                .isEqualTo(1);
    }

    @Test
    void eventsAndDescriptionTellWhatHappened() {
        trial.run("train", "--name", "led", "--wait", "--", "false");
        assertThat(trial.run("events", "led", "-w").out()).contains("Created", "node-0: Started", "exited with 1");
        assertThat(trial.run("describe", "led").out())
                .contains("Status:      Failed", "Failure:", "node-0: ", "Events:");
        assertThat(trial.run("logs", "led", "-o", "json").code()).isZero();
    }
}
