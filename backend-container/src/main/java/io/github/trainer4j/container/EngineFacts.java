package io.github.trainer4j.container;

import java.util.OptionalLong;

/**
 * What an engine says about itself.
 *
 * @param dialect which of the two it is
 * @param version its version
 * @param memory the bytes of memory of its machine
 */
record EngineFacts(Dialect dialect, String version, OptionalLong memory) {}
