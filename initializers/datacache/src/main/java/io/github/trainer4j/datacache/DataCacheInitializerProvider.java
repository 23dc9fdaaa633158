package io.github.trainer4j.datacache;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerProvider;

/** Has a cluster serve tables from a cache; {@link DataCache} says what can be asked for. */
public final class DataCacheInitializerProvider implements InitializerProvider {
    /** Makes the provider; ServiceLoader does. */
    public DataCacheInitializerProvider() {}

    @Override
    public String scheme() {
        return "cache";
    }

    @Override
    public Initializer create(InitializerSpec spec) {
        return new DataCacheInitializer(spec);
    }
}
