package io.github.trainer4j.container;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A job as it was found: what is written down about it, and its containers.
 *
 * @param record what was asked for
 * @param directory its files; empty: it was launched elsewhere
 * @param containers its containers, by step
 * @param gone the steps whose containers are known to be gone: that a list has none may be a list's fault
 * @param network the id of its network, if it was found
 * @param foreign whether another program made it
 */
record Sighted(
        JobRecord record,
        Optional<JobDirectory> directory,
        Map<String, ContainerFacts> containers,
        Set<String> gone,
        Optional<String> network,
        boolean foreign) {
    Sighted {
        containers = Map.copyOf(containers);
        gone = Set.copyOf(gone);
    }

    Optional<ContainerFacts> container(String step) {
        return Optional.ofNullable(containers.get(step));
    }

    /** Returns the job with its containers as they were looked at closely. */
    Sighted with(Map<String, ContainerFacts> closer, Set<String> missing) {
        Map<String, ContainerFacts> all = new LinkedHashMap<>(containers);
        all.putAll(closer);
        return new Sighted(record, directory, all, missing, network, foreign);
    }
}
