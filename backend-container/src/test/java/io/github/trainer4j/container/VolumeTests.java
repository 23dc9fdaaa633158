package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.container.EngineProxy.Call;
import io.github.trainer4j.container.EngineProxy.Fate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs on an engine that is taken not to see this machine's directories: the workspace is a volume. */
@Timeout(300)
abstract class VolumeTests {
    private static final Map<String, String> VOLUME = Map.of("workspace", "volume");

    private final BackendProvider provider;
    private final EngineAddress engine;
    private EngineProxy proxy;
    private Lab lab;

    VolumeTests(BackendProvider provider, EngineAddress engine) {
        this.provider = provider;
        this.engine = engine;
    }

    @BeforeEach
    void open() throws IOException {
        proxy = new EngineProxy(engine);
        lab = new Lab(provider, proxy.host());
    }

    @AfterEach
    void close() throws IOException {
        lab.close();
        proxy.close();
    }

    private void engine(Consumer<Engine> body) {
        try (Engine opened = Engine.open(
                new EngineConnection(engine, Duration.ofSeconds(60), "volume-test-"), Duration.ofSeconds(60))) {
            body.accept(opened);
        }
    }

    private boolean hasVolume(String name) {
        try (EngineConnection connection = new EngineConnection(engine, Duration.ofSeconds(60), "volume-test-")) {
            connection.get("show a volume", "/volumes/" + name);
            return true;
        } catch (EngineException e) {
            assertThat(e.isNotFound()).as(e.getMessage()).isTrue();
            return false;
        }
    }

    @Test
    void initializersAndNodesShareAVolumeWhoseResultsAreCopiedToThisMachine() throws Exception {
        Map<String, String> settings = new LinkedHashMap<>(VOLUME);
        settings.put("user", "12345:12345");
        settings.put("read-only", "true");
        ContainerBackend backend = lab.backend(settings);
        String script = """
                import json, os
                rank = os.environ['PET_NODE_RANK']
                print(os.path.getsize('/workspace/dataset/data.bin'))
                os.makedirs('/workspace/out/deep', exist_ok=True)
                open('/workspace/out/deep/' + 'x' * 120 + rank, 'w').write('result ' + rank)
                os.symlink('deep', '/workspace/out/link' + rank)
                if rank == '0':
                    with open(os.environ['TRAINJOB_PROGRESS_FILE'], 'w') as f:
                        json.dump({'trainerStatus': {'progressPercentage': 70}}, f)
                """;
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .runtime("jax")
                        .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/size-100000")))
                        .trainer(CommandTrainer.of("python3", "-c", script.replace("PET_NODE_RANK", "JAX_PROCESS_ID"))
                                .image(Engines.TORCH)
                                .numNodes(2))
                        .build());

        Lab.isComplete(job);
        String volume = job.name() + "-workspace";
        assertThat(Lab.log(backend, job.name(), "node-1")).containsExactly("100000");
        Path workspace = job.workspace().orElseThrow();
        for (int rank = 0; rank < 2; rank++) {
            assertThat(workspace.resolve("out/deep/" + "x".repeat(120) + rank)).hasContent("result " + rank);
            assertThat(Files.readSymbolicLink(workspace.resolve("out/link" + rank)))
                    .hasToString("deep");
        }
        assertThat(workspace.resolve("dataset"))
                .as("what was fetched stays there")
                .doesNotExist();
        assertThat(job.progress().orElseThrow().percent()).hasValue(70);
        assertThat(hasVolume(volume)).isTrue();

        lab.backend(VOLUME).delete(job.name());

        assertThat(hasVolume(volume)).isFalse();
        assertThat(workspace).doesNotExist();
    }

    @Test
    void aScriptIsCopiedAndWhatAFailedJobLeftIsCopiedBack() throws Exception {
        ContainerBackend backend = lab.backend(VOLUME);
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(CustomTrainer.source(
                                        "train.py", "open('checkpoint', 'w').write('half')\nraise SystemExit(3)")
                                .image(Engines.TORCH))
                        .build());

        assertThat(job.failure().orElseThrow().exitCode()).hasValue(3);
        assertThat(job.workspace().orElseThrow().resolve("checkpoint")).hasContent("half");
    }

    @Test
    void aJvmFindsItsClassPathInTheVolume() throws Exception {
        ContainerBackend backend = lab.backend(VOLUME);
        Path classes = Path.of(JvmMain.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path own = Files.createDirectories(lab.work().resolve("classes"));
        Path main = Path.of(JvmMain.class.getName().replace('.', '/') + ".class");
        Files.createDirectories(own.resolve(main).getParent());
        Files.copy(classes.resolve(main), own.resolve(main));
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(JavaTrainer.mainClass(JvmMain.class.getName())
                                .classPath(own)
                                .args("one")
                                .image("trainer4j-test/jvm:1"))
                        .build());

        Lab.isComplete(job);
        assertThat(Lab.log(backend, job.name(), "node-0")).containsExactly("one");
        assertThat(job.workspace().orElseThrow().resolve(ClassPath.DIRECTORY)).doesNotExist();
    }

    @Test
    void aLaunchThatFailsLeavesNoVolume() throws Exception {
        TrainJob job = lab.run(
                lab.backend(VOLUME),
                lab.job()
                        .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/exit-3")))
                        .trainer(CommandTrainer.of("true"))
                        .build());

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(hasVolume(job.name() + "-workspace")).isFalse();
    }

    @Test
    void aJobThatIsDeletedWhileItsResultsAreCopiedLeavesNothing() throws Exception {
        ContainerBackend backend = lab.backend(VOLUME);
        CountDownLatch copying = new CountDownLatch(1);
        CountDownLatch deleted = new CountDownLatch(1);
        proxy.say(new EngineProxy.Say() {
            @Override
            public Fate before(Call call) {
                return Fate.PASS;
            }

            @Override
            public Fate answered(Call call) {
                if (call.is("GET", ".*/archive.*")) {
                    copying.countDown();
                    await(deleted);
                }
                return Fate.PASS;
            }
        });
        String name = lab.start(
                        backend,
                        lab.job()
                                .trainer(CommandTrainer.of("sh", "-c", "echo x > /workspace/result"))
                                .build())
                .name();
        await(copying);
        assertThat(backend.get(name).status())
                .as("it is not over before its results are here")
                .isEqualTo(JobStatus.RUNNING);
        Path workspace = backend.get(name).workspace().orElseThrow();

        backend.delete(name);
        deleted.countDown();
        String copier = "results-" + name;
        while (Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().endsWith(copier))) {
            Thread.sleep(20);
        }

        assertThat(workspace).doesNotExist();
        assertThat(hasVolume(name + "-workspace")).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aVolumeOfSomebodyElseIsLeftAlone() {
        String name = JobName.generate();
        String volume = name + "-workspace";
        engine(opened -> opened.files().createVolume(volume, Map.of(Labels.UID, "another")));
        try {
            TrainJob job = lab.run(
                    lab.backend(VOLUME),
                    lab.job(name).trainer(CommandTrainer.of("true")).build());

            assertThat(job.failure().map(Failure::message)).get().asString().contains("volume " + volume + " already");
            assertThat(hasVolume(volume)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            engine(opened -> opened.files().removeVolume(volume, "another"));
        }
        assertThat(hasVolume(volume)).isFalse();
    }
}
