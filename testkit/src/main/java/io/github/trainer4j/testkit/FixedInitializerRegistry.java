package io.github.trainer4j.testkit;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerProvider;
import io.github.trainer4j.api.spi.InitializerRegistry;
import java.util.List;

/**
 * A registry of given providers.
 *
 * @param providers the providers; of two for one scheme the first counts
 */
public record FixedInitializerRegistry(List<InitializerProvider> providers) implements InitializerRegistry {
    /** Copies the list. */
    public FixedInitializerRegistry {
        providers = List.copyOf(providers);
    }

    @Override
    public Initializer create(InitializerSpec spec) {
        return providers.stream()
                .filter(provider -> provider.scheme().equals(spec.scheme()))
                .findFirst()
                .orElseThrow(() -> new InvalidJobException("no initializer for " + spec.storageUri()
                        + "; known schemes: "
                        + String.join(
                                ", ",
                                providers.stream()
                                        .map(InitializerProvider::scheme)
                                        .toList())
                        + "; put a jar with an InitializerProvider for it on the class path"))
                .create(spec);
    }
}
