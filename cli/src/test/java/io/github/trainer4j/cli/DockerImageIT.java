package io.github.trainer4j.cli;

import io.github.trainer4j.testkit.RequiresEngine;

@RequiresEngine("TRAINER4J_TEST_DOCKER")
class DockerImageIT extends ImageTests {
    DockerImageIT() {
        super("docker", "TRAINER4J_TEST_DOCKER");
    }
}
