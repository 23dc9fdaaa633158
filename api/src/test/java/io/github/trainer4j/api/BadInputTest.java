package io.github.trainer4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users get wrong: each field with each kind of bad value gives one error that names the field and what to do. */
class BadInputTest {
    private static final String LONG = "x".repeat(200_000);
    private static final String HALF = "half \ud83d of a character";
    private static final List<String> BLANK = Arrays.asList(null, "", " ", "\t\n");
    private static final List<String> UNPRINTABLE = List.of("a\0b", "a\nb", "a\r\nb", HALF, LONG);
    private static final List<String> PATHS = List.of("../x", "/etc/passwd", "a/../b", "..", ".", "C:\\x", "~/x");

    /** A field that takes a text, and what it must not take. */
    private record Field(String name, Consumer<String> set, List<List<String>> bad) {}

    private static Stream<Field> fields() {
        InitializerSpec dataset = InitializerSpec.dataset("hf://org/data");
        CustomTrainer script = CustomTrainer.source("train.py", "x");
        CommandTrainer command = CommandTrainer.of("x");
        return Stream.of(
                new Field(
                        "name",
                        value -> TrainJobRequest.builder().name(value),
                        List.of(BLANK, UNPRINTABLE, PATHS, List.of("Upper", "1a", "a-", "-a", "a_b", "größe", "a b"))),
                new Field("name", value -> Samples.request().withName(value), List.of(BLANK, PATHS)),
                new Field(
                        "runtime",
                        value -> TrainJobRequest.builder().runtime(value),
                        List.of(BLANK, UNPRINTABLE, PATHS, List.of("größe", "a b", "x".repeat(254)))),
                new Field(
                        "labels",
                        value -> TrainJobRequest.builder().label("team", value).build(),
                        List.of(UNPRINTABLE, PATHS, Arrays.asList(null, " ", "größe", "a b", "x".repeat(64), "-a"))),
                new Field(
                        "labels",
                        value -> TrainJobRequest.builder().label(value, "x").build(),
                        List.of(
                                BLANK,
                                UNPRINTABLE,
                                PATHS,
                                List.of("größe", "a b", "x".repeat(64), "a/b/c", "/a", "a/"))),
                new Field(
                        "annotations",
                        value ->
                                TrainJobRequest.builder().annotation(value, "x").build(),
                        List.of(BLANK, UNPRINTABLE, PATHS, List.of("größe", "a b"))),
                new Field(
                        "annotations",
                        value -> TrainJobRequest.builder()
                                .annotation("note", value)
                                .build(),
                        List.of(Arrays.asList(null, "a\0b", HALF, "x".repeat(300_000)))),
                new Field(
                        "file name",
                        value -> CustomTrainer.source(value, "x"),
                        List.of(BLANK, UNPRINTABLE, PATHS, List.of("-rf.py", "a b.py", "größe.py", "a;b.py"))),
                new Field(
                        "train.py",
                        value -> CustomTrainer.source("train.py", value),
                        List.of(List.of("", " ", "\n\n", "x".repeat((8 << 20) + 1), "é".repeat((4 << 20) + 1)))),
                new Field(
                        "source",
                        value -> CustomTrainer.source("train.py", value),
                        List.of(Arrays.asList(null, "a\0b", HALF))),
                new Field(
                        "args[0]", script::args, List.of(Arrays.asList(null, "a\0b", HALF, LONG, "é".repeat(70_000)))),
                new Field(
                        "packagesToInstall",
                        script::packagesToInstall,
                        List.of(BLANK, UNPRINTABLE, List.of("-r", "--index-url=https://x", "--trusted-host"))),
                new Field(
                        "pipIndexUrls[0]",
                        script::pipIndexUrls,
                        List.of(
                                BLANK,
                                UNPRINTABLE,
                                PATHS,
                                List.of("index", "ftp://x", "https://", "https://a b", "-x"))),
                new Field("command", CommandTrainer::of, List.of(BLANK, UNPRINTABLE)),
                new Field(
                        "command[1]",
                        value -> CommandTrainer.of("x", value),
                        List.of(Arrays.asList(null, "a\0b", HALF, LONG))),
                new Field(
                        "class",
                        JavaTrainer::mainClass,
                        List.of(BLANK, UNPRINTABLE, PATHS, List.of("a b", "-jar", "a..b", ".a", "a.", "1a", "a.1"))),
                new Field(
                        "jvmOptions",
                        value -> JavaTrainer.mainClass("a.B").jvmOptions(value),
                        List.of(Arrays.asList(null, "", " ", "Xmx1g", "a\0b", HALF, LONG))),
                new Field(
                        "args[0]",
                        value -> JavaTrainer.mainClass("a.B").args(value),
                        List.of(Arrays.asList(null, "a\0b", HALF, LONG))),
                new Field(
                        "image",
                        command::image,
                        List.of(BLANK, UNPRINTABLE, List.of("a b", "--privileged", "größe", "-v"))),
                new Field("image", CustomTrainerContainer::of, List.of(BLANK, UNPRINTABLE, List.of("a b", "-v"))),
                new Field("image", dataset::image, List.of(BLANK, UNPRINTABLE, List.of("a b", "-v"))),
                new Field(
                        "env",
                        value -> command.env(value, "x"),
                        List.of(BLANK, UNPRINTABLE, List.of("1A", "A=B", "größe", "A B", "$A", "../x", "/x"))),
                new Field("env[A]", value -> command.env("A", value), List.of(Arrays.asList(null, "a\0b", HALF, LONG))),
                new Field(
                        "secretEnv",
                        value -> command.secretEnv(value, Samples.SECRET),
                        List.of(BLANK, UNPRINTABLE, List.of("1A", "A=B", "größe", "A B"))),
                new Field("secret", Secret::of, List.of(BLANK, List.of("a\0b", HALF, LONG))),
                new Field("secret", value -> Secret.reference(value, "key"), List.of(BLANK, UNPRINTABLE)),
                new Field("secret", value -> Secret.reference("name", value), List.of(BLANK, UNPRINTABLE)),
                new Field(
                        "storage URI",
                        InitializerSpec::dataset,
                        List.of(
                                BLANK,
                                UNPRINTABLE,
                                PATHS,
                                List.of("data", "hf:/x", "://x", "hf://", "HF://org/x", "1f://x"))),
                new Field(
                        "storage URI", InitializerSpec::model, List.of(List.of("s3://key:secret@host/x", "x://:p@h"))),
                new Field(
                        "option",
                        value -> dataset.option(value, "x"),
                        List.of(BLANK, UNPRINTABLE, PATHS, List.of("Upper", "a-b", "1a", "größe", "a b"))),
                new Field(
                        "option",
                        value -> dataset.option("region", value),
                        List.of(Arrays.asList(null, "a\0b", HALF, LONG))),
                new Field(
                        "resource",
                        value -> Resources.none().with("memory", value),
                        List.of(BLANK, UNPRINTABLE, PATHS, List.of("4GB", "-1", "four", "1 Gi", "1,5", "٣"))),
                new Field(
                        "resource",
                        value -> Resources.none().with(value, "1"),
                        List.of(BLANK, UNPRINTABLE, List.of("-x", "größe", "a b", "../x", "/x", "x/"))),
                new Field(
                        "torchtune",
                        value -> TorchTuneConfig.defaults().with(value, "1"),
                        List.of(
                                BLANK,
                                UNPRINTABLE,
                                PATHS,
                                List.of(
                                        "a=b",
                                        "--config",
                                        "a-b",
                                        ".a",
                                        "a.",
                                        "output_dir",
                                        "checkpointer.checkpoint_dir"))),
                new Field(
                        "torchtune",
                        value -> TorchTuneConfig.defaults().with("epochs", value),
                        List.of(Arrays.asList(null, "a\0b", "a\nb", HALF, LONG))),
                new Field("loss", value -> TorchTuneConfig.defaults().loss(value), List.of(BLANK, UNPRINTABLE)),
                new Field(
                        "attentionModules",
                        value -> TorchTuneConfig.defaults().lora(8, 16, Arrays.asList(value)),
                        List.of(BLANK, UNPRINTABLE)),
                new Field("step", LogQuery::step, List.of(BLANK, UNPRINTABLE)));
    }

    static Stream<Arguments> badTexts() {
        return fields().flatMap(field -> field.bad().stream()
                .flatMap(List::stream)
                .map(value -> Arguments.of(
                        field.name(),
                        Named.of("'" + Check.printable(String.valueOf(value)) + "'", value),
                        Named.of("setter", field.set()))));
    }

    @ParameterizedTest(name = "{0} = {1}")
    @MethodSource("badTexts")
    void aBadTextIsRefusedWithItsFieldAndWhatToDo(String field, String value, Consumer<String> set) {
        refused(field, () -> set.accept(value));
    }

    static Stream<Arguments> badValues() {
        InitializerSpec dataset = InitializerSpec.dataset("hf://org/data");
        InitializerSpec model = InitializerSpec.model("hf://org/model");
        CommandTrainer command = CommandTrainer.of("x");
        TrainJobRequest.Builder job = TrainJobRequest.builder();
        WaitOptions wait = WaitOptions.complete();
        return Stream.of(
                bad("numNodes", () -> command.numNodes(0)),
                bad("numNodes", () -> command.numNodes(-1)),
                bad("numProcPerNode", () -> command.numProcPerNode(0)),
                bad("resourcesPerNode", () -> command.resourcesPerNode(null)),
                bad("resourcesPerNode", () -> command.resources(r -> null)),
                bad("resources", () -> command.resources(null)),
                bad("env", () -> command.env("A", "1").env("A", "2")),
                bad("secretEnv", () -> command.secretEnv("A", Samples.SECRET).secretEnv("A", Samples.SECRET)),
                bad("secretEnv", () -> command.env("A", "1").secretEnv("A", Samples.SECRET)),
                bad("secretEnv[A]", () -> command.secretEnv("A", null)),
                bad("resource cpu", () -> Resources.none().cpu(1).cpu(2)),
                bad("resource cpu", () -> Resources.none().cpu(-1)),
                bad("resource gpu", () -> Resources.none().with("gpu", "0.5")),
                bad("resource gpu", () -> Resources.none().with("gpu", "5000000000")),
                bad("resource gpu", () -> Resources.none().with("gpu", "1e300")),
                bad("gpu", () -> Resources.none().gpu(1).with("nvidia.com/gpu", "1")),
                bad("mig-1g.5gb", () -> Resources.none().gpu(1).with("mig-1g.5gb", "1")),
                bad("mig-1g.5gb", () -> Resources.none().with("mig-1g.5gb", "1").with("mig-2g.10gb", "1")),
                bad("timeout", () -> dataset.timeout(Duration.ZERO)),
                bad("timeout", () -> dataset.timeout(Duration.ofSeconds(-1))),
                bad("timeout", () -> dataset.timeout(null)),
                bad("retries", () -> dataset.retries(-1)),
                bad("resources", () -> dataset.resources(null)),
                bad("options", () -> dataset.option("region", "a").option("region", "b")),
                bad("secrets", () -> dataset.secret("key", Samples.SECRET).secret("key", Samples.SECRET)),
                bad("key", () -> dataset.option("key", "a").secret("key", Samples.SECRET)),
                bad("secrets[key]", () -> dataset.secret("key", null)),
                bad(
                        "two initializers for dataset",
                        () -> job.dataset(dataset).dataset(dataset).build()),
                bad("model", () -> TrainJobRequest.builder().dataset(model)),
                bad("dataset", () -> TrainJobRequest.builder().model(dataset)),
                bad("dataset-initializer", () -> TrainJobRequest.builder().dataset((InitializerSpec) null)),
                bad("trainer", () -> TrainJobRequest.builder().trainer(null)),
                bad("runtime", () -> TrainJobRequest.builder().runtime((TrainingRuntime) null)),
                bad("deadline", () -> TrainJobRequest.builder().deadline(Duration.ZERO)),
                bad("deadline", () -> TrainJobRequest.builder().deadline(null)),
                bad("options[0]", () -> TrainJobRequest.builder().option(null).build()),
                bad(
                        "imagePullPolicy",
                        () -> TrainJobRequest.builder()
                                .option(ImagePullPolicy.ALWAYS)
                                .option(ImagePullPolicy.NEVER)
                                .build()),
                bad("labels", () -> TrainJobRequest.builder().label("a", "1").label("a", "2")),
                bad(
                        "annotations",
                        () -> TrainJobRequest.builder().annotation("a", "1").annotation("a", "2")),
                bad(
                        "runtime's name",
                        () -> new RuntimeRef(
                                "other", Optional.of(Samples.runtime().scope()), Optional.of(Samples.runtime()))),
                bad(
                        "scope",
                        () -> new RuntimeRef(
                                Samples.runtime().name(), Optional.empty(), Optional.of(Samples.runtime()))),
                bad("runtime's name", () -> new RuntimeField("a b", "spec.mlPolicy", 1)),
                bad("path of a field", () -> new RuntimeField("a", "", 1)),
                bad("command", () -> CommandTrainer.of()),
                bad("command", () -> CommandTrainer.of((String[]) null)),
                bad("image", () -> new CustomTrainerContainer(NodeSettings.defaults())),
                bad("nodes", () -> command.nodes(null)),
                bad("config", () -> BuiltinTrainer.of(null)),
                bad("classPath[0]", () -> JavaTrainer.mainClass("a.B").classPath((Path) null)),
                bad(
                        "classPath",
                        () -> JavaTrainer.mainClass("a.B").classPath(Path.of("a" + java.io.File.pathSeparator + "b"))),
                bad("batchSize", () -> TorchTuneConfig.defaults().batchSize(0)),
                bad("epochs", () -> TorchTuneConfig.defaults().epochs(0)),
                bad("lora rank", () -> TorchTuneConfig.defaults().lora(0, 1, List.of("q_proj"))),
                bad("lora alpha", () -> TorchTuneConfig.defaults().lora(1, 0, List.of("q_proj"))),
                bad("attentionModules", () -> TorchTuneConfig.defaults().lora(1, 1, List.of())),
                bad("patch", () -> new RuntimePatch(Map.of())),
                bad("trainingRuntimeSpec.a[0]", () -> new RuntimePatch(Map.of("a", List.of(new Object())))),
                bad("trainingRuntimeSpec.a", () -> new RuntimePatch(Map.of("a", Map.of(1, 2)))),
                bad("step", () -> PodPatch.of("Node")),
                bad("step", () -> PodPatch.of("node", (String) null)),
                bad("labels of pods", () -> PodPatch.of("node").label("-", "x")),
                bad("annotations of pods", () -> PodPatch.of("node").annotation("a", null)),
                bad(
                        "nodeSelector",
                        () -> PodPatch.of("node").nodeSelector("a", "b").nodeSelector("a", "c")),
                bad("toleration", () -> PodPatch.of("node").toleration(null)),
                bad("affinity", () -> PodPatch.of("node").affinity(Map.of()).affinity(Map.of())),
                bad("scheduling gate", () -> PodPatch.of("node").schedulingGate(" ")),
                bad("service account", () -> PodPatch.of("node").serviceAccount("a b")),
                bad("image pull secret", () -> PodPatch.of("node").imagePullSecret("")),
                bad("securityContext", () -> PodPatch.of("node").securityContext(null)),
                bad("securityContext", () -> PodPatch.of("node").containerSecurityContext(null)),
                bad("volume", () -> PodPatch.of("node").volume("Data", Map.of())),
                bad("volume", () -> PodPatch.of("node").volume("a", Map.of()).volume("a", Map.of())),
                bad("volume", () -> PodPatch.of("node").volume("a", null)),
                bad("mounted", () -> PodPatch.of("node").mount("a", "data")),
                bad("patch of pods", () -> PodPatch.of("node").build()),
                bad("path of a field", () -> new TrainJobField("spec..suspend", true)),
                bad("path of a field", () -> new TrainJobField("[name=\"spec\"]", true)),
                bad("path of a field", () -> new TrainJobField("spec[0]", true)),
                bad("amount", () -> WorkspaceClaim.of("much")),
                bad("storage class", () -> WorkspaceClaim.of("1Gi").storageClass("a b")),
                bad(
                        "workspaceClaim",
                        () -> TrainJobRequest.builder()
                                .option(WorkspaceClaim.of("1Gi"))
                                .option(WorkspaceClaim.of("2Gi"))
                                .build()),
                bad("script's path", () -> CustomTrainer.script(null)),
                bad("tail", () -> LogQuery.all().tail(-1)),
                bad("follow", () -> LogQuery.all().following().previousAttempt()),
                bad("since", () -> LogQuery.all().since(null)),
                bad("statuses", () -> WaitOptions.forStatus()),
                bad("statuses", () -> WaitOptions.forStatus((JobStatus[]) null)),
                bad("statuses", () -> WaitOptions.forStatus((JobStatus) null)),
                bad("statuses", () -> WaitOptions.forStatus(JobStatus.UNKNOWN)),
                bad("timeout", () -> wait.within(Duration.ZERO)),
                bad("timeout", () -> wait.within(null)),
                bad("polling interval", () -> wait.pollEvery(Duration.ZERO)),
                bad("polling interval", () -> wait.pollEvery(Duration.ofMinutes(10))),
                bad("polling interval", () -> wait.pollEvery(Duration.ofHours(1))),
                bad("listeners[0]", () -> wait.onChange(null)));
    }

    private static Arguments bad(String field, ThrowingCallable call) {
        return Arguments.of(field, Named.of("call", call));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badValues")
    void aBadValueIsRefusedWithItsFieldAndWhatToDo(String field, ThrowingCallable call) {
        refused(field, call);
    }

    @Test
    void valuesAtTheBoundsAreTaken() {
        assertThatCode(() -> {
                    TrainJobRequest.builder()
                            .name("a" + "b".repeat(62))
                            .runtime("x".repeat(253))
                            .label("example.com/" + "k".repeat(63), "v".repeat(63))
                            .label("empty", "")
                            .annotation("note", "größe 漢字 🚀\nsecond line ".repeat(1_000))
                            .build();
                    CommandTrainer.of("x", "", "größe 漢字 🚀", "x".repeat((128 << 10) - 1))
                            .env("größe".replace("öß", "oess"), "")
                            .env("_", "a\nb")
                            .env("X", "x".repeat(100_000));
                    CustomTrainer.source("train.py", "x".repeat(8 << 20)).packagesToInstall("a", "a");
                    Resources.none().cpu("0.5").memory("1.5Gi").gpu(0).with("rdma/hca", "1");
                    JavaTrainer.mainClass("größe.Ключ$1").classPath((Path[]) null);
                    InitializerSpec.dataset("hf://org/data@main/größe/a:b@c");
                })
                .doesNotThrowAnyException();
    }

    @Test
    void aScriptThatCannotBeReadIsRefused(@TempDir Path directory) throws IOException {
        Path binary = Files.write(directory.resolve("binary.py"), new byte[] {'x', (byte) 0xff, (byte) 0xfe});
        Path huge = directory.resolve("huge.py");
        Files.write(huge, new byte[(8 << 20) + 1]);
        Path empty = Files.writeString(directory.resolve("empty.py"), "");
        Path oddName = Files.writeString(directory.resolve("a b.py"), "x");

        refused("missing.py", () -> CustomTrainer.script(directory.resolve("missing.py")));
        refused(directory.getFileName().toString(), () -> CustomTrainer.script(directory));
        refused("binary.py", () -> CustomTrainer.script(binary));
        refused("huge.py", () -> CustomTrainer.script(huge));
        refused("empty.py", () -> CustomTrainer.script(empty));
        refused("a b.py", () -> CustomTrainer.script(oddName));
        refused("missing.py", () -> TrainJobRequest.builder().script(directory.resolve("missing.py")));
    }

    @Test
    void anErrorStaysOneReadableLineWhateverWasGiven() {
        assertThatThrownBy(() -> JobName.check("a\u0007\u001b[31m" + LONG))
                .hasMessageContaining("a\\u0007\\u001b[31mxxx")
                .hasMessageContaining("…")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://key:s3cret@host/x", "https://user:s3cret@host/"})
    void aPasswordInAUriIsNotShown(String uri) {
        assertThatThrownBy(() -> InitializerSpec.dataset(uri))
                .isInstanceOf(InvalidJobException.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cret"));
    }

    @Test
    void aPasswordInTheAddressOfAnIndexIsNotShown() {
        CustomTrainer script =
                CustomTrainer.source("t.py", "x").pipIndexUrls("https://user:s3cret@index.example/simple");

        assertThat(script.toString()).doesNotContain("s3cret").contains("https://***@index.example/simple");
        assertThatThrownBy(() -> script.pipIndexUrls("htps://user:s3cret@index.example"))
                .isInstanceOf(InvalidJobException.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cret"));
    }

    @Test
    void theTextOfATrainerIsShortHoweverLongItsScript() {
        String source = "x".repeat(1 << 20);

        assertThat(CustomTrainer.source("train.py", source).toString())
                .contains("train.py", "1048576 characters")
                .hasSizeLessThan(1_000);
    }

    @Test
    void theBytesOfAScriptAreThoseOfItsFile(@TempDir Path directory) throws IOException {
        byte[] bytes = "\uFEFF# größe\r\n\tprint('漢字')".getBytes(StandardCharsets.UTF_8);
        Path file = Files.write(directory.resolve("train.py"), bytes);

        assertThat(CustomTrainer.script(file).source().getBytes(StandardCharsets.UTF_8))
                .isEqualTo(bytes);
    }

    private static void refused(String field, ThrowingCallable call) {
        String advice =
                "(?s).*\\b(give|leave|use|write|take|put|choose|make|drop|check|shorten|wait for|rename|save)\\b.*";
        assertThatThrownBy(call)
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining(field)
                .satisfies(e -> assertThat(e.getMessage()).matches(advice));
    }
}
