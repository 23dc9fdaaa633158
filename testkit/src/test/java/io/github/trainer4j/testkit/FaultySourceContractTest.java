package io.github.trainer4j.testkit;

import java.nio.file.Path;

/** The contract of initializers with all that it can ask for; the toy itself has no source that could fail. */
class FaultySourceContractTest extends InitializerContract {
    @Override
    protected InitializerUnderTest initializer(Path work) {
        return BrokenInitializerTest.told(new FaultySource());
    }
}
