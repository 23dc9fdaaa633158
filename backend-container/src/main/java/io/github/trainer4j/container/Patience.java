package io.github.trainer4j.container;

import java.time.Duration;

/** How long an engine that does not answer is waited for, and how often it is asked again. Not for several threads. */
final class Patience {
    private static final long LIMIT_NANOS = Duration.ofMinutes(2).toNanos();
    private static final long FIRST_MILLIS = 100;
    private static final long LONGEST_MILLIS = 3000;

    private boolean lost;
    private long lostSince;
    private long pauseMillis = FIRST_MILLIS;

    /** Says that the engine answered. */
    void reset() {
        lost = false;
        pauseMillis = FIRST_MILLIS;
    }

    /** Pauses after a failure and returns true; false if asking again makes no sense, or no longer does. */
    boolean lasts(EngineException failure) {
        if (!failure.isLostContact()) {
            return false;
        }
        long now = System.nanoTime();
        if (!lost) {
            lost = true;
            lostSince = now;
        }
        if (now - lostSince > LIMIT_NANOS) {
            return false;
        }
        try {
            Thread.sleep(pauseMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        pauseMillis = Math.min(LONGEST_MILLIS, pauseMillis * 2);
        return true;
    }
}
