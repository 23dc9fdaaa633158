package io.github.trainer4j.testkit.hub;

/** How much the Hub says about a repository and its files. */
public enum Listing {
    /** About what the real Hub says. */
    USUAL,
    /** Nothing but what a download cannot do without: {@code sha}, {@code siblings}; type, path, size, oid and LFS oid. */
    BARE,
    /** As {@link #USUAL}, with fifty fields that no client knows, of every JSON type, in every object. */
    CROWDED
}
