package io.github.trainer4j.container;

/** Something that the search for an engine came upon. */
sealed interface EngineCandidate {
    /**
     * An address to try.
     *
     * @param address the address
     * @param chosen whether somebody named it. It is the only one then, and is given more time: another engine in its place
     *     would have other jobs.
     */
    record Listed(EngineAddress address, boolean chosen) implements EngineCandidate {}

    /**
     * A place that names an engine which cannot be reached from here.
     *
     * @param source the place, for people
     * @param obstacle why not, and what to do
     */
    record Unusable(String source, String obstacle) implements EngineCandidate {}
}
