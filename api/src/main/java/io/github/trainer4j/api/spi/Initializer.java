package io.github.trainer4j.api.spi;

import java.util.Optional;

/** Knows how one dataset or model is fetched: as a plan that others carry out, and, where possible, by itself. */
public interface Initializer {
    /** Returns what a container or a cluster needs to fetch it. Pure. */
    InitializerPlan plan();

    /** Returns what fetches it within this JVM; empty if only a cluster can. */
    Optional<Fetcher> fetcher();
}
