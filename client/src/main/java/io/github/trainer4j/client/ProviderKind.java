package io.github.trainer4j.client;

import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A kind of plug-in.
 *
 * @param service the interface that providers implement
 * @param word what people call it
 * @param nameOf asks a provider for its name
 * @param names the names it may have
 * @param rule the same in words
 * @param reserved names that mean something else already
 */
record ProviderKind<S>(
        Class<S> service, String word, Function<S, String> nameOf, Pattern names, String rule, Set<String> reserved) {
    /** A backend's name is the prefix of its settings, so the words that our own settings start with are taken. */
    static final ProviderKind<BackendProvider> BACKEND = new ProviderKind<>(
            BackendProvider.class,
            "backend",
            BackendProvider::name,
            Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*"),
            "lower-case letters, digits and '-', starting with a letter",
            Set.of("backend", "default", "runtimes", "work", "test"));

    static final ProviderKind<InitializerProvider> INITIALIZER = new ProviderKind<>(
            InitializerProvider.class,
            "initializer",
            InitializerProvider::scheme,
            Pattern.compile("[a-z][a-z0-9+.-]*"),
            "lower-case letters, digits, '+', '-' and '.', starting with a letter and without ://",
            Set.of());
}
