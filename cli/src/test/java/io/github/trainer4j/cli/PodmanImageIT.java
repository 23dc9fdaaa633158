package io.github.trainer4j.cli;

import io.github.trainer4j.testkit.RequiresEngine;

@RequiresEngine("TRAINER4J_TEST_PODMAN")
class PodmanImageIT extends ImageTests {
    PodmanImageIT() {
        super("podman", "TRAINER4J_TEST_PODMAN");
    }
}
