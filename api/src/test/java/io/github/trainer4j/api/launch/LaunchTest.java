package io.github.trainer4j.api.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchTest {
    private static final Placement POD =
            Placement.container("mnist", "mnist-node-0", path -> "/workspace/lib/" + path.getFileName());
    private static final Placement HOST = new Placement(
            "mnist", "/home/ada/mnist", "/venv/bin/python", "/jdk/bin/java", ":", Path::toString, "127.0.0.1", 40001);
    private static final TrainingRuntime PLAIN = TrainingRuntime.of("plain", "plain", "test");
    private static final TrainingRuntime TORCH = TrainingRuntime.of("torch-distributed", "torch", "test");

    @Test
    void aScriptTravelsAsAFileAndIsStartedByThePythonOfTheNode() {
        CustomTrainer trainer = CustomTrainer.source("train.py", "print(1)").args("--epochs", "3");

        NodeLaunch pod = node(PLAIN, trainer, POD);
        NodeLaunch host = node(PLAIN, trainer, HOST);

        assertThat(pod.files()).containsExactly(new LaunchFile(".trainer4j/code/train.py", "print(1)"));
        assertThat(pod.command()).containsExactly("python3", "/workspace/.trainer4j/code/train.py", "--epochs", "3");
        assertThat(host.files()).isEqualTo(pod.files());
        assertThat(host.command())
                .containsExactly("/venv/bin/python", "/home/ada/mnist/.trainer4j/code/train.py", "--epochs", "3");
    }

    @Test
    void onATorchRuntimeTheScriptIsStartedByTorchsLauncher() {
        assertThat(node(TORCH, CustomTrainer.source("train.py", "print(1)"), POD)
                        .command())
                .containsExactly("python3", "-m", "torch.distributed.run", "/workspace/.trainer4j/code/train.py");
    }

    @Test
    void aScriptArrivesByteForByte(@TempDir Path directory) throws IOException {
        String text =
                "\uFEFF# größe 漢字 🚀\r\nprint('''EOM\nTRAINING_SCRIPT_EOF\nEOF\n$HOME \\ \\n \"q\" `x` %PATH%''')\n\t";
        Path file = Files.writeString(directory.resolve("train.py"), text);

        NodeLaunch node = node(PLAIN, CustomTrainer.script(file), POD);

        assertThat(node.files().get(0).content().getBytes(StandardCharsets.UTF_8))
                .isEqualTo(Files.readAllBytes(file));
        assertThat(node.command()).noneMatch(arg -> arg.contains("EOM"));
    }

    @Test
    void argumentsStayAsTheyAre() {
        String[] odd = {
            "", "two words", "'single' \"double\"", "$HOME $(id)", "back\\slash", "a\nb", "größe 漢字", "--x=y"
        };

        assertThat(node(TORCH, CustomTrainer.source("t.py", "x").args(odd), POD).command())
                .endsWith(odd);
        assertThat(node(PLAIN, JavaTrainer.mainClass("a.B").args(odd), POD).command())
                .endsWith(odd);
        String[] command = {"/bin/tool", "", "a b", "$x"};
        assertThat(node(PLAIN, CommandTrainer.of(command), POD).command()).containsExactly(command);
    }

    @Test
    void aJavaProgramIsStartedByTheJavaOfTheNode() {
        JavaTrainer trainer = JavaTrainer.mainClass("com.example.Train")
                .classPath(Path.of("/libs/a.jar"), Path.of("/libs/b.jar"))
                .jvmOptions("-Xmx1g", "-Dx=y z")
                .args("--epochs", "3");

        assertThat(node(PLAIN, trainer, POD).command())
                .containsExactly(
                        "java",
                        "-Xmx1g",
                        "-Dx=y z",
                        "-cp",
                        "/workspace/lib/a.jar:/workspace/lib/b.jar",
                        "com.example.Train",
                        "--epochs",
                        "3");
        assertThat(node(PLAIN, trainer, HOST).command())
                .startsWith("/jdk/bin/java")
                .contains("/libs/a.jar:/libs/b.jar");
        assertThat(node(PLAIN, JavaTrainer.mainClass("Train"), POD).command()).containsExactly("java", "Train");
    }

    @Test
    void anImageRunsByItself() {
        NodeLaunch node = node(TORCH, CustomTrainerContainer.of("me/trainer:1").env("A", "b"), POD);

        assertThat(node.command()).isEmpty();
        assertThat(node.files()).isEmpty();
        assertThat(node.env()).containsEntry("A", "b").containsEntry("PET_NODE_RANK", "0");
    }

    @Test
    void withoutATrainerTheRuntimesCommandRuns() {
        TrainingRuntime runtime = runtime("plain", List.of("serve", "--now"), List.of("a b"), Resources.none());

        assertThat(launch(request(), runtime).node(0, POD).command()).containsExactly("serve", "--now", "a b");
    }

    @Test
    void withoutATrainerAnImageOfTheRuntimeRunsByItself() {
        assertThat(launch(request(), PLAIN.withImage("me/all-in-one"))
                        .node(0, POD)
                        .command())
                .isEmpty();
    }

    @Test
    void nothingToRunIsRefused() {
        assertThatThrownBy(() -> launch(request(), PLAIN))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("nothing to run")
                .hasMessageContaining("plain")
                .hasMessageContaining("give a trainer");
    }

    @Test
    void theImageIsTheTrainersElseTheRuntimes() {
        TrainingRuntime runtime = TORCH.withImage("runtime/image");

        assertThat(launch(request(CommandTrainer.of("x").image("my/image")), runtime)
                        .image())
                .contains(new Launch.ChosenImage("my/image", "the trainer"));
        assertThat(launch(request(CommandTrainer.of("x")), runtime).image())
                .contains(new Launch.ChosenImage("runtime/image", "runtime torch-distributed"));
        assertThat(launch(request(CommandTrainer.of("x")), TORCH).image()).isEmpty();
    }

    @Test
    void onAnMpiRuntimeScriptsAndJavaProgramsAreStartedByMpirunAndCommandsAreNot() {
        TrainingRuntime mpi = TrainingRuntime.of("deepspeed-distributed", "deepspeed", "test");

        assertThat(node(mpi, CustomTrainer.source("train.py", "x"), POD).command())
                .containsExactly(
                        "mpirun", "--hostfile", "/etc/mpi/hostfile", "python3", "/workspace/.trainer4j/code/train.py");
        assertThat(node(mpi, JavaTrainer.mainClass("a.B"), POD).command())
                .containsExactly("mpirun", "--hostfile", "/etc/mpi/hostfile", "java", "a.B");
        assertThat(node(mpi, CommandTrainer.of("mpirun", "-n", "4", "x"), POD).command())
                .containsExactly("mpirun", "-n", "4", "x");
    }

    @ParameterizedTest
    @CsvSource({
        "deepspeed, true",
        "mlx, true",
        "mpi, true",
        "flux, true",
        "torch, false",
        "torchtune, false",
        "jax, false",
        "xgboost, false",
        "plain, false"
    })
    void whatOnlyAClusterCanLaunchSaysSo(String framework, boolean needsCluster) {
        assertThat(launch(request(CommandTrainer.of("x")), TrainingRuntime.of("r", framework, "test"))
                        .needsCluster())
                .isEqualTo(needsCluster);
    }

    @Test
    void packagesAreInstalledByACommandOfTheirOwn() {
        CustomTrainer trainer =
                CustomTrainer.source("train.py", "x").packagesToInstall("numpy==2.1", "transformers[torch]>=4");

        assertThat(node(PLAIN, trainer, HOST).install())
                .containsExactly(
                        "/venv/bin/python",
                        "-m",
                        "pip",
                        "install",
                        "--disable-pip-version-check",
                        "--no-input",
                        "--quiet",
                        "numpy==2.1",
                        "transformers[torch]>=4");
        assertThat(node(PLAIN, CustomTrainer.source("train.py", "x"), HOST).install())
                .isEmpty();
    }

    @Test
    void theFirstIndexIsPipsOwnAndTheRestAreExtra() {
        CustomTrainer trainer = CustomTrainer.source("train.py", "x")
                .packagesToInstall("numpy")
                .pipIndexUrls("https://one.example/simple", "https://two.example/simple", "http://three.example/");

        assertThat(node(PLAIN, trainer, POD).install())
                .endsWith(
                        "--index-url",
                        "https://one.example/simple",
                        "--extra-index-url",
                        "https://two.example/simple",
                        "--extra-index-url",
                        "http://three.example/",
                        "numpy")
                .doesNotContain("--trusted-host");
    }

    static List<Map<String, String>> clientEnvironmentsWithoutIndex() {
        return List.of(Map.of(), Map.of("DEFAULT_PIP_INDEX_URLS", ""), Map.of("DEFAULT_PIP_INDEX_URLS", " , ,"));
    }

    @ParameterizedTest
    @MethodSource("clientEnvironmentsWithoutIndex")
    void withoutAnIndexPipHasItsOwn(Map<String, String> environment) {
        CustomTrainer trainer = CustomTrainer.source("train.py", "x").packagesToInstall("numpy");

        assertThat(Launch.of(request(trainer), PLAIN, environment).node(0, POD).install())
                .doesNotContain("--index-url", "--extra-index-url", "");
    }

    @Test
    void theClientsEnvironmentHasTheDefaultIndexes() {
        Map<String, String> environment =
                Map.of("DEFAULT_PIP_INDEX_URLS", "https://one.example/simple , https://two.example/simple");
        CustomTrainer trainer = CustomTrainer.source("train.py", "x").packagesToInstall("numpy");

        assertThat(Launch.of(request(trainer), PLAIN, environment).node(0, POD).install())
                .endsWith(
                        "--index-url",
                        "https://one.example/simple",
                        "--extra-index-url",
                        "https://two.example/simple",
                        "numpy");
        assertThat(Launch.of(request(trainer.pipIndexUrls("https://own.example")), PLAIN, environment)
                        .node(0, POD)
                        .install())
                .endsWith("--index-url", "https://own.example", "numpy");
    }

    @Test
    void listsThatAreNullMeanTheSameAsEmptyOnes() {
        CustomTrainer absent = new CustomTrainer(
                "t.py", "x", null, null, null, CommandTrainer.of("x").nodes());
        CustomTrainer empty = new CustomTrainer(
                "t.py",
                "x",
                List.of(),
                List.of(),
                List.of(),
                CommandTrainer.of("x").nodes());
        JavaTrainer absentJava = new JavaTrainer("a.B", null, null, null, empty.nodes());
        JavaTrainer emptyJava = new JavaTrainer("a.B", List.of(), List.of(), List.of(), empty.nodes());

        assertThat(absent).isEqualTo(empty);
        assertThat(node(TORCH, absent, POD)).isEqualTo(node(TORCH, empty, POD));
        assertThat(node(TORCH, absent.packagesToInstall("numpy"), POD))
                .isEqualTo(node(TORCH, empty.packagesToInstall("numpy"), POD));
        assertThat(node(TORCH, absentJava, POD)).isEqualTo(node(TORCH, emptyJava, POD));
    }

    @Test
    void theSameRequestGivesTheSameLaunchAndStaysAsItWas() {
        TrainJobRequest request =
                request(CustomTrainer.source("t.py", "x").args("1").env("A", "b"));
        String before = request.toString();

        NodeLaunch first = launch(request, TORCH).node(0, POD);

        assertThat(launch(request, TORCH).node(0, POD)).isEqualTo(first);
        assertThat(request.toString()).isEqualTo(before);
    }

    @Test
    void aTrainerThatTheRuntimeCannotRunIsRefused() {
        TrainingRuntime torchtune = TrainingRuntime.of("torchtune-llama3.2-1b", "torchtune", "test");

        assertThatThrownBy(() -> launch(request(CustomTrainer.source("t.py", "x")), torchtune))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("torchtune-llama3.2-1b brings its own training program")
                .hasMessageContaining("choose a runtime such as torch-distributed");
        assertThatThrownBy(() -> launch(request(BuiltinTrainer.of(TorchTuneConfig.defaults())), TORCH))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("torch-distributed is a torch runtime")
                .hasMessageContaining("choose a torchtune runtime");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, Integer.MAX_VALUE})
    void thereIsNoNodeBeyondTheLast(int rank) {
        Launch launch = launch(request(CommandTrainer.of("x").numNodes(2)), PLAIN);

        assertThatThrownBy(() -> launch.node(rank, POD)).isInstanceOf(IllegalArgumentException.class);
    }

    private static NodeLaunch node(TrainingRuntime runtime, Trainer trainer, Placement placement) {
        return launch(request(trainer), runtime).node(0, placement);
    }

    private static Launch launch(TrainJobRequest request, TrainingRuntime runtime) {
        return Launch.of(request, runtime, Map.of());
    }

    private static TrainJobRequest request() {
        return TrainJobRequest.builder().build();
    }

    private static TrainJobRequest request(Trainer trainer) {
        return TrainJobRequest.builder().trainer(trainer).build();
    }

    private static TrainingRuntime runtime(
            String framework, List<String> command, List<String> args, Resources resources) {
        return new TrainingRuntime(
                "r",
                TrainingRuntime.Scope.CLUSTER,
                framework,
                1,
                OptionalInt.empty(),
                Optional.empty(),
                command,
                args,
                Map.of(),
                resources,
                Map.of(),
                "test");
    }
}
