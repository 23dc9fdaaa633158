package io.github.trainer4j.api.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.Secret;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PipCommandTest {
    @Test
    void addressesOfIndexesMoveIntoTheEnvironment() {
        PipCommand pip = PipCommand.of(List.of(
                "python",
                "-m",
                "pip",
                "install",
                "--index-url",
                "https://me:secret@one.example/simple",
                "--extra-index-url",
                "https://two.example/simple",
                "--extra-index-url",
                "https://three.example/simple",
                "numpy"));

        assertThat(pip.command()).containsExactly("python", "-m", "pip", "install", "numpy");
        assertThat(pip.secretEnv())
                .isEqualTo(Map.of(
                        "PIP_INDEX_URL",
                        Secret.of("https://me:secret@one.example/simple"),
                        "PIP_EXTRA_INDEX_URL",
                        Secret.of("https://two.example/simple https://three.example/simple")));
        assertThat(pip.toString()).doesNotContain("secret@");
    }

    @Test
    void withoutAnIndexNothingChanges() {
        List<String> install = List.of("python", "-m", "pip", "install", "numpy");

        assertThat(PipCommand.of(install)).isEqualTo(new PipCommand(install, Map.of()));
        assertThat(PipCommand.of(List.of())).isEqualTo(new PipCommand(List.of(), Map.of()));
    }
}
