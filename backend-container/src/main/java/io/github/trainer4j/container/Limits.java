package io.github.trainer4j.container;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a container may use.
 *
 * @param nanoCpus processor time, in billionths of a core
 * @param memory bytes of memory
 * @param shm bytes of {@code /dev/shm}
 * @param gpus the number of NVIDIA devices
 * @param gpuIds which of them; empty: the engine chooses
 */
record Limits(OptionalLong nanoCpus, OptionalLong memory, OptionalLong shm, OptionalInt gpus, List<String> gpuIds) {
    static final Limits NONE = new Limits(
            OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty(), List.of());

    Limits {
        gpuIds = List.copyOf(gpuIds);
    }

    /** Returns these limits with these devices. */
    Limits withGpuIds(List<String> ids) {
        return new Limits(nanoCpus, memory, shm, gpus, ids);
    }

    /** Whether something is limited that an engine without control groups would not. */
    boolean needsControlGroups() {
        return nanoCpus.isPresent() || memory.isPresent();
    }
}
