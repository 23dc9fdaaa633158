package io.github.trainer4j.client.yaml;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values of one document that have an anchor, for the aliases that stand for them. What aliases stand for is bounded in
 * all, for a small text could describe a huge value by aliases of aliases.
 */
final class Anchors {
    /** How many values the aliases of a document may stand for in all. */
    static final int MOST = 100_000;

    private final Map<String, YamlValue> values = new HashMap<>();
    private int copied;

    void put(String anchor, YamlValue value) {
        values.put(anchor, value);
    }

    /** Returns the value of an anchor; empty if there is none, or it has not ended yet. */
    Optional<YamlValue> get(String anchor) {
        return Optional.ofNullable(values.get(anchor));
    }

    /**
     * Counts what an alias stands for.
     *
     * @param depth at which the alias stands
     * @return what is wrong with it; empty if nothing is
     */
    Optional<String> count(YamlValue value, int depth) {
        if (depth > Yaml.DEEPEST) {
            return Optional.of(Yaml.TOO_DEEP);
        }
        copied++;
        if (copied > MOST) {
            return Optional.of("the aliases stand for more than " + MOST + " values; write fewer");
        }
        for (YamlValue inner : within(value)) {
            Optional<String> wrong = count(inner, depth + 1);
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    private static Collection<YamlValue> within(YamlValue value) {
        if (value instanceof YamlValue.Mapping mapping) {
            return mapping.entries().values();
        }
        return value instanceof YamlValue.Sequence sequence ? sequence.elements() : List.of();
    }
}
