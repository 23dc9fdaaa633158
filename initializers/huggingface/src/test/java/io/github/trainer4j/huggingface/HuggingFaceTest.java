package io.github.trainer4j.huggingface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user says and what a container or a cluster is told. */
class HuggingFaceTest {
    private static final Secret TOKEN = Secret.of("hf_canary");

    @Test
    void theProviderIsFoundByItsScheme() {
        assertThat(ServiceLoader.load(InitializerProvider.class))
                .anyMatch(provider -> provider instanceof HuggingFaceInitializerProvider
                        && provider.scheme().equals("hf"));
    }

    @Test
    void aRequestTakesADescriptionAsItIs() {
        TrainJobRequest request = TrainJobRequest.builder()
                .dataset(HuggingFace.dataset("hf://org/data").accessToken(TOKEN))
                .model(HuggingFace.model("hf://org/base").revision("v1").endpoint("http://127.0.0.1:1"))
                .build();

        assertThat(request.initializers())
                .extracting(InitializerSpec::storageUri)
                .containsExactly("hf://org/data", "hf://org/base@v1");
        assertThat(request.initializers().get(0).secrets()).containsEntry("access_token", TOKEN);
    }

    @Test
    void aDatasetWithoutOptionsNeedsTheUriAlone() {
        assertThat(plan(InitializerSpec.dataset("hf://org/data")))
                .isEqualTo(new InitializerPlan(
                        InitializerTarget.DATASET, "hf://org/data", Map.of("STORAGE_URI", "hf://org/data"), Map.of()));
    }

    @Test
    void aModelSaysItsDefaultPatternsItself() {
        assertThat(plan(InitializerSpec.model("hf://org/base")).environment())
                .containsEntry("IGNORE_PATTERNS", "*.msgpack,*.h5,*.bin,*.pt,*.pth");
    }

    @Test
    void anEmptyListMeansThatNothingIsIgnored() {
        assertThat(plan(HuggingFace.model("hf://org/base").ignorePatterns().spec())
                        .environment())
                .containsEntry("IGNORE_PATTERNS", "");
    }

    @Test
    void everyOptionIsPassedOn() {
        InitializerPlan plan = plan(HuggingFace.model("hf://org/base@main/sub")
                .ignorePatterns("*.bin", "old/")
                .endpoint("https://hub.example/")
                .accessToken(TOKEN)
                .spec());

        assertThat(plan.environment())
                .containsOnly(
                        Map.entry("STORAGE_URI", "hf://org/base@main/sub"),
                        Map.entry("IGNORE_PATTERNS", "*.bin,old/"),
                        Map.entry("HF_ENDPOINT", "https://hub.example"));
        assertThat(plan.secretEnvironment()).containsOnly(Map.entry("ACCESS_TOKEN", TOKEN));
        assertThat(plan.toString()).doesNotContain("hf_canary");
    }

    @Test
    void aPathIsNeverPassedOnWithoutARevisionBecauseKubeflowsImageWouldDropIt() {
        assertThat(plan(InitializerSpec.dataset("hf://org/data/train")).storageUri())
                .isEqualTo("hf://org/data@main/train");
    }

    @Test
    void aSlashInARevisionIsWrittenSoThatItIsReadBack() {
        assertThat(HuggingFace.dataset("hf://org/data")
                        .revision("feature/x")
                        .spec()
                        .storageUri())
                .isEqualTo("hf://org/data@feature%2Fx");
    }

    @Test
    void anUnknownOptionIsRefusedAndTheNearestNamed() {
        assertThatThrownBy(() -> create(InitializerSpec.model("hf://a/b").option("ignore_pattern", "x")))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("hf:// has no option 'ignore_pattern'; did you mean ignore_patterns?")
                .hasMessageContaining("known: access_token, endpoint, ignore_patterns");
        assertThatThrownBy(() -> create(InitializerSpec.model("hf://a/b").option("revision", "x")))
                .hasMessageContaining("write it into the URI: hf://org/name@revision");
        assertThatThrownBy(() -> create(InitializerSpec.model("hf://a/b").secret("acces_token", TOKEN)))
                .hasMessageContaining("did you mean access_token?");
    }

    @Test
    void aTokenThatIsNoSecretIsRefusedWithoutBeingShown() {
        assertThatThrownBy(() -> create(InitializerSpec.model("hf://a/b").option("access_token", "hf_canary")))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("is a secret")
                .hasMessageNotContaining("hf_canary");
        assertThatThrownBy(() -> create(InitializerSpec.model("hf://a/b").secret("endpoint", TOKEN)))
                .hasMessageContaining("endpoint is not a secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hub.example",
                "ftp://hub.example",
                "https://",
                "https://h?x=1",
                "https://user:hf_canary@h",
                "h ttp"
            })
    void anEndpointThatIsNoAddressIsRefusedWithoutBeingShown(String endpoint) {
        assertThatThrownBy(() -> HuggingFace.model("hf://a/b").endpoint(endpoint))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("write for example https://huggingface.co")
                .hasMessageNotContaining("hf_canary");
        assertThatThrownBy(() -> create(InitializerSpec.model("hf://a/b").option("endpoint", endpoint)))
                .isInstanceOf(InvalidJobException.class);
    }

    @Test
    void aUriOutsideOfTheGrammarIsRefusedAtOnce() {
        assertThatThrownBy(() -> HuggingFace.dataset("hf://org/")).isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> create(InitializerSpec.dataset("hf:///x"))).isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> HuggingFace.dataset("hf://a/b").revision("a b"))
                .isInstanceOf(InvalidJobException.class);
    }

    @Test
    void aPatternWithACommaIsRefused() {
        assertThatThrownBy(() -> HuggingFace.model("hf://a/b").ignorePatterns("a,b"))
                .isInstanceOf(InvalidJobException.class);
    }

    @Test
    void aTokenThatOnlyAClusterHasLeavesTheFetchToTheCluster() {
        InitializerSpec spec = HuggingFace.model("hf://a/b")
                .accessToken(Secret.reference("hub", "token"))
                .spec();

        assertThat(new HuggingFaceInitializerProvider().create(spec).fetcher()).isEqualTo(Optional.empty());
        assertThat(plan(spec).secretEnvironment()).containsKey("ACCESS_TOKEN");
    }

    private static InitializerPlan plan(InitializerSpec spec) {
        return new HuggingFaceInitializerProvider().create(spec).plan();
    }

    private static void create(InitializerSpec spec) {
        new HuggingFaceInitializerProvider().create(spec);
    }
}
