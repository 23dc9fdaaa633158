package io.github.trainer4j.container;

@RequiresEngine("TRAINER4J_TEST_PODMAN")
class PodmanDiskTest extends DiskTests {
    PodmanDiskTest() {
        super(new PodmanBackendProvider(), "TRAINER4J_TEST_PODMAN");
    }
}
