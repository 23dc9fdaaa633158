package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.testkit.KubeflowPeer;
import io.github.trainer4j.testkit.RequiresEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Packages that a script needs, installed in a real node: by the pip that Kubeflow's SDK was installed with. */
@RequiresEngine({"TRAINER4J_TEST_DOCKER", KubeflowPeer.PYTHON})
@Timeout(300)
class DockerPackagesTest {
    @Test
    void aPackageIsThereWhenTheScriptBegins() throws Exception {
        try (Lab lab = new Lab(new DockerBackendProvider(), System.getenv("TRAINER4J_TEST_DOCKER"))) {
            Path wheels = Files.createDirectory(lab.work().resolve("wheels"));
            wheel(wheels.resolve("greetings-1.0-py3-none-any.whl"));
            ContainerBackend backend = lab.backend(
                    Map.of("volumes", pip() + ":/pip/pip:ro," + wheels + ":/wheels:ro", "env.PYTHONPATH", "/pip"));
            TrainJob job = lab.run(
                    backend,
                    lab.job()
                            .trainer(CustomTrainer.source("train.py", "import greetings\nprint(greetings.HELLO)\n")
                                    .packagesToInstall("/wheels/greetings-1.0-py3-none-any.whl")
                                    .image(Engines.TORCH))
                            .build());

            Lab.isComplete(job);
            assertThat(Lab.log(backend, job.name(), "node-0")).contains("hello from a package");
        }
    }

    private static String pip() throws IOException {
        Process python = new ProcessBuilder(
                        System.getenv(KubeflowPeer.PYTHON), "-c", "import pip; print(pip.__path__[0])")
                .start();
        return new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static void wheel(Path file) throws IOException {
        Map<String, String> entries = Map.of(
                "greetings.py", "HELLO = 'hello from a package'\n",
                "greetings-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: greetings\nVersion: 1.0\n",
                "greetings-1.0.dist-info/WHEEL",
                        "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
                "greetings-1.0.dist-info/RECORD", "");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
    }
}
