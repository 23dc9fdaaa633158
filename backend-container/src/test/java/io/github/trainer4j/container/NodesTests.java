package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.BackendProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What nodes are like on a real engine: what they are given, how they meet, how they end. */
@Timeout(600)
abstract class NodesTests extends LabTests {
    NodesTests(BackendProvider provider, String variable) {
        super(provider, variable);
    }

    @Test
    void anImageWithoutAShellRunsACommand() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(CommandTrainer.of("/noshell", "a b", "exit=3").image("trainer4j-test/noshell:1"))
                        .build());

        assertThat(job.failure().orElseThrow().exitCode()).hasValue(3);
        assertThat(String.join("\n", Lab.log(backend, job.name(), "node-0"))).contains("a b");
    }

    @Test
    void anImageThatIsRunAsItIsKeepsItsEntryPoint() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(CustomTrainerContainer.of("trainer4j-test/noshell:1"))
                        .build());

        Lab.isComplete(job);
        assertThat(String.join("\n", Lab.log(backend, job.name(), "node-0"))).contains("/noshell");
    }

    @Test
    void anImageThatMayNotBePulledFailsTheJob() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of("image-pull-policy", "never"));
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(CommandTrainer.of("true").image("trainer4j-test/nowhere:1"))
                        .build());

        assertThat(job.failure().orElseThrow().reason()).isEqualTo("ErrImageNeverPull");
    }

    @Test
    void limitsHoldAndAreTold() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(
                                sh("cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null || cat /sys/fs/cgroup/memory.max;"
                                                + " df -k /dev/shm | tail -1")
                                        .resources(r -> r.cpu(1).memory("64Mi").shm("32Mi")))
                        .build());

        Lab.isComplete(job);
        List<String> lines = Lab.log(backend, job.name(), "node-0");
        assertThat(lines.get(0)).isEqualTo(Long.toString(64L << 20));
        assertThat(lines.get(1)).contains(Long.toString(32L << 10));
        assertThat(job.steps().get(0).device()).hasValue("cpu");
    }

    @Test
    void runningOutOfMemoryIsToldAsSuch() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(sh("x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}")
                                .resources(r -> r.memory("64Mi")))
                        .build());

        Failure failure = job.failure().orElseThrow();
        assertThat(failure.reason()).isEqualTo("OOMKilled");
        assertThat(failure.exitCode()).hasValue(137);
        assertThat(failure.message()).contains("memory");
        List<Event> events = backend.events(job.name());
        assertThat(events).extracting(Event::reason).containsExactly("Created", "Started", "OOMKilled", "Exited");
        assertThat(events).extracting(Event::time).isSorted();
    }

    @Test
    void anyUserOnAFileSystemThatCannotBeWrittenRunsAScript() throws InterruptedException {
        ContainerBackend backend =
                lab.backend(Map.of("user", "12345:12345", "read-only", "true", "env.HOME", "/nonexistent"));
        String script = """
                import os
                print(os.getuid())
                open('/workspace/result', 'w').write('x')
                open('/tmp/scratch', 'w').write('x')
                try:
                    open('/etc/x', 'w')
                except OSError as e:
                    print('refused')
                """;
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(CustomTrainer.source("train.py", script).image(Engines.TORCH))
                        .build());

        Lab.isComplete(job);
        assertThat(Lab.log(backend, job.name(), "node-0")).containsExactly("12345", "refused");
        assertThat(job.workspace().orElseThrow().resolve("result")).hasContent("x");
    }

    @Test
    void aJvmFindsTheClassPathOfThisMachine() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        Path classes = Path.of(JvmMain.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(JavaTrainer.mainClass(JvmMain.class.getName())
                                .classPath(classes)
                                .args("one two", "three")
                                .image("trainer4j-test/jvm:1"))
                        .build());

        Lab.isComplete(job);
        assertThat(Lab.log(backend, job.name(), "node-0")).containsExactly("one two|three");
    }

    @Test
    void nodesOfAJobWithTheLongestNameFindOneAnother() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        String name = JobName.generate() + "-" + "x".repeat(50);
        TrainJob job = lab.run(
                backend,
                lab.job(name)
                        .runtime("torch")
                        .trainer(sh("if [ $PET_NODE_RANK = 0 ]; then until [ -e /workspace/found ]; do sleep 0.2; done;"
                                        + " else ping -c 1 $PET_MASTER_ADDR && echo found && touch /workspace/found; fi")
                                .numNodes(2))
                        .build());

        Lab.isComplete(job);
        assertThat(name).hasSize(63);
        assertThat(Lab.log(backend, name, "node-1")).contains("found");
    }

    @Test
    void sixteenNodesReduceWithGloo() throws InterruptedException {
        int nodes = 16;
        ContainerBackend backend = lab.backend(Map.of());
        String script = """
                import torch, torch.distributed as dist
                dist.init_process_group('gloo')
                t = torch.ones(1) * (dist.get_rank() + 1)
                dist.all_reduce(t)
                print('rank', dist.get_rank(), 'of', dist.get_world_size(), 'sum', int(t.item()))
                """;
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .runtime("torch")
                        .trainer(CustomTrainer.source("train.py", script)
                                .image(Engines.TORCH)
                                .numNodes(nodes))
                        .build());

        Lab.isComplete(job);
        int sum = nodes * (nodes + 1) / 2;
        for (int rank = 0; rank < nodes; rank++) {
            assertThat(Lab.log(backend, job.name(), "node-" + rank))
                    .contains("rank " + rank + " of " + nodes + " sum " + sum);
        }
    }

    @Test
    void aNameThatAForeignContainerHasIsRefused() {
        ContainerBackend backend = lab.backend(Map.of());
        String name = JobName.generate();
        EngineAddress address = new EngineAddress(URI.create(lab.host()), Optional.empty(), "test");
        try (Engine engine = Engine.open(
                new EngineConnection(address, Duration.ofSeconds(60), "foreign-"), Duration.ofSeconds(60))) {
            String id = engine.create(
                    new ContainerSpec(
                            name + "-node-0",
                            "x",
                            Engines.BUSYBOX,
                            List.of("true"),
                            Map.of(),
                            Map.of(),
                            Map.of(),
                            List.of(),
                            "/",
                            Limits.NONE,
                            Surroundings.NONE),
                    "none");
            try {
                TrainJobRequest request = lab.job(name).trainer(sh("true")).build();

                assertThatThrownBy(() -> lab.start(backend, request))
                        .isInstanceOf(InvalidJobException.class)
                        .hasMessageContaining(name + "-node-0");
                assertThat(engine.inspect(id)).as("the foreign container").isPresent();
            } finally {
                engine.remove(id);
            }
        }
    }

    @Test
    void initializersAreGivenWhatAllContainersAre() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of("env.HTTPS_PROXY", "http://proxy:1", "env.MINE", "2"));
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/ok")))
                        .model(Lab.fetch(InitializerSpec.model("hf://test/ok")))
                        .trainer(sh("env"))
                        .build());

        Lab.isComplete(job);
        for (String step : List.of("dataset-initializer", "model-initializer", "node-0")) {
            assertThat(String.join("\n", Lab.log(backend, job.name(), step)))
                    .contains("HTTPS_PROXY=http://proxy:1", "MINE=2");
        }
    }

    @Test
    void aJobOutlivesItsClientAndItsFailureStopsTheOthersWhenSomebodyLooks() throws InterruptedException {
        ContainerBackend first = lab.backend(Map.of());
        String name = lab.start(
                        first,
                        lab.job()
                                .runtime("torch")
                                .trainer(
                                        sh("echo hello; if [ $PET_NODE_RANK = 1 ]; then sleep 3; exit 7; fi; sleep 600")
                                                .numNodes(2))
                                .build())
                .name();
        lab.await(first, name, job -> job.status() == JobStatus.RUNNING);
        first.close();
        Thread.sleep(4000);

        ContainerBackend second = lab.backend(Map.of());
        TrainJob job = lab.over(second, name);

        assertThat(job.failure().orElseThrow().step()).hasValue("node-1");
        assertThat(job.failure().orElseThrow().exitCode()).hasValue(7);
        assertThat(job.step("node-0").orElseThrow().reason()).hasValue("Stopped");
        assertThat(Lab.lines(second, name, LogQuery.all())).contains("hello");
    }

    @Test
    void filesOfAnotherUserAreRemovedThroughTheEngine() throws InterruptedException, IOException {
        ContainerBackend backend = lab.backend(Map.of());
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(sh("mkdir /workspace/d && echo x > /workspace/d/f && chmod 700 /workspace/d"))
                        .build());
        Lab.isComplete(job);

        Path workspace = lab.sweep(job.name());

        assertThat(workspace).isEmptyDirectory();
        assertThat(Files.isDirectory(workspace)).isTrue();
    }

    private static CommandTrainer sh(String script) {
        return CommandTrainer.of("sh", "-c", script);
    }
}
