package io.github.trainer4j.api.spi;

import io.github.trainer4j.api.InitializerSpec;

/**
 * Makes initializers for one scheme of storage URIs. An implementation has a public constructor without parameters and
 * stands in {@code META-INF/services/io.github.trainer4j.api.spi.InitializerProvider}.
 */
public interface InitializerProvider {
    /** Returns the scheme, in lower case and without {@code ://}, such as {@code hf}. */
    String scheme();

    /**
     * Checks a specification and returns the initializer for it. Does no I/O.
     *
     * @throws io.github.trainer4j.api.InvalidJobException if the URI or an option is malformed, or an option is unknown
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if the target cannot be fetched from such a source
     */
    Initializer create(InitializerSpec spec);
}
