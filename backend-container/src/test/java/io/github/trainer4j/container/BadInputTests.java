package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.model.Network;
import com.github.dockerjava.transport.DockerHttpClient;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.spi.BackendProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What people give by mistake, on a real engine: they are told what is wrong and what to do, and nothing is left. */
@Timeout(300)
abstract class BadInputTests extends LabTests {
    private static final String NO_SHELL = "trainer4j-test/noshell:1";

    private ContainerBackend backend;
    private EngineConnection connection;
    private Engine engine;

    BadInputTests(BackendProvider provider, String variable) {
        super(provider, variable);
    }

    @BeforeEach
    void open() throws IOException {
        backend = lab.backend(Map.of());
        EngineAddress address = new EngineAddress(URI.create(lab.host()), Optional.empty(), "test");
        connection = new EngineConnection(address, Duration.ofMinutes(2), "bad-input-");
        engine = Engine.open(connection, Duration.ofSeconds(60));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** Starts a job for each trainer, and returns how each failed, when nothing is left of any. */
    private List<Failure> failures(Trainer... trainers) throws InterruptedException {
        List<String> names = new ArrayList<>();
        for (Trainer trainer : trainers) {
            names.add(lab.start(backend, lab.job().trainer(trainer).build()).name());
        }
        List<Failure> failures = new ArrayList<>();
        for (String name : names) {
            failures.add(lab.over(backend, name).failure().orElseThrow());
            assertThat(Engines.traces(lab.host(), name)).isEmpty();
        }
        return failures;
    }

    @Test
    void aProgramThatCannotBeRunIsToldWithItsImage() throws InterruptedException {
        List<Failure> failures = failures(
                CommandTrainer.of("/no/such/program", "x")
                        .image(Engines.BUSYBOX)
                        .numNodes(2),
                CommandTrainer.of("/etc").image(Engines.BUSYBOX),
                CustomTrainer.source("train.py", "print(1)").image(NO_SHELL),
                CustomTrainer.source("train.py", "print(1)").image(NO_SHELL).packagesToInstall("x"));

        assertThat(failures).extracting(Failure::reason).containsOnly("StartFailed");
        assertThat(failures).extracting(failure -> failure.step().orElseThrow()).containsOnly("node-0");
        assertThat(failures)
                .extracting(Failure::message)
                .allSatisfy(message -> assertThat(message).containsPattern("start the container \\w+-node-0:"));
        assertThat(failures.get(0).message())
                .endsWith(
                        "the image " + Engines.BUSYBOX + " has no program '/no/such/program': choose an image that has"
                                + " it, or give a program that the image has");
        assertThat(failures.get(1).message()).contains("'/etc' may not be run there: give a file that is a program");
        assertThat(failures.get(2).message()).contains("the image " + NO_SHELL + " has no program 'python3'");
        assertThat(failures.get(3).message()).contains("the image " + NO_SHELL + " has no program '");
    }

    @Test
    void anInitializerWhoseImageHasNoSuchProgramEndsItsSibling() throws InterruptedException {
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .dataset(InitializerSpec.dataset("hf://test/ok").image(Engines.BUSYBOX))
                        .model(Lab.fetch(InitializerSpec.model("hf://test/sleep-600")))
                        .trainer(CommandTrainer.of("true").image(Engines.BUSYBOX))
                        .build());

        Failure failure = job.failure().orElseThrow();
        assertThat(failure.step()).hasValue("dataset-initializer");
        assertThat(failure.reason()).isEqualTo("StartFailed");
        assertThat(failure.message()).contains("the image " + Engines.BUSYBOX + " has no program 'python'");
        assertThat(failure.further())
                .extracting(further -> further.step().orElse("") + " " + further.reason())
                .contains("model-initializer Cancelled");
        assertThat(Engines.traces(lab.host(), job.name())).isEmpty();
    }

    @Test
    void anImageThatExitsAtOnceIsOverWithItsCode() throws InterruptedException {
        TrainJob good = lab.run(
                backend,
                lab.job().trainer(CustomTrainerContainer.of(Engines.BUSYBOX)).build());
        Lab.isComplete(good);
        TrainJob bad = lab.run(
                backend,
                lab.job()
                        .trainer(CommandTrainer.of("/noshell", "exit=7")
                                .image(NO_SHELL)
                                .numNodes(3))
                        .build());

        assertThat(bad.failure().orElseThrow().exitCode()).hasValue(7);
        assertThat(bad.failure().orElseThrow().logTail()).isNotEmpty();
    }

    @Test
    void whatIsNoNameOfAnImageIsToldAsSuch() throws InterruptedException {
        List<Failure> failures = failures(
                CommandTrainer.of("true").image("UPPER/case"),
                CommandTrainer.of("true").image("a:b:c"));

        assertThat(failures).extracting(Failure::reason).containsOnly("InvalidImageName");
        assertThat(failures).extracting(failure -> failure.step().orElseThrow()).containsOnly("node-0");
        assertThat(failures.get(1).message()).contains("'a:b:c'").contains("write for example ghcr.io/org/image:tag");
    }

    @Test
    void anImageThatIsNowhereIsToldWithTheWayOut() throws InterruptedException {
        Failure failure = failures(CommandTrainer.of("true").image("127.0.0.1:1/no/such:image"))
                .get(0);

        assertThat(failure.reason()).isEqualTo("ErrImagePull");
        assertThat(failure.step()).hasValue("node-0");
        assertThat(failure.message())
                .contains("127.0.0.1:1/no/such:image could not be pulled")
                .contains("log in");
    }

    @Test
    void anImageForOtherMachinesIsToldAsSuch(@TempDir Path context) throws IOException, InterruptedException {
        String image = "trainer4j-test/foreign:" + JobName.generate();
        String other = engine.facts().architecture().equals("arm64") ? "amd64" : "arm64";
        Files.writeString(context.resolve("program"), "no program for this machine");
        Files.writeString(context.resolve("Dockerfile"), "FROM scratch\nCOPY program /program\n");
        build(image, "linux/" + other, context);
        try {
            TrainJob job = lab.run(
                    backend,
                    lab.job()
                            .trainer(CommandTrainer.of("/program").image(image))
                            .build());

            assertThat(backend.events(job.name()))
                    .filteredOn(event -> event.reason().equals("PlatformMismatch"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.type()).isEqualTo(Event.Type.WARNING))
                    .extracting(Event::message)
                    .asString()
                    .contains(image + " is for linux/" + other)
                    .contains("choose an image for this platform");
        } finally {
            connection.client().removeImageCmd(image).withForce(true).exec();
        }
    }

    private void build(String image, String platform, Path context) throws IOException {
        Process tar = new ProcessBuilder("tar", "-C", context.toString(), "-cf", "-", ".")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        byte[] bytes = tar.getInputStream().readAllBytes();
        try (EngineHttp http = new EngineHttp(connection.address(), Optional.empty());
                DockerHttpClient.Response response = http.execute(DockerHttpClient.Request.builder()
                        .method("POST")
                        .path("/build?t=" + image + "&platform=" + platform)
                        .putAllHeaders(Map.of("Content-Type", "application/x-tar"))
                        .bodyBytes(bytes)
                        .build())) {
            String said = new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(said).contains("Successfully built");
        }
    }

    @Test
    void aNameWhoseNetworkIsAnothersIsRefused() {
        String name = JobName.generate();
        String id = engine.createNetwork(name + "-net", Map.of());
        try {
            TrainJobRequest request = lab.job(name).trainer(sh("true")).build();

            assertThatThrownBy(() -> lab.start(backend, request))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("there is a network " + name + "-net already")
                    .hasMessageContaining("choose another name");
            assertThat(engine.hasNetwork(name + "-net"))
                    .as("the foreign network is there")
                    .isTrue();
        } finally {
            engine.removeNetwork(id);
        }
    }

    @Test
    void moreNodesThanTheNetworkHasAddressesForAreRefusedBeforeAnyStarts() throws InterruptedException {
        Failure own = failures(sh("true").image(Engines.BUSYBOX).numNodes(300)).get(0);

        assertThat(own.reason()).isEqualTo("StartFailed");
        assertThat(own.message())
                .containsPattern("-net has addresses for 2\\d\\d more containers, but the job has 300 nodes")
                .contains("fewer nodes");

        String network = "trainer4j-" + JobName.generate();
        String id = connection
                .client()
                .createNetworkCmd()
                .withName(network)
                .withIpam(new Network.Ipam()
                        .withConfig(new Network.Ipam.Config()
                                .withSubnet(provider.name().equals("docker") ? "203.0.113.0/29" : "203.0.113.8/29")))
                .exec()
                .getId();
        try {
            backend = lab.backend(Map.of("network", network));
            Failure shared = failures(sh("true").numNodes(6)).get(0);

            assertThat(shared.message())
                    .contains("network " + network + " has addresses for 5 more containers, but the job has 6 nodes");
            Lab.isComplete(lab.run(
                    backend, lab.job().trainer(sh("sleep 3").numNodes(5)).build()));
        } finally {
            lab.deleteJobs();
            engine.removeNetwork(id);
        }
    }

    @Test
    void aNewlineIsRefusedInALabelAndKeptWhereItMayBe() throws InterruptedException {
        assertThatThrownBy(() ->
                        lab.job().label("note", "a\nb").trainer(sh("true")).build())
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("labels[note]")
                .hasMessageContaining("annotation");

        Map<String, String> odd = new LinkedHashMap<>();
        odd.put("labels.note", "a\n\"b\"\\n, c=d");
        backend = lab.backend(odd);
        TrainJob job = lab.run(
                backend,
                lab.job().annotation("note", "a\n\"b\"\\n").trainer(sh("true")).build());

        Lab.isComplete(job);
        assertThat(backend.get(job.name()).annotations()).isEqualTo(Map.of("note", "a\n\"b\"\\n"));
        assertThat(engine.inspect(job.name() + "-node-0").orElseThrow().labels())
                .containsEntry("note", "a\n\"b\"\\n, c=d");
    }

    private static CommandTrainer sh(String script) {
        return CommandTrainer.of("sh", "-c", script);
    }
}
