package io.github.trainer4j.container;

import io.github.trainer4j.testkit.RequiresEngine;

@RequiresEngine({"TRAINER4J_TEST_DOCKER", "TRAINER4J_TEST_SHARED_MOUNTS"})
class DockerDiskTest extends DiskTests {
    DockerDiskTest() {
        super(new DockerBackendProvider(), "TRAINER4J_TEST_DOCKER");
    }
}
