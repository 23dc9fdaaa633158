package io.github.trainer4j.container;

import io.github.trainer4j.testkit.RequiresEngine;

@RequiresEngine("TRAINER4J_TEST_DOCKER")
class DockerKilledClientTest extends KilledClientTests {
    DockerKilledClientTest() {
        super(new DockerBackendProvider(), "TRAINER4J_TEST_DOCKER");
    }
}
