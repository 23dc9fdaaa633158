package io.github.trainer4j.container;

@RequiresEngine("TRAINER4J_TEST_DOCKER")
class DockerTrainersTest extends TrainersTests {
    DockerTrainersTest() {
        super(new DockerBackendProvider(), "TRAINER4J_TEST_DOCKER");
    }
}
