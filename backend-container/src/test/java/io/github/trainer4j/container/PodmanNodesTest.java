package io.github.trainer4j.container;

@RequiresEngine("TRAINER4J_TEST_PODMAN")
class PodmanNodesTest extends NodesTests {
    PodmanNodesTest() {
        super(new PodmanBackendProvider(), "TRAINER4J_TEST_PODMAN");
    }
}
