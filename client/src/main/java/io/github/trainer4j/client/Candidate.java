package io.github.trainer4j.client;

/**
 * A provider that said its name.
 *
 * @param name the backend's name or the initializer's scheme
 * @param provider the provider
 * @param location the jar or directory it comes from
 */
record Candidate<S>(String name, S provider, String location) {
    private static final String FIRST_PARTY = "io.github.trainer4j.";

    boolean isFirstParty() {
        return className().startsWith(FIRST_PARTY);
    }

    String className() {
        return provider.getClass().getName();
    }

    String describe() {
        return className() + " in " + location;
    }
}
