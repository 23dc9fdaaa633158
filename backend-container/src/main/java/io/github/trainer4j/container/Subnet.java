package io.github.trainer4j.container;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of the fourth version of the Internet protocol that belong together. */
final class Subnet {
    private static final Pattern FORM = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");

    private Subnet() {}

    /** Returns the highest address that can be given away; empty if there are too few, or if it is written in another way. */
    static Optional<String> highest(String subnet) {
        Matcher parts = FORM.matcher(subnet);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long address = 0;
        for (int group = 1; group <= 4; group++) {
            address = (address << 8) | Integer.parseInt(parts.group(group));
        }
        int bits = 32 - Integer.parseInt(parts.group(5));
        if (bits < 4 || bits > 32) {
            return Optional.empty();
        }
        // All ones is the broadcast address.
        long highest = (address | ((1L << bits) - 1)) - 1;
        return Optional.of((highest >> 24 & 255) + "." + (highest >> 16 & 255) + "." + (highest >> 8 & 255) + "."
                + (highest & 255));
    }
}
