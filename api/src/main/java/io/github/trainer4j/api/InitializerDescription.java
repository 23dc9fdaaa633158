package io.github.trainer4j.api;

/**
 * Typed comfort that ends in an {@link InitializerSpec}: it lives beside its initializer, and knows the options by their
 * names and types.
 */
@FunctionalInterface
public interface InitializerDescription {
    /**
     * Returns the specification.
     *
     * @throws InvalidJobException if a part of it is malformed
     */
    InitializerSpec spec();
}
