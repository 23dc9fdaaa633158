package io.github.trainer4j.container;

import io.github.trainer4j.testkit.BackendContract;
import io.github.trainer4j.testkit.BackendUnderTest;
import io.github.trainer4j.testkit.RequiresEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

@RequiresEngine("TRAINER4J_TEST_PODMAN_ROOTLESS")
class RootlessPodmanContractTest extends BackendContract {
    @Override
    protected BackendUnderTest backend(Path work) {
        try {
            Engines.letPass(work);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Engines.underTest(new PodmanBackendProvider(), "TRAINER4J_TEST_PODMAN_ROOTLESS");
    }
}
