package io.github.trainer4j.examples.plugin;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.testkit.InitializerContract;
import io.github.trainer4j.testkit.InitializerUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

class FileInitializerContractTest extends InitializerContract {
    @Override
    protected InitializerUnderTest initializer(Path work) {
        Path source = work.resolve("source");
        try {
            Files.createDirectories(source.resolve("b"));
            Files.writeString(source.resolve("a.txt"), "content of a");
            Files.writeString(source.resolve("b/c.txt"), "content of c");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return InitializerUnderTest.of(new FileInitializerProvider(), InitializerSpec.dataset("file://" + source))
                .file("a.txt", "content of a")
                .file("b/c.txt", "content of c")
                .malformed(
                        InitializerSpec.dataset("file://relative"),
                        InitializerSpec.dataset("file:///data").option("speed", "high"));
    }
}
