package io.github.trainer4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BarTest {
    private static final long MIB = 1 << 20;

    @Test
    void aBarHasBytesRateAndTimeLeft() {
        assertThat(Bar.line("dataset-initializer", 10 * MIB, OptionalLong.of(40 * MIB), MIB, 100))
                .isEqualTo(
                        "dataset-initializer [#######.......................]  25% 10 MiB/40 MiB 1.0 MiB/s 30s left");
    }

    @Test
    void whatIsNotKnownIsLeftOut() {
        assertThat(Bar.line("model-initializer", 512, OptionalLong.empty(), 0, 80))
                .isEqualTo("model-initializer  512 B");
        assertThat(Bar.line("model-initializer", 0, OptionalLong.of(0), 0, 80)).contains("0 B/0 B");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 19, 20, 40, 60, 79, 80, 200})
    void aLineIsNeverWiderThanTheTerminal(int width) {
        for (long done : new long[] {0, 1, 999, MIB, Long.MAX_VALUE / 200}) {
            assertThat(Bar.line("dataset-initializer", done, OptionalLong.of(Long.MAX_VALUE / 200), 12345678, width))
                    .hasSizeLessThanOrEqualTo(width);
        }
    }
}
