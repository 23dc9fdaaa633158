package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineVersionTest {
    @ParameterizedTest
    @CsvSource({
        "Docker/20.10.24+dfsg1 (linux), DOCKER, 20.10.24+dfsg1",
        "Docker/29.0.0 (linux), DOCKER, 29.0.0",
        "Libpod/4.3.1 (linux), PODMAN, 4.3.1",
        "Libpod/5.4.2 (linux), PODMAN, 5.4.2"
    })
    void theHeadOfAnAnswerTellsWhoAnswers(String server, Dialect dialect, String number) {
        assertThat(EngineVersion.of(Map.of("server", List.of(server)))).contains(new EngineVersion(dialect, number));
    }

    @Test
    void aProxyThatNamesItselfTellsNothing() {
        assertThat(EngineVersion.of(Map.of("Server", List.of("nginx/1.22"), "Api-Version", List.of("1.41"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "5.4.2, 5, 4, true",
        "5.4.2, 5, 5, false",
        "4.9.0, 5, 0, false",
        "25.0.0-beta, 25, 0, true",
        "a2fc01b, 99, 0, true"
    })
    void versionsAreCompared(String number, int major, int minor, boolean atLeast) {
        assertThat(new EngineVersion(Dialect.PODMAN, number).isAtLeast(major, minor))
                .isEqualTo(atLeast);
    }
}
