package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.testkit.RequiresEngine;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** This engine has a root of its own, and sees some of this machine's directories only. */
@Timeout(300)
@RequiresEngine("TRAINER4J_TEST_DOCKER26")
class Docker26WorkspaceTest {
    private static final String HOST = System.getenv("TRAINER4J_TEST_DOCKER26");

    private static boolean sees(Path directory) {
        EngineAddress address = new EngineAddress(URI.create(HOST), Optional.empty(), "test");
        try (Engine engine =
                Engine.open(new EngineConnection(address, Duration.ofSeconds(60), "sees-"), Duration.ofSeconds(60))) {
            return engine.files().sees(directory).orElseThrow();
        }
    }

    private static void run(Path work) throws IOException, InterruptedException {
        boolean seen = sees(work);
        try (Lab lab = new Lab(new DockerBackendProvider(), HOST, work)) {
            TrainJob job = lab.run(
                    lab.backend(Map.of()),
                    lab.job()
                            .trainer(CommandTrainer.of("sh", "-c", "echo result > /workspace/result"))
                            .build());

            Lab.isComplete(job);
            assertThat(job.workspace().orElseThrow().resolve("result")).hasContent("result");
            assertThat(new JobStore(work.resolve("state"))
                            .directory(job.name())
                            .results()
                            .toFile()
                            .exists())
                    .as("it was copied")
                    .isEqualTo(!seen);
        }
    }

    @Test
    void aWorkDirectoryThatTheEngineSeesIsMounted() throws Exception {
        Path work = Files.createTempDirectory("trainer4j-seen-");
        assertThat(sees(work)).isTrue();
        run(work);
    }

    @Test
    void whereTheEngineSeesNoWorkDirectoryTheWorkspaceIsAVolume() throws Exception {
        Path work = Files.createTempDirectory(Path.of("/run"), "trainer4j-unseen-");
        assertThat(sees(work)).isFalse();
        run(work);
    }
}
