package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.LogLine;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a container's log was read. An API server can only be asked for all lines from a whole second on, so that lines
 * come again; what was read already is told by its time, and of several lines of one time by their number.
 */
final class LogCursor {
    private final String step;
    private final Optional<Instant> since;
    private Instant last = Instant.MIN;
    private int readAtLast;
    private Instant passing = Instant.MIN;
    private int passedAtPassing;

    /**
     * Makes one at the beginning of a log.
     *
     * @param since only lines of this time or later are wanted; an API server knows whole seconds only
     */
    LogCursor(String step, Optional<Instant> since) {
        this.step = step;
        this.since = since;
    }

    /** Says that a reading begins anew; returns from which time on to ask. */
    Optional<String> begin() {
        passing = Instant.MIN;
        passedAtPassing = 0;
        return last.equals(Instant.MIN)
                ? Optional.empty()
                : Optional.of(Instant.ofEpochSecond(last.getEpochSecond()).toString());
    }

    /** Takes a line as the API server gives it, a time and a blank in front; empty if it was read before, or is too old. */
    Optional<LogLine> read(String raw) {
        int blank = raw.indexOf(' ');
        Optional<Instant> time = blank < 0 ? Optional.empty() : JobReader.time(raw.substring(0, blank));
        if (time.isEmpty()) {
            // Words of the kubelet's own, such as on a log that it cannot read.
            return Optional.of(new LogLine(step, Optional.empty(), raw));
        }
        String text = raw.substring(blank + 1);
        if (time.get().equals(passing)) {
            passedAtPassing++;
        } else {
            passing = time.get();
            passedAtPassing = 1;
        }
        boolean known = passing.isBefore(last) || (passing.equals(last) && passedAtPassing <= readAtLast);
        if (known) {
            return Optional.empty();
        }
        last = passing;
        readAtLast = passedAtPassing;
        if (since.filter(passing::isBefore).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new LogLine(step, time, text.endsWith("\r") ? text.substring(0, text.length() - 1) : text));
    }
}
