package io.github.trainer4j.client;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the jobs that were to be removed because they are over.
 *
 * @param removed the names of the jobs that are gone, oldest first
 * @param problems the jobs of which something is left, each with what could not be removed and why; deleting them again,
 *     or pruning again, goes on where this ended
 */
public record PruneReport(List<String> removed, Map<String, String> problems) {
    /** Copies the parts. */
    public PruneReport {
        removed = List.copyOf(removed);
        problems = Collections.unmodifiableMap(new LinkedHashMap<>(problems));
    }

    /** Whether all that was to be removed is gone. */
    public boolean isClean() {
        return problems.isEmpty();
    }
}
