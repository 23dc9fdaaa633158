package io.github.trainer4j.container;

import io.github.trainer4j.testkit.KubeflowPeer;
import io.github.trainer4j.testkit.RequiresEngine;

@RequiresEngine({"TRAINER4J_TEST_DOCKER", KubeflowPeer.PYTHON})
class DockerKubeflowTest extends KubeflowTests {
    DockerKubeflowTest() {
        super(new DockerBackendProvider(), "TRAINER4J_TEST_DOCKER");
    }
}
