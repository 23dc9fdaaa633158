package io.github.trainer4j.container;

import java.util.Optional;

/**
 * An image as the engine told of it.
 *
 * @param foreignPlatform its platform, if it is another than that of the engine's machine
 */
record ImageFacts(Optional<String> foreignPlatform) {}
