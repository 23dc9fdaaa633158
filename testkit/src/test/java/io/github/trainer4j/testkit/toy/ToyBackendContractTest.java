package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.testkit.BackendContract;
import io.github.trainer4j.testkit.BackendUnderTest;
import io.github.trainer4j.testkit.Feature;
import java.nio.file.Path;

class ToyBackendContractTest extends BackendContract {
    @Override
    protected BackendUnderTest backend(Path work) {
        return BackendUnderTest.of(new ToyBackendProvider()).without(Feature.ORPHANS);
    }
}
