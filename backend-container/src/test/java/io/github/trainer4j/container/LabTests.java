package io.github.trainer4j.container;

import io.github.trainer4j.api.spi.BackendProvider;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests on the real engine at the address that a variable has, each with a lab of its own. */
abstract class LabTests {
    final BackendProvider provider;
    private final String variable;
    Lab lab;

    LabTests(BackendProvider provider, String variable) {
        this.provider = provider;
        this.variable = variable;
    }

    @BeforeEach
    final void openLab() throws IOException {
        lab = new Lab(provider, System.getenv(variable));
    }

    @AfterEach
    final void closeLab() throws IOException {
        lab.close();
    }
}
