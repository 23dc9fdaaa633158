package io.github.trainer4j.container;

import java.util.OptionalLong;

/**
 * What a container may use.
 *
 * @param nanoCpus processor time, in billionths of a core
 * @param memory bytes of memory
 * @param shm bytes of {@code /dev/shm}
 */
record Limits(OptionalLong nanoCpus, OptionalLong memory, OptionalLong shm) {
    static final Limits NONE = new Limits(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
}
