package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.LogLine;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * How far a container's log was read. An API server can only be asked for all lines from a whole second on, so that those of
 * the last second come again. What was read already is told by its time, and of several lines of one time by their number;
 * not by being older than the last, for two outputs of a container are written side by side, and their times cross.
 */
final class LogCursor {
    /** The length of {@code 2026-11-30T12:00:00.}. */
    private static final int SECOND = 20;

    private final String step;
    private final Optional<Instant> since;
    /** Of a log that was not read from its beginning, what is before this was not wanted. */
    private Instant earliest = Instant.MAX;

    private long lastSecond = Long.MIN_VALUE;
    /** Of each line of the last second that was read, how far into the second it is. */
    private int[] read = new int[64];

    private int count;
    /** The same when this reading began, in order, and which of them have come again. */
    private int[] before = {};

    private boolean[] again = {};
    private long beforeSecond = Long.MIN_VALUE;
    private String second = "\n";
    private long epochSecond;

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
        before = Arrays.copyOf(read, count);
        Arrays.sort(before);
        again = new boolean[count];
        beforeSecond = lastSecond;
        return count == 0
                ? Optional.empty()
                : Optional.of(Instant.ofEpochSecond(lastSecond).toString());
    }

    /** Takes a line as the API server gives it, a time and a blank in front; empty if it was read before, or is too old. */
    Optional<LogLine> read(String raw) {
        int blank = raw.indexOf(' ');
        Optional<Instant> time = time(raw, blank);
        if (time.isEmpty()) {
            // Words of the kubelet's own, such as on a log that it cannot read.
            return Optional.of(new LogLine(step, Optional.empty(), raw));
        }
        String text = raw.substring(blank + 1);
        if (isAgain(time.get()) || (beforeSecond != Long.MIN_VALUE && time.get().isBefore(earliest))) {
            return Optional.empty();
        }
        remember(time.get());
        if (since.filter(time.get()::isBefore).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new LogLine(step, time, text.endsWith("\r") ? text.substring(0, text.length() - 1) : text));
    }

    private boolean isAgain(Instant time) {
        long itsSecond = time.getEpochSecond();
        int nano = time.getNano();
        if (itsSecond != beforeSecond) {
            return itsSecond < beforeSecond;
        }
        int place = Arrays.binarySearch(before, nano);
        while (place > 0 && before[place - 1] == nano) {
            place--;
        }
        for (int i = place; i >= 0 && i < before.length && before[i] == nano; i++) {
            if (!again[i]) {
                again[i] = true;
                return true;
            }
        }
        return false;
    }

    private void remember(Instant time) {
        if (time.isBefore(earliest)) {
            earliest = time;
        }
        long itsSecond = time.getEpochSecond();
        int nano = time.getNano();
        if (itsSecond > lastSecond) {
            lastSecond = itsSecond;
            count = 0;
        }
        if (itsSecond == lastSecond) {
            if (count == read.length) {
                read = Arrays.copyOf(read, 2 * count);
            }
            read[count++] = nano;
        }
    }

    /** Reads the time in front of a line. Most lines are of the same second as the one before, and reading that is slow. */
    private Optional<Instant> time(String raw, int blank) {
        if (blank > SECOND && blank - SECOND < 12 && raw.charAt(blank - 1) == 'Z' && raw.startsWith(second)) {
            int nanos = 0;
            int digits = 9;
            for (int i = SECOND; i < blank - 1; i++) {
                int digit = raw.charAt(i) - '0';
                if (digit < 0 || digit > 9 || digits == 0) {
                    return Optional.empty();
                }
                nanos = 10 * nanos + digit;
                digits--;
            }
            for (; digits > 0; digits--) {
                nanos *= 10;
            }
            return Optional.of(Instant.ofEpochSecond(epochSecond, nanos));
        }
        Optional<Instant> time = blank < 0 ? Optional.empty() : new Tree(raw.substring(0, blank)).time();
        if (time.isPresent() && blank > SECOND && raw.charAt(SECOND - 1) == '.' && raw.charAt(blank - 1) == 'Z') {
            second = raw.substring(0, SECOND);
            epochSecond = time.get().getEpochSecond();
        }
        return time;
    }
}
