package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.spi.BackendProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Gives secrets in every way there is, and looks for them everywhere an engine, a disk or a log shows something. */
@Timeout(300)
abstract class SecretsTests extends LabTests {
    private static final String NODE = "canaryNode4711";
    private static final String TOKEN = "canaryToken4712";
    private static final String INDEX = "canaryIndex4713";
    private static final String FURTHER = "canaryFurther4714";
    private static final String REGISTRY = "canaryRegistry4715";
    private static final String NOWHERE = "127.0.0.1:1/no/such:image";
    /** Stands in for pip, which the image has not: says which index it would ask, without the password. */
    private static final String PIP = """
            import os, re, sys
            for name in ('PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL'):
                print(name, re.sub('canary[A-Z][a-z]+', 'hidden-', os.environ.get(name, '')), flush=True)
            print(sys.argv[1:], os.environ.get('PIP_BREAK_SYSTEM_PACKAGES'), flush=True)
            """;

    private static final String SCRIPT = "import os; print(os.environ['API_KEY'][-4:])";

    SecretsTests(BackendProvider provider, String variable) {
        super(provider, variable);
    }

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(lab.work().resolve("pip/pip"));
        Files.writeString(lab.work().resolve("pip/pip/__main__.py"), PIP);
        Path docker = Files.createDirectories(lab.work().resolve("home/.docker"));
        Files.writeString(
                docker.resolve("config.json"),
                Json.write(Map.of("auths", Map.of("127.0.0.1:1", Map.of("auth", base64("me:" + REGISTRY))))));
    }

    private static ContainerBackend backend(Lab lab) {
        return lab.backend(Map.of("volumes", lab.work().resolve("pip") + ":/opt/pip:ro", "env.PYTHONPATH", "/opt/pip"));
    }

    /** A job that does well, one whose initializer fails, and one whose image cannot be pulled. */
    private static List<TrainJobRequest> requests(Lab lab, List<String> names) {
        Secret token = Secret.of(TOKEN);
        CommandTrainer plain = CommandTrainer.of("true").secretEnv("API_KEY", Secret.of(NODE));
        return List.of(
                lab.job(names.get(0))
                        .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/ok"))
                                .secret("access_token", token))
                        .trainer(CustomTrainer.source("train.py", SCRIPT)
                                .packagesToInstall("numpy")
                                .pipIndexUrls(
                                        "https://me:" + INDEX + "@127.0.0.1/simple",
                                        "https://me:" + FURTHER + "@127.0.0.1/further")
                                .secretEnv("API_KEY", Secret.of(NODE))
                                .image(Engines.TORCH))
                        .build(),
                lab.job(names.get(1))
                        .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/exit-3"))
                                .secret("access_token", token))
                        .trainer(plain)
                        .build(),
                lab.job(names.get(2)).trainer(plain.image(NOWHERE)).build());
    }

    /** The client, in a JVM of its own because it logs all there is. */
    public static void main(String[] args) throws Exception {
        BackendProvider provider = Class.forName(args[0])
                .asSubclass(BackendProvider.class)
                .getDeclaredConstructor()
                .newInstance();
        Lab lab = new Lab(provider, args[1], Path.of(args[2]));
        try (ContainerBackend backend = backend(lab)) {
            for (TrainJobRequest request : requests(lab, List.of(args).subList(3, args.length))) {
                lab.run(backend, request);
            }
        }
    }

    private String runAndLog(List<String> names) throws IOException, InterruptedException {
        Path log = lab.work().resolve("client.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=trace",
                "-cp",
                System.getProperty("java.class.path"),
                SecretsTests.class.getName(),
                provider.getClass().getName(),
                lab.host(),
                lab.work().toString()));
        command.addAll(names);
        int exit = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        assertThat(exit).as(() -> "the client failed: " + log).isZero();
        return Files.readString(log);
    }

    @Test
    void secretsAreSeenNowhereButWhereTheyWereAskedFor() throws Exception {
        List<String> names = List.of(JobName.generate(), JobName.generate(), JobName.generate());
        List<TrainJobRequest> requests = requests(lab, names);
        Map<String, String> seen = new LinkedHashMap<>();
        seen.put("the client's log", runAndLog(names));
        assertThat(seen.get("the client's log")).as("all is logged").contains("TRACE", "DEBUG", names.get(0));
        ContainerBackend backend = backend(lab);
        for (TrainJobRequest request : requests) {
            String name = request.name().orElseThrow();
            TrainJob job = backend.get(name);
            seen.put("the request of " + name, request.toString());
            seen.put("the plan of " + name, backend.plan(request).toString());
            seen.put("the job " + name, job.toString());
            seen.put(
                    "the failure of " + name,
                    job.failure().map(Failure::describe).orElse(""));
            seen.put("the events of " + name, backend.events(name).toString());
            seen.put(
                    "the log of " + name,
                    Lab.lines(backend, name, LogQuery.all()).toString());
            engine(seen, name);
        }
        files(seen, lab.work().resolve("state"));
        nobodySees(seen);

        Lab.isComplete(backend.get(names.get(0)));
        assertThat(Lab.log(backend, names.get(0), "node-0"))
                .containsExactly(
                        "PIP_INDEX_URL https://me:hidden-4713@127.0.0.1/simple",
                        "PIP_EXTRA_INDEX_URL https://me:hidden-4714@127.0.0.1/further",
                        "['install', '--disable-pip-version-check', '--no-input', '--quiet', 'numpy'] 1",
                        "4711");
        assertThat(lab.work().resolve("state/containers/" + names.get(0) + "/dataset/given.txt"))
                .content()
                .contains("ACCESS_TOKEN_SHA256=");
        assertThat(backend.get(names.get(1)).failure().orElseThrow().exitCode()).hasValue(3);
        assertThat(backend.get(names.get(2)).failure().orElseThrow().message())
                .as("the login was used")
                .contains("user me of");
    }

    private static void nobodySees(Map<String, String> seen) {
        seen.forEach((where, text) -> assertThat(text)
                .as(where)
                .doesNotContain(NODE, TOKEN, INDEX, FURTHER, REGISTRY, base64("me:" + REGISTRY)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void files(Map<String, String> seen, Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                seen.put(file.toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
    }

    /** What the engine shows of a job, but for the environment of its nodes: there the secrets were wanted. */
    private void engine(Map<String, String> seen, String job) throws IOException {
        EngineAddress address = new EngineAddress(URI.create(lab.host()), Optional.empty(), "test");
        try (EngineConnection connection = new EngineConnection(address, Duration.ofSeconds(60), "secrets-");
                Engine engine = Engine.open(connection, Duration.ofSeconds(60))) {
            List<String> steps = new ArrayList<>();
            for (ContainerFacts container : engine.containers(Labels.JOB + "=" + job)) {
                Map<String, Object> shown = new LinkedHashMap<>(
                        Json.parseObject(answer(connection, "/containers/" + container.id() + "/json")));
                steps.add(container.step());
                if (container.step().startsWith("node-") && shown.get("Config") instanceof Map<?, ?> config) {
                    Map<Object, Object> rest = new LinkedHashMap<>(config);
                    assertThat(String.valueOf(rest.remove("Env"))).contains(NODE);
                    shown.put("Config", rest);
                }
                seen.put("container " + container.name(), shown.toString());
            }
            assertThat(steps).as("containers that carried a secret").doesNotContain("dataset-initializer");
            for (NetworkFacts network : engine.networks(Labels.JOB + "=" + job)) {
                seen.put("network " + network.name(), answer(connection, "/networks/" + network.id()));
            }
        }
    }

    private static String answer(EngineConnection connection, String path) throws IOException {
        try (var response = connection.stream("show it", "GET", path)) {
            return new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
