package io.github.trainer4j.local;

import io.github.trainer4j.api.spi.Backend;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a bench of their own, and its backend. */
abstract class BenchTests {
    Bench bench;
    Backend backend;

    @BeforeEach
    void open(@TempDir Path work) {
        bench = new Bench(work);
        backend = bench.backend();
    }

    @AfterEach
    void close() throws InterruptedException {
        bench.close();
    }
}
