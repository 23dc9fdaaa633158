package io.github.trainer4j.api;

import java.time.Instant;
import java.util.Optional;

/**
 * One line of a step's log.
 *
 * @param step the step that wrote it
 * @param time when it was written, if the backend knows
 * @param text the line without its line break
 */
public record LogLine(String step, Optional<Instant> time, String text) {
    /**
     * Checks that no part is null.
     *
     * @throws InvalidJobException if one is
     */
    public LogLine {
        Check.present(step, "the step");
        Check.present(time, "the time");
        Check.present(text, "the text");
    }

    /** Returns the line with its step in front, as in {@code [node-0] epoch 1}. */
    @Override
    public String toString() {
        return "[" + step + "] " + text;
    }
}
