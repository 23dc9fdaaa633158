package io.github.trainer4j.container;

import io.github.trainer4j.testkit.RequiresEngine;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** The engine with TLS stands for one on another machine. */
@RequiresEngine("TRAINER4J_TEST_DOCKER_TLS")
class DockerVolumeTest extends VolumeTests {
    private static final String HOST = "TRAINER4J_TEST_DOCKER_TLS";

    DockerVolumeTest() {
        super(
                new DockerBackendProvider(),
                new EngineAddress(
                        URI.create(System.getenv(HOST)), Optional.of(Path.of(System.getenv(HOST + "_CERTS"))), "test"));
    }
}
