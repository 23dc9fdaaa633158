package io.github.trainer4j.container;

@RequiresEngine("TRAINER4J_TEST_DOCKER")
class DockerLargeLogTest extends LargeLogTests {
    DockerLargeLogTest() {
        super(new DockerBackendProvider(), "TRAINER4J_TEST_DOCKER");
    }
}
