package io.github.trainer4j.api;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Says which log lines to read.
 *
 * @param step the step; empty: all steps of the job, merged
 * @param tail only so many last lines of each step; empty: all
 * @param follow whether to go on with new lines until the job is over
 * @param since only lines written at this time or later; empty: all
 * @param previous whether to read the step's attempt before its last restart instead
 */
public record LogQuery(
        Optional<String> step, OptionalInt tail, boolean follow, Optional<Instant> since, boolean previous) {

    /**
     * Checks everything.
     *
     * @throws InvalidJobException if a part is null, the step blank, the tail negative, or an earlier attempt is to be
     *     followed
     */
    public LogQuery {
        Check.optionalText(step, "the step");
        Check.present(tail, "tail").ifPresent(lines -> Check.atLeast(lines, 0, "tail"));
        Check.present(since, "since");
        if (follow && previous) {
            throw new InvalidJobException("an earlier attempt is over and cannot be followed; drop follow or previous");
        }
    }

    /** Returns a query for all lines of all steps. */
    public static LogQuery all() {
        return new LogQuery(Optional.empty(), OptionalInt.empty(), false, Optional.empty(), false);
    }

    /** Returns a query for all lines of one step. */
    public static LogQuery step(String step) {
        return new LogQuery(
                Optional.of(Check.text(step, "the step")), OptionalInt.empty(), false, Optional.empty(), false);
    }

    /** Returns a copy that reads only so many last lines of each step. */
    public LogQuery tail(int lines) {
        return new LogQuery(step, OptionalInt.of(lines), follow, since, previous);
    }

    /** Returns a copy that goes on with new lines until the job is over. */
    public LogQuery following() {
        return new LogQuery(step, tail, true, since, previous);
    }

    /** Returns a copy that reads only lines written at this time or later. */
    public LogQuery since(Instant time) {
        return new LogQuery(step, tail, follow, Optional.of(Check.present(time, "since")), previous);
    }

    /** Returns a copy that reads the attempt before the step's last restart. */
    public LogQuery previousAttempt() {
        return new LogQuery(step, tail, follow, since, true);
    }
}
