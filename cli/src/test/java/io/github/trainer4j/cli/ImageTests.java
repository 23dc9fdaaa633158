package io.github.trainer4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.trainer4j.cli.ContainerEngine.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The image of this build on a real engine, and the commands of the guide. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class ImageTests {
    private static final Path GUIDE = Path.of("../docs/cli/README.md");
    private static final String JOB = """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: hello}
            spec:
              runtimeRef: {name: torch-distributed}
              trainer:
                numNodes: 2
                command: [sh, -c]
                args: ['echo "ä € of $PET_NNODES by $(id -u)"; touch node-$PET_NODE_RANK']
            """;

    private final String product;
    private final ContainerEngine engine;
    private Path directory;

    /** Takes the name of the product's client program. */
    ImageTests(String product, String variable) {
        this.product = product;
        this.engine = new ContainerEngine(System.getenv(variable));
    }

    @BeforeAll
    void load() throws Exception {
        String archive = System.getProperty("image.archive", "");
        if (archive.isEmpty()) {
            String reason = "this build makes no image; -Dimage.base=tar://ARCHIVE names what to make it of";
            assertThat(System.getProperty("engines")).as(reason).isNotEqualTo("required");
            System.out.println(getClass().getSimpleName() + " is skipped: " + reason);
            assumeTrue(false, reason);
        }
        engine.load(Path.of(archive));
    }

    @AfterAll
    void unload() throws Exception {
        if (!System.getProperty("image.archive", "").isEmpty()) {
            engine.removeImage("trainer4j:latest");
            engine.removeImage("trainer4j:" + System.getProperty("image.version"));
            assertThatCode(() -> engine.run(Map.of("Image", "trainer4j:latest")))
                    .hasMessageContaining("404");
        }
    }

    @BeforeEach
    void begin(@TempDir Path directory) {
        this.directory = directory;
    }

    private Result run(Map<String, Object> more, String... words) throws IOException {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("Image", "trainer4j:latest");
        settings.put("Cmd", List.of(words));
        return engine.run(settings);
    }

    private static Map<String, Object> mounted(String... binds) {
        return Map.of("HostConfig", Map.of("Binds", List.of(binds)));
    }

    @Test
    void itHasTheVersionOfTheBuildAndSaysNothingElse() throws Exception {
        assertThat(run(Map.of(), "version", "-o", "name"))
                .isEqualTo(new Result(0, System.getProperty("image.version") + "\n", ""));
    }

    @Test
    void itHasAllFirstPartyPluginsAndMountedOnes() throws Exception {
        BrokenPlugin.jar(directory);
        Result result = run(mounted(directory + ":/app/ext:ro"), "backends", "-o", "json");
        assertThat(result.code()).isZero();
        assertThat(result.out())
                .contains("\"local\"", "\"docker\"", "\"podman\"", "\"kubernetes\"", "\"hf\"", "\"s3\"", "\"cache\"")
                .contains("/app/libs/trainer4j-backend-local-" + System.getProperty("image.version") + ".jar");
        assertThat(result.out() + result.err()).contains("com.example.Broken", "/app/ext/plugin.jar");
    }

    @Test
    void anyUserTrainsWhatIsMountedAndExitCodesTell() throws Exception {
        Path work = Files.createDirectory(directory.resolve("work"));
        work.toFile().setWritable(true, false);
        Files.writeString(work.resolve("job.yaml"), JOB);
        Map<String, Object> settings = new HashMap<>(mounted(work + ":/work"));
        settings.put("User", "1234:1234");
        settings.put("Env", List.of("TRAINER4J_BACKEND=local"));
        Result result = run(settings, "train", "-f", "job.yaml", "--follow");
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out().lines())
                .containsExactlyInAnyOrder("[node-0] ä € of 2 by 1234", "[node-1] ä € of 2 by 1234", "hello");
        assertThat(run(settings, "runtimes", "-o", "name").out()).contains("torch-distributed\n");
        assertThat(run(settings, "train", "--name", "fails", "--wait", "--", "false")
                        .code())
                .isEqualTo(1);
    }

    @Test
    void jobsOnTheMountedEngineLeaveWhatTheyMade() throws Exception {
        String name = "image-" + UUID.randomUUID().toString().substring(0, 8);
        // Much enough that the end of the log is seen before it is copied.
        Result result = run(
                mounted(engine.socket() + ":" + inside()),
                "train",
                "--backend",
                product,
                "--name",
                name,
                "--image",
                "trainer4j-test/busybox:1",
                "--follow",
                "--rm",
                "--",
                "sh",
                "-c",
                "dd if=/dev/urandom of=/workspace/made bs=1M count=30 2>/dev/null; echo made");
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo("[node-0] made\n" + name + "\n");
    }

    private String inside() {
        return product.equals("docker") ? "/var/run/docker.sock" : "/run/podman/podman.sock";
    }

    @Test
    void whatTheGuideSaysOfItWorks() throws Exception {
        Files.writeString(directory.resolve("job.yaml"), JOB);
        List<String> lines = Files.readAllLines(GUIDE).stream()
                .filter(line -> line.startsWith(product + " run "))
                // Those of a cluster need one.
                .filter(line -> !line.contains(".kube"))
                .toList();
        assertThat(lines).isNotEmpty();
        for (String line : lines) {
            Result result = engine.run(settings(line));
            assertThat(result.code()).as(line + "\n" + result.err()).isZero();
            assertThat(result.out()).as(line).isNotEmpty();
        }
    }

    /** Reads a command line as the product's own client does. */
    private Map<String, Object> settings(String line) {
        List<String> words = new ArrayList<>(List.of(line.replace("\"$PWD\"", directory.toString())
                .replace(" " + inside() + ":", " " + engine.socket() + ":")
                .replace("--image busybox", "--image trainer4j-test/busybox:1")
                .replace("--name greet", "--name image-" + UUID.randomUUID())
                .split(" ")));
        words.subList(0, 2).clear();
        List<String> binds = new ArrayList<>();
        while (words.get(0).startsWith("-")) {
            String option = words.remove(0);
            if (option.equals("-v")) {
                binds.add(words.remove(0));
            } else {
                assertThat(option).isIn("--rm", "--init");
            }
        }
        return Map.of(
                "Image",
                words.remove(0),
                "Cmd",
                words,
                "HostConfig",
                Map.of("Binds", binds, "Init", line.contains("--init")));
    }
}
