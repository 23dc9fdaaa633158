package io.github.trainer4j.container;

@RequiresEngine({"TRAINER4J_TEST_DOCKER", KubeflowPeer.PYTHON})
class DockerKubeflowTest extends KubeflowTests {
    DockerKubeflowTest() {
        super(new DockerBackendProvider(), "TRAINER4J_TEST_DOCKER");
    }
}
