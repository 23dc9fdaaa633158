package io.github.trainer4j.container;

@RequiresEngine({"TRAINER4J_TEST_PODMAN", KubeflowPeer.PYTHON})
class PodmanKubeflowTest extends KubeflowTests {
    PodmanKubeflowTest() {
        super(new PodmanBackendProvider(), "TRAINER4J_TEST_PODMAN");
    }
}
