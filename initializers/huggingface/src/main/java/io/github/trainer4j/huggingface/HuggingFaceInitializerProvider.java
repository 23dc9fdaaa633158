package io.github.trainer4j.huggingface;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerProvider;

/**
 * Fetches datasets and models of the Hugging Face Hub: {@code hf://[ORG/]NAME[@REVISION][/PATH]}. Options are
 * {@code ignore_patterns} and {@code endpoint}, a secret option is {@code access_token}.
 */
public final class HuggingFaceInitializerProvider implements InitializerProvider {
    /** For {@link java.util.ServiceLoader}. */
    public HuggingFaceInitializerProvider() {}

    @Override
    public String scheme() {
        return "hf";
    }

    @Override
    public Initializer create(InitializerSpec spec) {
        return HuggingFaceInitializer.of(spec);
    }
}
