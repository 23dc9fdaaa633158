package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.testkit.RequiresEngine;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of jobs whose engine dies and comes back. The engine with TLS is the one that is restarted. */
@Timeout(300)
@RequiresEngine(value = "TRAINER4J_TEST_DOCKER_TLS", alone = true)
class EngineRestartTest {
    private static final String HOST = "TRAINER4J_TEST_DOCKER_TLS";

    private Lab lab;
    private EngineProxy proxy;

    @BeforeEach
    void open() throws IOException {
        proxy = new EngineProxy(new EngineAddress(
                URI.create(System.getenv(HOST)), Optional.of(Path.of(System.getenv(HOST + "_CERTS"))), "test"));
        lab = new Lab(new DockerBackendProvider(), proxy.host());
    }

    @AfterEach
    void close() throws IOException {
        lab.close();
        proxy.close();
    }

    private static CompletableFuture<Integer> restart() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return new ProcessBuilder("../.ci/engines", "restart", "tls", "KILL")
                        .inheritIO()
                        .start()
                        .waitFor();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Looks at a job all the time while its engine dies and comes back, until it is over. */
    private TrainJob overAfterRestart(ContainerBackend backend, String name) throws InterruptedException {
        CompletableFuture<Integer> restart = restart();
        boolean lost = false;
        TrainJob job = null;
        while (!restart.isDone() || job == null || !job.status().isFinal()) {
            try {
                job = backend.get(name);
                assertThat(job.status()).isNotEqualTo(JobStatus.COMPLETE);
            } catch (BackendUnavailableException e) {
                lost = true;
            }
            Thread.sleep(50);
        }
        assertThat(restart.join()).as("restarting").isZero();
        assertThat(lost).as("nobody noticed that the engine was away").isTrue();
        return job;
    }

    @Test
    void aRunningJobWhoseEngineDiesAndComesBackIsToldAsItIsAndNeverComplete() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        String name = lab.start(backend, lab.job().trainer(OtherClient.nodes()).build())
                .name();
        lab.await(backend, name, job -> job.status() == JobStatus.RUNNING);

        TrainJob job = overAfterRestart(backend, name);

        Failure failure = job.failure().orElseThrow();
        assertThat(failure.reason()).isEqualTo("ExitCode");
        assertThat(failure.message()).contains("its engine was restarted");
        assertThat(job.steps()).extracting(step -> step.exitCode().orElse(0)).doesNotContain(0);
    }

    @Test
    void anInitializerWhoseEngineDiesAndComesBackIsWaitedFor() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        String name = lab.start(
                        backend,
                        lab.job()
                                .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/sleep-600")))
                                .trainer(OtherClient.nodes())
                                .build())
                .name();
        // Nodes are made meanwhile; one that is on its way when the engine dies would be what failed.
        lab.await(
                backend,
                name,
                job -> job.step("dataset-initializer").orElseThrow().status() == JobStatus.RUNNING
                        && job.steps().stream().allMatch(step -> step.instance().isPresent()));

        TrainJob job = overAfterRestart(backend, name);

        Failure failure = job.failure().orElseThrow();
        assertThat(failure.step()).hasValue("dataset-initializer");
        assertThat(failure.message()).contains("its engine was restarted");
        assertThat(failure.logTail()).as("the log outlives the restart").isNotEmpty();
    }
}
