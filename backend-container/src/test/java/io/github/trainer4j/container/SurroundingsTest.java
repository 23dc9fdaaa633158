package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.spi.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SurroundingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "volumes | data",
                "volumes | /a:b",
                "volumes | /a:/b:rx",
                "volumes | /a:/b:ro:z",
                "ulimits | nofile",
                "ulimits | nofile=many",
                "ulimits | nofile=99999999999999999999",
                "devices | fuse",
                "devices | /a:/b:rwm:x",
                "extra-hosts | registry",
                "shm-size | big",
                "env.1A | x",
                "labels.trainer.kubeflow.org/step | x",
                "read-only | perhaps"
            })
    void whatMakesNoSenseIsToldWithItsKey(String key, String value) {
        Settings settings = Settings.of(Map.of(key, value));
        Surroundings.read(settings, Map.of());

        assertThatThrownBy(settings::check)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key);
    }

    @Test
    void proxiesAreHandedOnOnlyWhenAsked() {
        Map<String, String> environment = Map.of("HTTPS_PROXY", "http://user:pass@proxy:3128", "no_proxy", "localhost");

        assertThat(Surroundings.read(Settings.of(Map.of()), environment).secretEnv())
                .isEmpty();
        Surroundings asked = Surroundings.read(Settings.of(Map.of("proxy-from-environment", "true")), environment);
        assertThat(asked.secretEnv()).containsOnlyKeys("HTTPS_PROXY", "no_proxy");
        assertThat(asked.toString()).doesNotContain("pass");
    }

    @Test
    void aProxyThatIsSetWinsOverTheEnvironments() {
        Surroundings read = Surroundings.read(
                Settings.of(Map.of("proxy-from-environment", "true", "env.HTTPS_PROXY", "http://mine")),
                Map.of("HTTPS_PROXY", "http://theirs"));

        assertThat(read.env()).containsEntry("HTTPS_PROXY", "http://mine");
        assertThat(read.secretEnv()).doesNotContainKey("HTTPS_PROXY");
    }
}
