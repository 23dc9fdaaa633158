package io.github.trainer4j.benchmarks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was measured, in seconds, of each thing as often as it was. */
final class Figures {
    private final Map<String, List<Double>> seconds = new LinkedHashMap<>();

    void note(String what, double taken) {
        seconds.computeIfAbsent(what, key -> new ArrayList<>()).add(taken);
    }

    /** Forgets what was measured to warm up. */
    void clear() {
        seconds.clear();
    }

    /** Prints the median, the least and the most of each, and forgets them. */
    void print() {
        seconds.forEach((what, all) -> {
            all.sort(Comparator.naturalOrder());
            Benchmarks.print(
                    "%-48s %7.3f  (%.3f, %.3f)", what, all.get(all.size() / 2), all.get(0), all.get(all.size() - 1));
        });
        clear();
    }
}
