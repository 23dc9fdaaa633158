package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.testkit.RequiresEngine;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is particular to an engine without the rights of root: whose the files are, and what it cannot limit. */
@Timeout(300)
@RequiresEngine("TRAINER4J_TEST_PODMAN_ROOTLESS")
class RootlessPodmanTest {
    private static final String VARIABLE = "TRAINER4J_TEST_PODMAN_ROOTLESS";
    private static final String MAKE_FILES =
            "mkdir /workspace/d && echo x > /workspace/d/f && chmod 700 /workspace/d; id -u";

    private final Lab lab;

    RootlessPodmanTest() throws IOException {
        lab = new Lab(new PodmanBackendProvider(), System.getenv(VARIABLE));
    }

    @BeforeEach
    void open() throws IOException {
        Engines.letPass(lab.work());
    }

    @AfterEach
    void close() throws IOException {
        lab.close();
    }

    /** Whose the engine is: anywhere but here, where root runs the tests, that is who runs jobs. */
    private static UserPrincipal engineUser() throws IOException {
        return FileSystems.getDefault()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(System.getenv(VARIABLE + "_USER"));
    }

    private static CommandTrainer sh(String script) {
        return CommandTrainer.of("sh", "-c", script);
    }

    private TrainJob makeFiles(ContainerBackend backend) throws InterruptedException {
        TrainJob job = lab.run(backend, lab.job().trainer(sh(MAKE_FILES)).build());
        Lab.isComplete(job);
        return job;
    }

    @Test
    void filesOfRootWithinBelongToTheUserOfTheEngine() throws InterruptedException, IOException {
        ContainerBackend backend = lab.backend(Map.of());

        TrainJob job = makeFiles(backend);

        assertThat(Lab.log(backend, job.name(), "node-0")).containsExactly("0");
        assertThat(file(job)).returns(engineUser(), RootlessPodmanTest::owner);
    }

    @Test
    void aContainerMayRunAsTheUserOfTheEngineWithinToo() throws InterruptedException, IOException {
        ContainerBackend backend = lab.backend(Map.of("userns", "keep-id"));

        TrainJob job = makeFiles(backend);

        Object uid = Files.getAttribute(file(job), "unix:uid");
        assertThat(Lab.log(backend, job.name(), "node-0")).containsExactly(uid.toString());
        assertThat(file(job)).returns(engineUser(), RootlessPodmanTest::owner);
    }

    @Test
    void filesOfAnotherUserWithinAreRemovedThroughTheEngine() throws InterruptedException, IOException {
        TrainJob job = makeFiles(lab.backend(Map.of("user", "12345")));
        assertThat(owner(file(job)).getName())
                .as("an id that is nobody's out here")
                .matches("[0-9]+");

        Path workspace = lab.sweep(job.name());

        assertThat(workspace).isEmptyDirectory();
    }

    @Test
    void aLimitThatWouldBeIgnoredIsRefusedOrTold() throws InterruptedException {
        TrainJobRequest limited =
                lab.job().trainer(sh("true").resources(r -> r.memory("64Mi"))).build();
        ContainerBackend strict = lab.backend(Map.of());
        ContainerBackend lenient = lab.backend(Map.of("strict-limits", "false"));

        assertThatThrownBy(() -> lab.start(strict, limited))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("control groups of version 1");
        Lab.isComplete(lab.run(lenient, limited));

        assertThat(lenient.events(limited.name().orElseThrow()))
                .extracting(Event::reason)
                .contains("LimitsIgnored");
    }

    private static Path file(TrainJob job) {
        return job.workspace().orElseThrow().resolve("d/f");
    }

    private static UserPrincipal owner(Path file) {
        try {
            return Files.getOwner(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
