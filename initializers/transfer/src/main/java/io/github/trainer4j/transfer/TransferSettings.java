package io.github.trainer4j.transfer;

import java.time.Duration;
import java.util.Objects;

/**
 * How a download goes about it. {@link #defaults()} is right for most; a person may change some of them for the whole
 * JVM with the system properties named below.
 *
 * @param connections how many ranges are fetched at once, at most; {@code io.github.trainer4j.transfer.connections},
 *     default 8
 * @param pieceSize how many bytes one range has, at most; {@code io.github.trainer4j.transfer.piece-size}, default 16 MiB
 * @param attempts how often a request is tried without getting on, before the download fails; default 6
 * @param firstDelay how long the first pause between two tries is, about; each further one is twice as long; default
 *     500 ms
 * @param longestDelay how long such a pause is at most; default 30 s
 * @param ratePatience how long the download waits in all while the source says "too many requests"; default 10 minutes
 * @param stallTimeout after how long without a byte a connection is dropped and the range resumed on a new one;
 *     {@code io.github.trainer4j.transfer.stall-seconds}, default 30 s
 * @param checkFreeSpace whether a download that does not fit on the disk is refused before it starts;
 *     {@code io.github.trainer4j.transfer.check-free-space}, default true
 */
public record TransferSettings(
        int connections,
        int pieceSize,
        int attempts,
        Duration firstDelay,
        Duration longestDelay,
        Duration ratePatience,
        Duration stallTimeout,
        boolean checkFreeSpace) {
    private static final String PREFIX = "io.github.trainer4j.transfer.";

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a number or a duration is not positive
     */
    public TransferSettings {
        positive(connections, "connections");
        positive(pieceSize, "pieceSize");
        positive(attempts, "attempts");
        positive(firstDelay.toNanos(), "firstDelay");
        positive(longestDelay.toNanos(), "longestDelay");
        positive(ratePatience.toNanos(), "ratePatience");
        positive(stallTimeout.toNanos(), "stallTimeout");
    }

    /**
     * Returns the defaults, changed by the system properties.
     *
     * @throws IllegalArgumentException if a system property is not a positive number
     */
    public static TransferSettings defaults() {
        return new TransferSettings(
                number("connections", 8),
                number("piece-size", 16 << 20),
                6,
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                Duration.ofMinutes(10),
                Duration.ofSeconds(number("stall-seconds", 30)),
                Boolean.parseBoolean(System.getProperty(PREFIX + "check-free-space", "true")));
    }

    /** Returns a copy with this number of ranges at once. */
    public TransferSettings withConnections(int connections) {
        return new TransferSettings(
                connections, pieceSize, attempts, firstDelay, longestDelay, ratePatience, stallTimeout, checkFreeSpace);
    }

    /** Returns a copy with ranges of at most this size, in bytes. */
    public TransferSettings withPieceSize(int pieceSize) {
        return new TransferSettings(
                connections, pieceSize, attempts, firstDelay, longestDelay, ratePatience, stallTimeout, checkFreeSpace);
    }

    /** Returns a copy with this number of tries and this first and longest pause between them. */
    public TransferSettings withAttempts(int attempts, Duration firstDelay, Duration longestDelay) {
        return new TransferSettings(
                connections, pieceSize, attempts, firstDelay, longestDelay, ratePatience, stallTimeout, checkFreeSpace);
    }

    /** Returns a copy that waits this long in all when there were too many requests. */
    public TransferSettings withRatePatience(Duration ratePatience) {
        return new TransferSettings(
                connections, pieceSize, attempts, firstDelay, longestDelay, ratePatience, stallTimeout, checkFreeSpace);
    }

    /** Returns a copy that drops a connection after this long without a byte. */
    public TransferSettings withStallTimeout(Duration stallTimeout) {
        return new TransferSettings(
                connections, pieceSize, attempts, firstDelay, longestDelay, ratePatience, stallTimeout, checkFreeSpace);
    }

    static int number(String name, int fallback) {
        String text = System.getProperty(PREFIX + name);
        if (text == null) {
            return fallback;
        }
        try {
            return (int) positive(Integer.parseInt(text.strip()), name);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "the system property " + PREFIX + name + " is '" + text + "'; give a positive number", e);
        }
    }

    private static long positive(long value, String name) {
        Objects.requireNonNull(name);
        if (value <= 0) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be positive");
        }
        return value;
    }
}
