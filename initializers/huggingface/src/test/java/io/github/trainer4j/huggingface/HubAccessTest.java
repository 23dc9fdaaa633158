package io.github.trainer4j.huggingface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Secret;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HubAccessTest {
    private final List<String> log = new ArrayList<>();

    @Test
    void withoutAnythingItIsThePublicHubAndNoToken() {
        assertThat(access(Map.of())).isEqualTo(new HubAccess(URI.create("https://huggingface.co"), Optional.empty()));
    }

    @Test
    void theTokenIsLookedForInTheOrderOfThePythonClient(@TempDir Path home) throws Exception {
        Path login = Files.createDirectories(home.resolve(".cache/huggingface")).resolve("token");
        Files.writeString(login, "hf_file\n");
        Path other = Files.writeString(home.resolve("other"), " hf_other ");
        Map<String, String> environment = new HashMap<>(Map.of(
                "HF_TOKEN",
                "hf_one ",
                "HUGGING_FACE_HUB_TOKEN",
                "hf_two",
                "HF_TOKEN_PATH",
                other.toString(),
                "HOME",
                home.toString()));

        assertThat(token(environment)).contains("hf_one from the variable HF_TOKEN");
        environment.put("HF_TOKEN", " ");
        assertThat(token(environment)).contains("hf_two from the variable HUGGING_FACE_HUB_TOKEN");
        environment.remove("HUGGING_FACE_HUB_TOKEN");
        assertThat(token(environment)).contains("hf_other from the file " + other);
        environment.remove("HF_TOKEN_PATH");
        assertThat(token(environment)).contains("hf_file from the file " + login);
        environment.put("HF_HOME", "/proc/nothing");
        assertThat(token(environment)).isEmpty();
    }

    @Test
    void theOptionComesBeforeTheEnvironment() {
        HubAccess access = HubAccess.of(
                new HubOptions(Optional.empty(), Optional.empty(), Optional.of(Secret.of("hf_option"))),
                Map.of("HF_TOKEN", "hf_env"),
                log::add);

        assertThat(access.token().orElseThrow().value().reveal()).isEqualTo("hf_option");
        assertThat(access.toString()).doesNotContain("hf_option");
    }

    @Test
    void aTokenOfTheEnvironmentIsNotGivenToAHubThatOnlyTheJobNames() {
        HubOptions options =
                new HubOptions(Optional.empty(), Optional.of(URI.create("https://evil.example")), Optional.empty());

        assertThat(HubAccess.of(options, Map.of("HF_TOKEN", "hf_env"), log::add).token())
                .isEmpty();
        assertThat(log)
                .singleElement()
                .asString()
                .contains("is not sent to https://evil.example")
                .doesNotContain("hf_env");
        assertThat(HubAccess.of(options, Map.of("HF_TOKEN", "hf_env", "HF_ENDPOINT", "https://evil.example/"), log::add)
                        .token())
                .isPresent();
    }

    @Test
    void aTokenOverAnOpenNetworkIsWarnedOf() {
        access(Map.of("HF_TOKEN", "hf_env", "HF_ENDPOINT", "http://hub.example"));

        assertThat(log)
                .singleElement()
                .asString()
                .contains("without encryption")
                .doesNotContain("hf_env");
    }

    @Test
    void anEndpointThatIsNoAddressIsToldWithTheVariableItCameFrom() {
        assertThatThrownBy(() -> access(Map.of("HF_ENDPOINT", "hub.example")))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("the variable HF_ENDPOINT is not the address of a Hub");
    }

    private HubAccess access(Map<String, String> environment) {
        return HubAccess.of(
                new HubOptions(Optional.empty(), Optional.empty(), Optional.empty()), environment, log::add);
    }

    private Optional<String> token(Map<String, String> environment) {
        return access(environment).token().map(token -> token.value().reveal() + " from " + token.origin());
    }
}
