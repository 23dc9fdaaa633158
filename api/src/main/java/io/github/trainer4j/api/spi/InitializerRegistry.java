package io.github.trainer4j.api.spi;

import io.github.trainer4j.api.InitializerSpec;

/** The initializers on the class path, by scheme. Safe for several threads. */
@FunctionalInterface
public interface InitializerRegistry {
    /**
     * Makes the initializer that the scheme of the specification's URI asks for.
     *
     * @throws io.github.trainer4j.api.InvalidJobException if the scheme is unknown (the message lists the known ones and
     *     says how to add one), or the initializer refuses the specification
     */
    Initializer create(InitializerSpec spec);
}
