package io.github.trainer4j.local.contract;

import io.github.trainer4j.local.LocalBackendProvider;
import io.github.trainer4j.testkit.BackendContract;
import io.github.trainer4j.testkit.BackendUnderTest;
import java.nio.file.Path;

class LocalBackendContractTest extends BackendContract {
    @Override
    protected BackendUnderTest backend(Path work) {
        return BackendUnderTest.of(new LocalBackendProvider()).setting("grace-period", "5s");
    }
}
