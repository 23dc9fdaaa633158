package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerProvider;

/** Fetches datasets and models from Amazon S3 and compatible stores; {@link S3} says what can be asked for. */
public final class S3InitializerProvider implements InitializerProvider {
    /** Makes the provider; ServiceLoader does. */
    public S3InitializerProvider() {}

    @Override
    public String scheme() {
        return "s3";
    }

    @Override
    public Initializer create(InitializerSpec spec) {
        return new S3Initializer(spec);
    }
}
