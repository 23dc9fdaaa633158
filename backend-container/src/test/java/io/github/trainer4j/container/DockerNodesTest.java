package io.github.trainer4j.container;

@RequiresEngine("TRAINER4J_TEST_DOCKER")
class DockerNodesTest extends NodesTests {
    DockerNodesTest() {
        super(new DockerBackendProvider(), "TRAINER4J_TEST_DOCKER");
    }
}
