package io.github.trainer4j.transfer;

import java.time.Duration;
import java.util.Locale;

/** Sizes and times as people read them. */
final class Words {
    private static final String[] UNITS = {"kB", "MB", "GB", "TB", "PB"};

    private Words() {}

    static String size(long bytes) {
        if (bytes < 1000) {
            return bytes + " bytes";
        }
        double value = bytes / 1000.0;
        int unit = 0;
        while (value >= 999.95 && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }

    static String time(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }

    static String files(int count) {
        return count == 1 ? "1 file" : count + " files";
    }
}
