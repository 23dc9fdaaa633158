package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.testkit.InitializerContract;
import io.github.trainer4j.testkit.InitializerUnderTest;
import java.nio.file.Path;

class ToyInitializerContractTest extends InitializerContract {
    @Override
    protected InitializerUnderTest initializer(Path work) {
        return InitializerUnderTest.of(new ToyInitializerProvider(), InitializerSpec.dataset("toy://3x1000"))
                .file("file-0.txt", "a".repeat(1000))
                .file("file-1.txt", "b".repeat(1000))
                .file("file-2.txt", "c".repeat(1000))
                .option("suffix", ".txt")
                .secretOption("token")
                .malformed(
                        InitializerSpec.dataset("toy://many"),
                        InitializerSpec.dataset("toy://0x10"),
                        InitializerSpec.dataset("toy://3x1000x2"));
    }
}
