package io.github.trainer4j.examples.quickstart;

import java.util.Random;

/**
 * The LED display domain of Breiman, Friedman, Olshen and Stone (Classification and Regression Trees, 1984): guess the
 * digit from seven segments, each of which is wrong with a probability of 10 %, among 17 further lamps that mean nothing.
 * No classifier can be right in more than about 74 % of the cases, which tells a real result from a lucky one.
 */
final class LedDisplay {
    static final int CLASSES = 10;
    static final int LAMPS = 24;

    private static final double NOISE = 0.1;
    private static final int[] SEGMENTS = {
        0b1110111, 0b0100100, 0b1011101, 0b1101101, 0b0101110, 0b1101011, 0b1111011, 0b0100101, 0b1111111, 0b1101111
    };

    private LedDisplay() {}

    /** Returns rows of comma-separated values, the digit first, then its lamps. */
    static String csv(int rows, long seed) {
        Random random = new Random(seed);
        StringBuilder csv = new StringBuilder(rows * (2 * LAMPS + 2));
        for (int row = 0; row < rows; row++) {
            int digit = random.nextInt(CLASSES);
            csv.append(digit);
            for (int lamp = 0; lamp < LAMPS; lamp++) {
                int lit = lamp < 7 ? (SEGMENTS[digit] >> lamp) & 1 : random.nextInt(2);
                boolean wrong = lamp < 7 && random.nextDouble() < NOISE;
                csv.append(',').append(wrong ? 1 - lit : lit);
            }
            csv.append('\n');
        }
        return csv.toString();
    }
}
