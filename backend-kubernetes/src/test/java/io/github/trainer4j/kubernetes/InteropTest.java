package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.testkit.KubeflowPeer;
import io.github.trainer4j.testkit.RequiresEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of ours as Kubeflow's Python SDK and kubectl see them, and theirs as we do, on a real cluster. */
@RequiresEngine({
    "TRAINER4J_TEST_KUBECONFIG",
    "TRAINER4J_TEST_KUBE_NAMESPACE",
    "TRAINER4J_TEST_KUBECTL",
    KubeflowPeer.PYTHON
})
@Timeout(300)
class InteropTest {
    private static final String RUNTIME = "trainer4j-plain";

    @TempDir
    private Path directory;

    private final String name = JobName.generate();
    private Backend backend;

    @BeforeEach
    void open() {
        backend = Backends.of(
                Map.of("kubeconfig", System.getenv("TRAINER4J_TEST_KUBECONFIG"), "namespace", namespace()),
                directory,
                Map.of());
    }

    @AfterEach
    void close() throws InterruptedException {
        try {
            backend.delete(name);
        } catch (JobNotFoundException e) {
            // The test has deleted it.
        }
        backend.close();
    }

    private static String namespace() {
        return System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE");
    }

    private KubeflowPeer peer() throws Exception {
        return KubeflowPeer.start(
                directory,
                ProcessBuilder.Redirect.INHERIT,
                Path.of("src/test/python/cluster_peer.py"),
                System.getenv("TRAINER4J_TEST_KUBECONFIG"),
                namespace());
    }

    @Test
    void aJobOfTheSdkIsReadFollowedAwaitedAndDeleted() throws Exception {
        try (KubeflowPeer peer = peer()) {
            peer.train(name, Map.of("runtime", RUNTIME, "image", "trainer4j-test/torch:1"));

            assertThat(backend.list()).extracting(TrainJob::name).contains(name);
            assertThat(Jobs.lines(backend, name, LogQuery.step("node-0").following()))
                    .containsExactly("hello 0", "hello 1", "hello 2");
            TrainJob job = Jobs.over(backend, name);
            assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.COMPLETE);
            assertThat(job.runtime()).hasValue(RUNTIME);
            assertThat(job.steps()).singleElement().satisfies(step -> {
                assertThat(step.name()).isEqualTo("node-0");
                assertThat(step.exitCode()).hasValue(0);
            });
            assertThat(backend.list()).contains(job);
            assertThat(Jobs.lines(backend, name, LogQuery.all())).containsExactly("hello 0", "hello 1", "hello 2");
            assertThat(backend.events(name)).isNotEmpty();
            backend.delete(name);
            assertThat(peer.list()).extracting(KubeflowPeer.Job::name).doesNotContain(name);
        }
    }

    @Test
    void theSdkReadsAwaitsAndDeletesAJobOfOurs() throws Exception {
        backend.train(
                TrainJobRequest.builder()
                        .name(name)
                        .runtime(RUNTIME)
                        .trainer(CommandTrainer.of("sh", "-c", "echo hello; sleep 1; echo bye")
                                .secretEnv("TOKEN", Secret.of("geheim"))
                                .numNodes(2))
                        .build(),
                ProgressListener.none());
        try (KubeflowPeer peer = peer()) {
            assertThat(peer.get(name).runtime()).isEqualTo(RUNTIME);
            KubeflowPeer.Job job = peer.await(name, "Complete");
            assertThat(job.numNodes()).isEqualTo(2);
            assertThat(job.steps().keySet()).containsExactlyInAnyOrder("node-0", "node-1");
            assertThat(peer.list()).extracting(KubeflowPeer.Job::name).contains(name);
            assertThat(peer.logs(name, "node-0")).containsExactly("hello", "bye");
            peer.delete(name);
        }
        while (!Kubectl.in(namespace(), "get", "trainjob,secret", "-o", "name")
                .lines()
                .allMatch(this::isOther)) {
            Thread.sleep(200);
        }
        assertThatThrownBy(() -> backend.get(name)).isInstanceOf(JobNotFoundException.class);
    }

    private boolean isOther(String resource) {
        return !resource.contains(name);
    }

    @Test
    void aJobOfKubectlIsReadAndDeleted() throws Exception {
        Kubectl.apply(namespace(), """
                apiVersion: trainer.kubeflow.org/v1alpha1
                kind: TrainJob
                metadata: {name: %s, labels: {team: vision}}
                spec:
                  runtimeRef: {name: trainer4j-plain}
                  trainer: {command: [sh, -c, "echo by hand"]}
                """.formatted(name));

        TrainJob job = Jobs.over(backend, name);

        assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.COMPLETE);
        assertThat(job.labels()).containsEntry("team", "vision");
        assertThat(job.numNodes()).isEqualTo(1);
        assertThat(Jobs.lines(backend, name, LogQuery.all())).isEqualTo(List.of("by hand"));
        backend.delete(name);
        assertThat(Kubectl.in(namespace(), "get", "trainjobs,jobsets,jobs,pods", "-o", "name"))
                .doesNotContain(name);
    }
}
