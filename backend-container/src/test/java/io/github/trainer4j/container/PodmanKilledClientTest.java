package io.github.trainer4j.container;

@RequiresEngine("TRAINER4J_TEST_PODMAN")
class PodmanKilledClientTest extends KilledClientTests {
    PodmanKilledClientTest() {
        super(new PodmanBackendProvider(), "TRAINER4J_TEST_PODMAN");
    }
}
