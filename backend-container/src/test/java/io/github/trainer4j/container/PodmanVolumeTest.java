package io.github.trainer4j.container;

import io.github.trainer4j.testkit.RequiresEngine;
import java.net.URI;
import java.util.Optional;

@RequiresEngine("TRAINER4J_TEST_PODMAN")
class PodmanVolumeTest extends VolumeTests {
    PodmanVolumeTest() {
        super(
                new PodmanBackendProvider(),
                new EngineAddress(URI.create(System.getenv("TRAINER4J_TEST_PODMAN")), Optional.empty(), "test"));
    }
}
