package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.testkit.RequiresEngine;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The way of a job on a real cluster with Kubeflow Trainer, from train() to delete(). */
@RequiresEngine("TRAINER4J_TEST_KUBECONFIG")
@Timeout(300)
class ClusterJobsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<String> jobs = new ArrayList<>();

    @TempDir
    private Path directory;

    private Backend backend;

    @BeforeEach
    void open() {
        Settings settings = Settings.of(Map.of(
                "kubernetes.kubeconfig", System.getenv("TRAINER4J_TEST_KUBECONFIG"),
                "kubernetes.namespace", System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE")));
        backend = new KubernetesBackendProvider()
                .create(
                        settings.under("kubernetes"),
                        new BackendContext(
                                directory, directory, Map.of(), Clock.systemUTC(), new NoRuntimes(), spec -> {
                                    throw new InvalidJobException("no initializer for " + spec.storageUri());
                                }));
        settings.check();
    }

    @AfterEach
    void close() throws InterruptedException {
        for (String job : jobs) {
            try {
                backend.delete(job);
            } catch (JobNotFoundException e) {
                // The test has deleted it, or it was refused.
            }
        }
        backend.close();
    }

    @Test
    void aJobRunsAndIsReadAndDeleted() throws InterruptedException {
        TrainJob job = train(job("trainer4j-plain")
                .label("team", "vision")
                .trainer(CommandTrainer.of("sh", "-c", "echo hello $GREETED; echo $TOKEN | wc -c")
                        .env("GREETED", "world $(HOME)")
                        .secretEnv("TOKEN", Secret.of("geheim"))
                        .numNodes(2)));

        assertThat(job.status()).isEqualTo(JobStatus.CREATED);
        TrainJob over = await(job.name(), now -> now.status().isFinal());
        assertThat(over.status()).as(over.toString()).isEqualTo(JobStatus.COMPLETE);
        assertThat(over.labels()).containsEntry("team", "vision");
        assertThat(over.steps()).extracting(Step::name).containsExactly("node-0", "node-1");
        assertThat(over.steps()).allSatisfy(step -> assertThat(step.exitCode()).hasValue(0));
        assertThat(lines(job.name(), LogQuery.step("node-1"))).containsExactly("hello world $(HOME)", "7");
        assertThat(backend.list()).contains(over);
        assertThat(backend.events(job.name())).extracting(Event::reason).contains("Scheduled", "Started");
        backend.delete(job.name());
        assertThatThrownBy(() -> backend.get(job.name())).isInstanceOf(JobNotFoundException.class);
    }

    @Test
    void aScriptIsMountedAndNodesReduceWithGloo() throws InterruptedException {
        String script = """
                import torch, torch.distributed as dist
                dist.init_process_group('gloo')
                t = torch.ones(1) * (dist.get_rank() + 1)
                dist.all_reduce(t)
                print('rank', dist.get_rank(), 'sum', int(t.item()), '\\u00e9 $HOME "quoted"')
                """;
        TrainJob job = train(job("trainer4j-torch")
                .trainer(CustomTrainer.source("train.py", script).numNodes(2).resources(r -> r.cpu(1))));

        List<String> followed = lines(job.name(), LogQuery.all().following());
        TrainJob over = backend.get(job.name());
        assertThat(over.status()).as(over.toString() + followed).isEqualTo(JobStatus.COMPLETE);
        assertThat(followed).contains("rank 0 sum 3 \u00e9 $HOME \"quoted\"", "rank 1 sum 3 \u00e9 $HOME \"quoted\"");
    }

    @Test
    void aFailingNodeIsToldAndWatchersAreCalled() throws Exception {
        Semaphore calls = new Semaphore(0);
        TrainJob job = train(job("trainer4j-plain").trainer(CommandTrainer.of("sh", "-c", "echo last words; exit 7")));
        try (AutoCloseable watch = backend.watch(job.name(), calls::release)) {
            TrainJob over = await(job.name(), now -> now.status().isFinal());

            assertThat(over.status()).isEqualTo(JobStatus.FAILED);
            assertThat(over.failure().orElseThrow().step()).hasValue("node-0");
            assertThat(over.failure().orElseThrow().exitCode()).hasValue(7);
            assertThat(over.failure().orElseThrow().message()).contains("exited with 7");
            assertThat(lines(job.name(), LogQuery.all())).containsExactly("last words");
            assertThat(calls.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatCannotBeIsRefusedAndNothingIsLeft() throws InterruptedException {
        assertThatThrownBy(() -> train(job("no-such-runtime").trainer(CommandTrainer.of("true"))))
                .isInstanceOf(RuntimeNotFoundException.class);
        TrainJobRequest once =
                job("trainer4j-plain").trainer(CommandTrainer.of("true")).build();
        backend.train(once, ProgressListener.none());
        assertThatThrownBy(() -> backend.train(once, ProgressListener.none()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("there is a job '" + once.name().orElseThrow() + "' already");
    }

    private TrainJobRequest.Builder job(String runtime) {
        String name = JobName.generate();
        jobs.add(name);
        return TrainJobRequest.builder().name(name).runtime(runtime);
    }

    private TrainJob train(TrainJobRequest.Builder request) {
        return backend.train(request.build(), ProgressListener.none());
    }

    private TrainJob await(String name, Predicate<TrainJob> reached) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        TrainJob job = backend.get(name);
        while (!reached.test(job)) {
            assertThat(System.nanoTime()).as("too long: " + job).isLessThan(end);
            Thread.sleep(100);
            job = backend.get(name);
        }
        return job;
    }

    private List<String> lines(String name, LogQuery query) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        try (LogStream stream = backend.logs(name, query)) {
            stream.forEach((LogLine line) -> lines.add(line.text()));
        }
        return lines;
    }

    private static final class NoRuntimes implements RuntimeCatalog {
        @Override
        public List<TrainingRuntime> list() {
            return List.of();
        }

        @Override
        public TrainingRuntime get(String name) {
            throw new RuntimeNotFoundException(name, List.of());
        }

        @Override
        public String defaultName() {
            return "torch-distributed";
        }
    }
}
