package io.github.trainer4j.container;

/**
 * Something of the engine's machine that a container sees.
 *
 * @param source an absolute path, or the name of a volume
 * @param target where the container sees it
 * @param readOnly whether it may not write there
 */
record Mount(String source, String target, boolean readOnly) {}
