package io.github.trainer4j.container;

import io.github.trainer4j.testkit.RequiresEngine;

@RequiresEngine("TRAINER4J_TEST_PODMAN")
class PodmanBadInputTest extends BadInputTests {
    PodmanBadInputTest() {
        super(new PodmanBackendProvider(), "TRAINER4J_TEST_PODMAN");
    }
}
