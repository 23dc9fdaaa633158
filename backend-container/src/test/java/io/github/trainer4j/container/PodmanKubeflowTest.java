package io.github.trainer4j.container;

import io.github.trainer4j.testkit.KubeflowPeer;
import io.github.trainer4j.testkit.RequiresEngine;

@RequiresEngine({"TRAINER4J_TEST_PODMAN", KubeflowPeer.PYTHON})
class PodmanKubeflowTest extends KubeflowTests {
    PodmanKubeflowTest() {
        super(new PodmanBackendProvider(), "TRAINER4J_TEST_PODMAN");
    }
}
