package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.Settings;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused, with which error, and that nothing is left of it. */
class RefusalsTest {
    private Bench bench;
    private Backend backend;

    @BeforeEach
    void open(@TempDir Path work) {
        bench = new Bench(work);
        bench.environment.remove("CUDA_VISIBLE_DEVICES");
        backend = bench.backend();
    }

    @AfterEach
    void close() throws InterruptedException {
        bench.close();
    }

    private void refused(Class<? extends TrainerException> type, TrainJobRequest.Builder request, String... words) {
        TrainJobRequest built = request.build();
        for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call :
                List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                        () -> backend.plan(built), () -> backend.train(built, ProgressListener.none()))) {
            assertThatThrownBy(call).isInstanceOf(type).hasMessageContainingAll(words);
        }
        assertThat(bench.jobs()).doesNotExist();
    }

    private static TrainJobRequest.Builder command(CommandTrainer trainer) {
        return TrainJobRequest.builder().runtime(Bench.PLAIN).trainer(trainer);
    }

    @Test
    void whatNeedsAnImageIsRefused() {
        bench.fetcher("ok", (directory, context) -> {});
        refused(
                UnsupportedFeatureException.class,
                TrainJobRequest.builder().runtime(Bench.PLAIN).trainer(CustomTrainerContainer.of("img:1")),
                "local",
                "CustomTrainerContainer",
                "docker, podman or kubernetes");
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true").image("img:1")),
                "local",
                "img:1",
                "docker");
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true"))
                        .dataset(InitializerSpec.dataset("test://ok").image("img:2")),
                "local",
                "img:2",
                "dataset-initializer");
    }

    @Test
    void anInitializerThatNeedsAClusterIsRefused() {
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true")).dataset("cluster://schema/table"),
                "backend local cannot run the dataset-initializer of cluster://schema/table",
                "needs Kubernetes; use backend kubernetes");
    }

    @Test
    void anyOptionIsRefusedByItsName() {
        JobOption option = () -> "unheardOf";
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true")).option(option),
                "unheardOf",
                "local");
    }

    @Test
    void resourcesThatCannotBeGivenAreRefused() {
        bench.fetcher("ok", (directory, context) -> {});
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true").resources(r -> r.with("rdma/hca", "1"))),
                "rdma/hca",
                "local",
                "kubernetes");
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true").numNodes(2).resources(r -> r.gpu(500))),
                "1000",
                "GPUs",
                "local");
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true"))
                        .dataset(InitializerSpec.dataset("test://ok")
                                .resources(Resources.none().cpu(1))),
                "dataset-initializer",
                "local");
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true").numNodes(100_000)),
                "100000",
                "local");
    }

    @Test
    void strictMakesALimitAnError() {
        bench.settings.put("strict", "true");
        backend = bench.backend();
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true").resources(r -> r.memory("4Gi"))),
                "memory 4Gi",
                "local.strict");
    }

    @Test
    void referencesToSecretsAreRefused() {
        bench.fetcher("ok", (directory, context) -> {});
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true").secretEnv("TOKEN", Secret.reference("store", "key"))),
                "TOKEN",
                "local",
                "kubernetes");
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true"))
                        .model(InitializerSpec.model("test://ok")
                                .secret("access_token", Secret.reference("store", "k"))),
                "access_token",
                "model-initializer",
                "kubernetes");
    }

    @Test
    void runtimesOfTheWrongKindAreRefused() {
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true")).runtime(TrainingRuntime.of("ds", "deepspeed", "test")),
                "deepspeed",
                "local");
        refused(
                InvalidJobException.class,
                TrainJobRequest.builder().runtime(Bench.PLAIN).trainer(BuiltinTrainer.of(TorchTuneConfig.defaults())),
                "torchtune");
        refused(
                RuntimeNotFoundException.class,
                command(CommandTrainer.of("true")).runtime("torch-distributd"),
                "torch-distributed");
        refused(InvalidJobException.class, TrainJobRequest.builder().runtime(Bench.PLAIN), "nothing to run");
    }

    @Test
    void initializersThatCannotRunHereAreRefused() {
        refused(
                UnsupportedFeatureException.class,
                command(CommandTrainer.of("true")).dataset("test://cluster-only"),
                "test://",
                "local",
                "kubernetes");
        refused(InvalidJobException.class, command(CommandTrainer.of("true")).dataset("odd://x"), "odd", "test");
    }

    @Test
    void programsThatAreNotThereAreRefused() throws Exception {
        Path text = Files.writeString(bench.work.resolve("notes.txt"), "no program");
        refused(InvalidJobException.class, command(CommandTrainer.of("no-such-program")), "no-such-program", "PATH");
        refused(InvalidJobException.class, command(CommandTrainer.of("/no/such/program")), "/no/such/program");
        refused(
                InvalidJobException.class,
                command(CommandTrainer.of(text.toString())),
                "notes.txt",
                "cannot be executed");
        refused(InvalidJobException.class, command(CommandTrainer.of("./train.sh")), "./train.sh", "relative");
        refused(InvalidJobException.class, command(CommandTrainer.of("sh").env("PATH", "/nowhere")), "sh", "/nowhere");
    }

    @Test
    void aMissingInterpreterIsRefused() {
        bench.settings.put("python", "/no/python");
        backend = bench.backend();
        refused(
                InvalidJobException.class,
                TrainJobRequest.builder().runtime(Bench.PLAIN).trainer(CustomTrainer.source("a.py", "pass")),
                "/no/python",
                "local.python");
        assertThatThrownBy(() -> backend.runtimePackages(Bench.PLAIN))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("Python");
    }

    @Test
    void aMainClassThatIsNotOnTheClassPathIsRefused() throws Exception {
        Path classes = Path.of(RefusalsTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String here = RefusalsTest.class.getName();
        refused(InvalidJobException.class, java(JavaTrainer.mainClass(here)), here, "empty");
        refused(
                InvalidJobException.class,
                java(JavaTrainer.mainClass("com.example.Missing").classPath(classes)),
                "com.example.Missing",
                classes.toString());
        refused(
                InvalidJobException.class,
                java(JavaTrainer.mainClass(here).classPath(bench.work.resolve("none.jar"))),
                "none.jar",
                "does not exist");
        Path noJar = Files.writeString(bench.work.resolve("no.jar"), "no jar");
        refused(InvalidJobException.class, java(JavaTrainer.mainClass(here).classPath(noJar)), "no.jar", "jar");

        Path jar = bench.work.resolve("outer.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(Attributes.Name.CLASS_PATH, classes.toUri().toString());
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        assertThat(backend.plan(java(JavaTrainer.mainClass(here).classPath(jar)).build())
                        .steps())
                .hasSize(1);
        assertThat(backend.plan(java(JavaTrainer.mainClass(here).classPath(bench.work.resolve("*"), classes))
                                .build())
                        .steps())
                .hasSize(1);
        assertThat(backend.plan(java(JavaTrainer.mainClass("x.Y").jvmOptions("--module-path=/mods"))
                                .build())
                        .steps())
                .hasSize(1);
    }

    private static TrainJobRequest.Builder java(JavaTrainer trainer) {
        return TrainJobRequest.builder().runtime(Bench.PLAIN).trainer(trainer);
    }

    @Test
    void aDeadlineBeyondAllTimeIsRefused() {
        TrainJobRequest request = command(CommandTrainer.of("true"))
                .deadline(Duration.ofSeconds(Long.MAX_VALUE))
                .build();
        assertThatThrownBy(() -> backend.train(request, ProgressListener.none()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("deadline");
        assertThat(bench.jobs()).doesNotExist();
    }

    @Test
    void aWorkDirectoryThatCannotBeWrittenIsToldBeforeAnythingStarts() throws Exception {
        Path file = Files.createFile(bench.work.resolve("file"));
        for (Path directory : List.of(file, Path.of("/proc/trainer4j"))) {
            Bench broken = new Bench(directory);
            Backend there = broken.backend();
            assertThatThrownBy(() -> there.train(Bench.shell("true", 1).build(), ProgressListener.none()))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("work directory");
            there.close();
        }
    }

    @Test
    void windowsIsRefused() {
        assertThatThrownBy(() -> LocalBackendProvider.requirePosix("Windows 11"))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("Windows 11")
                .hasMessageContaining("WSL");
        LocalBackendProvider.requirePosix("Mac OS X");
    }

    @Test
    void settingsThatMakeNoSenseAreReported() {
        Map<String, String> wrong = new HashMap<>();
        wrong.put("strict", "perhaps");
        wrong.put("python", " ");
        wrong.put("grace-period", "-1s");
        wrong.put("grace-perod", "1s");
        Settings settings = Settings.of(wrong);
        new LocalBackendProvider().create(settings, bench.context()).close();

        assertThatThrownBy(settings::check)
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        e -> assertThat(e.problems())
                                .hasSize(4)
                                .anySatisfy(problem -> assertThat(problem).contains("strict"))
                                .anySatisfy(problem -> assertThat(problem).contains("python"))
                                .anySatisfy(problem -> assertThat(problem).contains("grace-period"))
                                .anySatisfy(problem -> assertThat(problem).contains("grace-perod", "grace-period")));
    }

    @Test
    void theProviderIsFoundByServiceLoader() {
        assertThat(java.util.ServiceLoader.load(io.github.trainer4j.api.spi.BackendProvider.class).stream()
                        .map(provider -> provider.get().name()))
                .contains("local");
    }
}
