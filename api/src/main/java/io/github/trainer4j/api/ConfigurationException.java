package io.github.trainer4j.api;

import java.util.List;

/** The configuration is wrong. All problems are told at once, each with the source of the key. */
public final class ConfigurationException extends TrainerException {
    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    /** Makes the error of these problems. */
    public ConfigurationException(List<String> problems) {
        super(
                problems.size() == 1
                        ? "the configuration is wrong: " + problems.get(0)
                        : "the configuration has " + problems.size() + " problems:\n  " + String.join("\n  ", problems),
                null);
        this.problems = List.copyOf(problems);
    }

    /** Returns each problem as a sentence. */
    public List<String> problems() {
        return problems;
    }
}
