package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.testkit.KubeflowPeer;
import io.github.trainer4j.testkit.KubeflowPeer.Job;
import io.github.trainer4j.testkit.KubeflowPeer.PeerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs of ours as Kubeflow's Python SDK sees them, and the other way round, on one engine and for one user. */
@Timeout(300)
abstract class KubeflowTests {
    private static final String RUNTIME = "torch-distributed";

    private final BackendProvider provider;
    private final String variable;
    private Lab lab;
    private Path said;
    private KubeflowPeer peer;

    KubeflowTests(BackendProvider provider, String variable) {
        this.provider = provider;
        this.variable = variable;
    }

    @BeforeEach
    void open() throws IOException {
        lab = new Lab(provider, System.getenv(variable));
        // As for a user who configures nothing: the SDK's directory is this one, too.
        Path home = lab.work().resolve("peer");
        Files.createDirectories(home.resolve(".kubeflow"));
        Files.createDirectories(lab.work().resolve("state"));
        Files.createSymbolicLink(home.resolve(".kubeflow/trainer"), lab.work().resolve("state"));
        said = Files.createFile(lab.work().resolve("peer-said"));
        peer = KubeflowPeer.start(
                home,
                ProcessBuilder.Redirect.to(said.toFile()),
                Path.of("src/test/python/engine_peer.py"),
                provider.name(),
                lab.host());
    }

    @AfterEach
    void close() throws IOException {
        peer.close();
        String text = Files.readString(said);
        lab.close();
        assertThat(text).as("what the SDK said").isEmpty();
    }

    @Test
    void theSdkReadsAndDeletesAJobOfOurs() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        TrainJobRequest request = lab.job()
                .runtime(RUNTIME)
                .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/ok")))
                .model(Lab.fetch(InitializerSpec.model("hf://test/ok")))
                .trainer(untilTold().numNodes(2))
                .build();
        String name = lab.start(backend, request).name();
        TrainJob running = lab.await(backend, name, job -> job.status() == JobStatus.RUNNING);
        Job seen = peer.get(name);
        assertThat(seen.status()).isEqualTo("Running");
        assertThat(seen.runtime()).isEqualTo(RUNTIME);
        assertThat(seen.numNodes()).isEqualTo(2);
        assertThat(seen.steps()).isEqualTo(steps(running));
        assertThat(peer.list()).contains(seen);

        Files.createFile(running.workspace().orElseThrow().resolve("go"));
        assertThat(peer.await(name, "Complete").steps())
                .containsValues("Complete")
                .hasSize(4);
        Lab.isComplete(lab.over(backend, name));
        assertThat(peer.logs(name, "node-1")).containsExactly("hello", "bye");
        assertThat(peer.logs(name, "dataset-initializer")).contains("dataset: done");

        peer.delete(name);
        assertThatThrownBy(() -> backend.get(name)).isInstanceOf(JobNotFoundException.class);
        assertThat(Engines.traces(lab.host(), name)).isEmpty();
        Lab.isComplete(lab.run(
                backend, lab.job(name).trainer(CommandTrainer.of("true")).build()));
    }

    @Test
    void initializersThatRunAreSeenFromEitherSide() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        String ours = JobName.generate();
        lab.start(
                backend,
                lab.job(ours)
                        .runtime(RUNTIME)
                        .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/hang")))
                        .trainer(untilTold())
                        .build());
        lab.await(
                backend,
                ours,
                job -> status(job, "dataset-initializer") == JobStatus.RUNNING
                        && peer.list().stream()
                                .anyMatch(seen ->
                                        seen.name().equals(ours) && seen.steps().containsKey("node-0")));
        assertThat(peer.get(ours).steps()).isEqualTo(Map.of("dataset-initializer", "Running", "node-0", "Created"));

        String theirs = JobName.generate();
        lab.adopt(theirs);
        CompletableFuture<Void> training = CompletableFuture.runAsync(
                () -> peer.train(theirs, Map.of("function", "greet", "dataset", "hf://test/hang")));
        while (backend.list().stream()
                .noneMatch(
                        job -> job.name().equals(theirs) && status(job, "dataset-initializer") == JobStatus.RUNNING)) {
            assertThat(training).isNotDone();
            Thread.sleep(50);
        }
        assertThat(backend.get(theirs).status()).isEqualTo(JobStatus.CREATED);
        backend.delete(theirs);
        assertThatThrownBy(() -> training.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(PeerException.class);
        assertThat(Engines.traces(lab.host(), theirs)).isEmpty();
    }

    @Test
    void theSdkTellsHowAJobOfOursFailed() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        String name = lab.run(
                        backend,
                        lab.job()
                                .runtime(RUNTIME)
                                .trainer(CommandTrainer.of("sh", "-c", "echo alas; exit 3"))
                                .build())
                .name();

        assertThat(peer.get(name).status()).isEqualTo("Failed");
        assertThatThrownBy(() -> peer.await(name, "Complete"))
                .isInstanceOf(PeerException.class)
                .hasMessageContaining("node-0: status=exited, exit_code=3");
        assertThat(peer.logs(name, "node-0")).containsExactly("alas");
    }

    @Test
    void aJobOfTheSdkIsReadFollowedAndDeleted() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        String name = JobName.generate();
        lab.adopt(name);
        peer.train(name, Map.of("function", "greet", "dataset", "hf://test/ok", "model", "hf://test/ok"));

        TrainJob running = backend.get(name);
        assertThat(running.status()).isEqualTo(JobStatus.RUNNING);
        assertThat(running.runtime()).hasValue(RUNTIME);
        assertThat(running.numNodes()).isEqualTo(1);
        assertThat(steps(running)).isEqualTo(peer.get(name).steps());
        assertThat(running.steps().get(0).startTime()).isPresent();
        assertThat(backend.list()).extracting(TrainJob::name).contains(name);
        assertThatThrownBy(() -> lab.start(
                        backend,
                        lab.job(name).trainer(CommandTrainer.of("true")).build()))
                .isInstanceOf(InvalidJobException.class);

        Path workspace = running.workspace().orElseThrow();
        List<String> followed = new ArrayList<>();
        CountDownLatch changed = new CountDownLatch(1);
        try (LogStream log = backend.logs(name, LogQuery.step("node-0").following());
                AutoCloseable watch = backend.watch(name, () -> {
                    if (backend.get(name).status() == JobStatus.COMPLETE) {
                        changed.countDown();
                    }
                })) {
            followed.add(log.next().orElseThrow().text());
            Files.createFile(workspace.resolve("go"));
            log.forEach((LogLine line) -> followed.add(line.text()));
            assertThat(changed.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(watch).isNotNull();
        }
        assertThat(followed).containsExactly("hello, the dataset is there", "bye");
        TrainJob over = backend.get(name);
        Lab.isComplete(over);
        assertThat(over.steps().get(0).exitCode()).hasValue(0);
        assertThat(over.steps().get(0).endTime()).isPresent();
        assertThat(Lab.lines(backend, name, LogQuery.all())).isEqualTo(followed);
        assertThat(Lab.lines(backend, name, LogQuery.all().tail(1))).containsExactly("bye");
        assertThat(backend.events(name)).extracting(Event::reason).containsExactly("Created", "Started", "Exited");

        backend.delete(name);
        assertThat(Engines.traces(lab.host(), name)).isEmpty();
        assertThat(workspace).doesNotExist();
        assertThat(peer.list()).extracting(Job::name).doesNotContain(name);
    }

    @Test
    void aJobOfTheSdkThatFailedTellsWhy() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        String name = JobName.generate();
        lab.adopt(name);
        peer.train(name, Map.of("function", "fail"));
        TrainJob job = lab.over(backend, name);

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        Failure failure = job.failure().orElseThrow();
        assertThat(failure.step()).hasValue("node-0");
        assertThat(failure.exitCode()).hasValue(3);
        assertThat(failure.logTail()).containsExactly("about to fail");
        assertThat(Lab.log(backend, name, "node-0")).containsExactly("about to fail");
    }

    private static JobStatus status(TrainJob job, String step) {
        return job.step(step).map(Step::status).orElse(JobStatus.UNKNOWN);
    }

    private static Map<String, String> steps(TrainJob job) {
        Map<String, String> steps = new java.util.TreeMap<>();
        job.steps().forEach(step -> steps.put(step.name(), name(step.status())));
        return steps;
    }

    private static String name(JobStatus status) {
        return status.name().charAt(0) + status.name().substring(1).toLowerCase(java.util.Locale.ROOT);
    }

    private static CommandTrainer untilTold() {
        return CommandTrainer.of("sh", "-c", "echo hello; while [ ! -e /workspace/go ]; do sleep 0.1; done; echo bye");
    }
}
