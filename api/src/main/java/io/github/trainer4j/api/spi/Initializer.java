package io.github.trainer4j.api.spi;

import java.util.Optional;

/** Knows how one dataset or model is fetched: as a plan that others carry out, and, where possible, by itself. */
public interface Initializer {
    /** Returns what a container or a cluster needs to fetch it. Pure. */
    InitializerPlan plan();

    /** Returns what fetches it within this JVM; empty if that is not possible. */
    Optional<Fetcher> fetcher();

    /**
     * Returns whether the plan makes objects of a cluster, so that neither this JVM nor a container can carry it out.
     * Backends without a cluster refuse it with {@link io.github.trainer4j.api.UnsupportedFeatureException#needsCluster}.
     */
    default boolean needsCluster() {
        return false;
    }
}
