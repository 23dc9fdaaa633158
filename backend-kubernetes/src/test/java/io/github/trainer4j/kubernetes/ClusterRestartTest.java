package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.testkit.RequiresEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a wait and of a followed log when a part of the cluster is killed and comes back. */
@RequiresEngine(
        value = {"TRAINER4J_TEST_KUBECONFIG", "TRAINER4J_TEST_KUBE_NAMESPACE", "TRAINER4J_TEST_CLUSTER"},
        alone = true)
@Timeout(300)
class ClusterRestartTest {
    private static final int LINES = 150;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"kube-apiserver", "kubelet"})
    void aJobGoesOnAndNoLineOfItIsLost(String program) throws Exception {
        String name = JobName.generate();
        List<String> lines = new CopyOnWriteArrayList<>();
        CountDownLatch begun = new CountDownLatch(10);
        try (Backend backend = Backends.of(
                Map.of(
                        "kubeconfig",
                        System.getenv("TRAINER4J_TEST_KUBECONFIG"),
                        "namespace",
                        System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE")),
                directory,
                Map.of())) {
            backend.train(
                    TrainJobRequest.builder()
                            .name(name)
                            .runtime("trainer4j-plain")
                            .trainer(CommandTrainer.of(
                                    "sh", "-c", "for i in $(seq " + LINES + "); do echo line $i; sleep 0.1; done"))
                            .build(),
                    ProgressListener.none());
            try {
                CompletableFuture<TrainJob> over = CompletableFuture.supplyAsync(() -> over(backend, name));
                CompletableFuture<Void> following = CompletableFuture.runAsync(() -> follow(backend, name, line -> {
                    lines.add(line.text());
                    begun.countDown();
                }));
                assertThat(begun.await(2, TimeUnit.MINUTES)).isTrue();

                restart(program);

                TrainJob job = over.get(2, TimeUnit.MINUTES);
                assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.COMPLETE);
                following.get(1, TimeUnit.MINUTES);
                assertThat(lines)
                        .containsExactlyElementsOf(IntStream.rangeClosed(1, LINES)
                                .mapToObj(i -> "line " + i)
                                .toList());
            } finally {
                backend.delete(name);
            }
        }
    }

    private static TrainJob over(Backend backend, String name) {
        try {
            return Jobs.over(backend, name);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void follow(Backend backend, String name, Consumer<LogLine> action) {
        try (LogStream log = backend.logs(name, LogQuery.all().following())) {
            log.forEach(action);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void restart(String program) throws Exception {
        Process process = new ProcessBuilder(System.getenv("TRAINER4J_TEST_CLUSTER"), "restart", program, "KILL")
                .inheritIO()
                .start();
        assertThat(process.waitFor()).as("restarting").isZero();
    }
}
