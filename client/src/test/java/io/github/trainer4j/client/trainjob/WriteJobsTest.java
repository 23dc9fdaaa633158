package io.github.trainer4j.client.trainjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.ImagePullPolicy;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.RuntimeField;
import io.github.trainer4j.api.RuntimeTrainer;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.client.yaml.Yaml;
import io.github.trainer4j.client.yaml.YamlValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WriteJobsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/io/github/trainer4j/client/trainjob/written.yaml");

    static Stream<TrainJobRequest> samples() {
        return JobSamples.all().values().stream();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void whatIsWrittenIsReadAsTheSame(TrainJobRequest job) {
        assertThat(TrainJobs.read(TrainJobs.write(job), "f")).containsExactly(job);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void whatIsWrittenKeepsToTheSchemaOfTheCluster(TrainJobRequest job) {
        for (YamlValue document : Yaml.documents(TrainJobs.write(job), "f")) {
            Object tree = new Place(document, "", new Problems("f")).tree();
            assertThat(CrdSchema.trainJob().problems(tree)).isEmpty();
        }
    }

    @Test
    void theSchemaCanSayNo() {
        Object tree = new Place(
                        Yaml.documents("{spec: {trainer: {numNodes: x, nope: 1, args: [1]}}}", "f")
                                .get(0),
                        "",
                        new Problems("f"))
                .tree();
        assertThat(CrdSchema.trainJob().problems(tree))
                .containsExactly(
                        ".spec.runtimeRef is missing",
                        ".spec.trainer.numNodes is no integer",
                        ".spec.trainer.nope is unknown",
                        ".spec.trainer.args[] is no string");
    }

    /** The file is the form as people see it. {@code -Dgolden=write} writes it anew. */
    @Test
    void theFormIsThatOfTheGoldenFile() throws Exception {
        String written = TrainJobs.write(JobSamples.all().values().toArray(TrainJobRequest[]::new));
        if ("write".equals(System.getProperty("golden"))) {
            Files.writeString(GOLDEN, written);
        }
        assertThat(written).isEqualTo(Files.readString(GOLDEN));
    }

    @Test
    void aRuntimeThatWasGivenWholeIsWrittenOnceBeforeItsJobs() {
        TrainJobRequest job = JobSamples.withRuntime();
        String text = TrainJobs.write(job, job.withName("second"));
        List<TrainJobRequest> read = TrainJobs.read(text, "code");
        assertThat(text.split("---\n")).hasSize(3);
        assertThat(read).containsExactly(job, job.withName("second"));
    }

    @Test
    void anImageAsItIsBecomesTheRuntimesWithThatImage() {
        assertThat(TrainJobs.read(TrainJobs.write(JobSamples.container()), "f")
                        .get(0)
                        .trainer())
                .contains(RuntimeTrainer.defaults().image("example/led:1"));
    }

    @Test
    void aJavaProgramInTheImageBecomesACommand() {
        TrainJobRequest job = TrainJobRequest.builder()
                .trainer(JavaTrainer.mainClass("a.B").jvmOptions("-Xmx1g").args("x"))
                .build();
        assertThat(TrainJobs.read(TrainJobs.write(job), "f").get(0).trainer())
                .contains(CommandTrainer.of("java", "-Xmx1g", "a.B", "x"));
    }

    @Test
    void whatHasNoFieldIsRefused() {
        Map<String, TrainJobRequest.Builder> jobs = Map.of(
                "class path",
                TrainJobRequest.builder().trainer(JavaTrainer.mainClass("a.B").classPath(Path.of("a.jar"))),
                "the trainer's KEY is a secret",
                TrainJobRequest.builder().trainer(CommandTrainer.of("x").secretEnv("KEY", Secret.of("hidden-value"))),
                "no field for the resource shm",
                TrainJobRequest.builder().trainer(CommandTrainer.of("x").resources(r -> r.shm("1Gi"))),
                "no field for retries",
                TrainJobRequest.builder()
                        .dataset(InitializerSpec.dataset("hf://a/b").retries(1)),
                "no field for the option spec.suspend of the runtime elsewhere",
                TrainJobRequest.builder().option(new RuntimeField("elsewhere", "spec.suspend", true)),
                "no field for the option imagePullPolicy",
                TrainJobRequest.builder().option(ImagePullPolicy.NEVER));
        List<String> told = new ArrayList<>();
        jobs.forEach((message, job) -> assertThatExceptionOfType(InvalidJobException.class)
                .isThrownBy(() -> TrainJobs.write(job.build()))
                .satisfies(e -> told.add(e.getMessage()))
                .withMessageContaining(message));
        assertThat(told).noneMatch(message -> message.contains("hidden-value"));
    }
}
