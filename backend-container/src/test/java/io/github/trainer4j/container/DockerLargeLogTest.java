package io.github.trainer4j.container;

import io.github.trainer4j.testkit.RequiresEngine;

@RequiresEngine("TRAINER4J_TEST_DOCKER")
class DockerLargeLogTest extends LargeLogTests {
    DockerLargeLogTest() {
        super(new DockerBackendProvider(), "TRAINER4J_TEST_DOCKER");
    }
}
