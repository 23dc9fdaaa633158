package io.github.trainer4j.cli;

import java.util.Locale;
import java.util.OptionalLong;

/** One line on how far a transfer is, no wider than its terminal. */
final class Bar {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final int LONGEST_BAR = 30;
    private static final int SHORTEST_BAR = 5;

    private Bar() {}

    /**
     * Returns the line.
     *
     * @param rate bytes in a second; 0: unknown
     * @param width the columns there are
     */
    static String line(String name, long done, OptionalLong total, double rate, int width) {
        String percent = total.isPresent() && total.getAsLong() > 0
                ? String.format(Locale.ROOT, "%3d%%", Math.min(100, 100 * done / total.getAsLong()))
                : "";
        String text = name + " " + percent;
        String more = text;
        for (String part : new String[] {
            " " + amount(done) + (total.isPresent() ? "/" + amount(total.getAsLong()) : ""),
            rate > 0 ? " " + amount((long) rate) + "/s" : "",
            left(done, total, rate)
        }) {
            more += part;
            text = more.length() <= width ? more : text;
        }
        int room = Math.min(LONGEST_BAR, width - text.length() - 3);
        if (!percent.isEmpty() && room >= SHORTEST_BAR) {
            int filled = (int) (room * Math.min(done, total.getAsLong()) / total.getAsLong());
            String bar = " [" + "#".repeat(filled) + ".".repeat(room - filled) + "]";
            text = name + bar + text.substring(name.length());
        }
        return text.length() <= width ? text.stripTrailing() : text.substring(0, Math.max(0, width));
    }

    private static String left(long done, OptionalLong total, double rate) {
        if (rate <= 0 || total.isEmpty() || total.getAsLong() <= done) {
            return "";
        }
        return " " + Jobs.span(java.time.Duration.ofSeconds((long) ((total.getAsLong() - done) / rate))) + " left";
    }

    static String amount(long bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= 1024 && unit < UNITS.length - 1) {
            amount /= 1024;
            unit++;
        }
        return unit == 0
                ? bytes + " B"
                : String.format(Locale.ROOT, amount < 10 ? "%.1f %s" : "%.0f %s", amount, UNITS[unit]);
    }
}
