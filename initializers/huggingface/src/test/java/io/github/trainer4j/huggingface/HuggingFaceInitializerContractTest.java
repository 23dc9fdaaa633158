package io.github.trainer4j.huggingface;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.testkit.InitializerContract;
import io.github.trainer4j.testkit.InitializerUnderTest;
import io.github.trainer4j.testkit.hub.Content;
import io.github.trainer4j.testkit.hub.FakeHub;
import io.github.trainer4j.testkit.hub.Fault;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

class HuggingFaceInitializerContractTest extends InitializerContract {
    private final FakeHub hub = FakeHub.start();

    @AfterEach
    void closeTheHub() {
        hub.close();
    }

    @Override
    protected InitializerUnderTest initializer(Path work) {
        hub.tokens("canary-secret");
        Content weights = Content.generated(11, 3_000_000);
        String card = "{\"a\": 1}";
        hub.dataset("org/data").file("config.json", card).lfs("sub/weights.safetensors", weights);
        hub.model("org/data").file("config.json", card).lfs("sub/weights.safetensors", weights);
        return InitializerUnderTest.of(
                        new HuggingFaceInitializerProvider(),
                        InitializerSpec.dataset("hf://org/data")
                                .option("endpoint", hub.endpoint().toString()))
                .file("config.json", card)
                .file("sub/weights.safetensors", weights.bytes())
                .option("ignore_patterns", "*.nothing")
                .secretOption("access_token")
                .malformed(
                        InitializerSpec.dataset("hf://org/"),
                        InitializerSpec.model("hf:///x"),
                        InitializerSpec.dataset("hf://datasets/org/name"),
                        InitializerSpec.model("hf://org/name").option("endpoint", "nowhere"))
                .requests(() -> hub.requests().size())
                .fails(() -> hub.inject(Fault.corruptByteAt(2_000_000).times(2)))
                .hangs(() -> hub.inject(Fault.stallAfter(100_000).on("/lfs/*").times(1)));
    }
}
