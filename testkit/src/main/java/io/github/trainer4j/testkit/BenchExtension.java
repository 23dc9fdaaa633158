package io.github.trainer4j.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test of the contract a {@link Bench} of its own and cleans up after it. */
final class BenchExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private final Function<Path, BackendUnderTest> backend;
    private @Nullable Bench bench;

    BenchExtension(Function<Path, BackendUnderTest> backend) {
        this.backend = backend;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        // The real path: a container engine may not follow a link in the path of a mounted directory.
        Path work = Files.createTempDirectory("trainer4j-contract-").toRealPath();
        Files.createDirectory(work.resolve("home"));
        bench = new Bench(backend.apply(work), work);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (bench != null) {
            bench.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Bench.class;
    }

    @Override
    public Bench resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (bench == null) {
            throw new IllegalStateException("a bench exists only while a test runs");
        }
        return bench;
    }
}
