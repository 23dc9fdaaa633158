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

/** Gives each test of the contract of initializers a {@link FetchBench} of its own. */
final class FetchBenchExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private final Function<Path, InitializerUnderTest> initializer;
    private @Nullable Path work;
    private @Nullable FetchBench bench;

    FetchBenchExtension(Function<Path, InitializerUnderTest> initializer) {
        this.initializer = initializer;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        work = Files.createTempDirectory("trainer4j-contract-").toRealPath();
        Path source = Files.createDirectory(work.resolve("source"));
        bench = new FetchBench(initializer.apply(source), Files.createDirectory(work.resolve("target")));
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        if (work != null) {
            DirectoryTree.delete(work);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == FetchBench.class;
    }

    @Override
    public FetchBench resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (bench == null) {
            throw new IllegalStateException("a bench exists only while a test runs");
        }
        return bench;
    }
}
