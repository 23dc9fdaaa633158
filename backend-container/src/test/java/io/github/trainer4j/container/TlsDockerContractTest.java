package io.github.trainer4j.container;

import io.github.trainer4j.testkit.BackendContract;
import io.github.trainer4j.testkit.BackendUnderTest;
import io.github.trainer4j.testkit.RequiresEngine;
import java.nio.file.Path;

@RequiresEngine("TRAINER4J_TEST_DOCKER_TLS")
class TlsDockerContractTest extends BackendContract {
    @Override
    protected BackendUnderTest backend(Path work) {
        return Engines.underTest(new DockerBackendProvider(), "TRAINER4J_TEST_DOCKER_TLS");
    }
}
