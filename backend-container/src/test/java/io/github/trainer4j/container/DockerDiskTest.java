package io.github.trainer4j.container;

@RequiresEngine("TRAINER4J_TEST_DOCKER")
class DockerDiskTest extends DiskTests {
    DockerDiskTest() {
        super(new DockerBackendProvider(), "TRAINER4J_TEST_DOCKER");
    }
}
