package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.InvalidJobException;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with one text; all of it is told at once. */
final class Problems {
    private static final int MOST = 20;

    private final String source;
    private final List<String> found = new ArrayList<>();

    /** Makes an empty list for a file, or what else the text comes from. */
    Problems(String source) {
        this.source = source;
    }

    String source() {
        return source;
    }

    void add(int line, String path, String sentence) {
        String problem = source + " line " + line + (path.isEmpty() ? "" : ": " + path) + ": " + sentence;
        if (!found.contains(problem)) {
            found.add(problem);
        }
    }

    int size() {
        return found.size();
    }

    /**
     * Reports everything.
     *
     * @throws InvalidJobException if there is anything
     */
    void check() {
        if (found.size() == 1) {
            throw new InvalidJobException(found.get(0));
        }
        if (!found.isEmpty()) {
            String more = found.size() > MOST ? "\n  and " + (found.size() - MOST) + " more" : "";
            throw new InvalidJobException(source + " has " + found.size() + " problems:\n  "
                    + String.join("\n  ", found.subList(0, Math.min(MOST, found.size()))) + more);
        }
    }
}
