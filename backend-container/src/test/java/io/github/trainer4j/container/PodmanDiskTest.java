package io.github.trainer4j.container;

import io.github.trainer4j.testkit.RequiresEngine;

@RequiresEngine({"TRAINER4J_TEST_PODMAN", "TRAINER4J_TEST_SHARED_MOUNTS"})
class PodmanDiskTest extends DiskTests {
    PodmanDiskTest() {
        super(new PodmanBackendProvider(), "TRAINER4J_TEST_PODMAN");
    }
}
