package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.testkit.RequiresEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RequiresEngine("TRAINER4J_TEST_DOCKER_TLS")
class TlsDockerTest {
    private static final String HOST = "TRAINER4J_TEST_DOCKER_TLS";

    @TempDir
    private Path home;

    private EngineLink link(Map<String, String> environment) {
        EngineLocator locator =
                new EngineLocator(Product.DOCKER, EngineSettings.NONE, environment, home, Optional.empty());
        return new EngineLink(
                Product.DOCKER, locator::candidates, RegistryCredentials.NONE, Duration.ofSeconds(60), "tls-test-");
    }

    private String attempt(Map<String, String> environment) {
        try (EngineLink link = link(environment)) {
            return catchThrowableOfType(BackendUnavailableException.class, link::engine)
                    .attempts()
                    .get(0);
        }
    }

    @Test
    void theEngineIsReachedAsDockersVariablesSay() {
        try (EngineLink link = link(Map.of(
                "DOCKER_HOST",
                System.getenv(HOST),
                "DOCKER_TLS_VERIFY",
                "1",
                "DOCKER_CERT_PATH",
                System.getenv(HOST + "_CERTS")))) {
            Engine engine = link.engine();

            assertThat(engine.image(Engines.BUSYBOX)).isPresent();
            assertThat(engine.version().dialect()).isEqualTo(Dialect.DOCKER);
        }
    }

    @Test
    void certificatesOfAnotherAuthorityAreToldToBeRefused() {
        assertThat(attempt(Map.of(
                        "DOCKER_HOST",
                        System.getenv(HOST),
                        "DOCKER_TLS_VERIFY",
                        "1",
                        "DOCKER_CERT_PATH",
                        System.getenv(HOST + "_STRANGER"))))
                .containsAnyOf("was not made by", "must be made by an authority that the engine knows");
    }

    @Test
    void withoutTlsTheMessageSaysWhatToSet() {
        assertThat(attempt(Map.of("DOCKER_HOST", System.getenv(HOST))))
                .contains("set tls-verify to true and cert-path");
    }
}
