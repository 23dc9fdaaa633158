package io.github.trainer4j.transfer;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Holds back all requests of a download while its source says "too many". What it waits in all without one success
 * between is bounded.
 */
final class RateGate {
    private static final long MOST_JITTER = 1_000_000_000;

    private final Duration patience;
    private long opens = System.nanoTime();
    private long waited;

    RateGate(Duration patience) {
        this.patience = patience;
    }

    /** Waits until requests may be sent; those that waited start a little apart. */
    void pass() throws InterruptedException {
        long left = left();
        if (left <= 0) {
            return;
        }
        long jitter = ThreadLocalRandom.current().nextLong(Math.min(left / 4, MOST_JITTER) + 1);
        while (left > 0) {
            java.util.concurrent.TimeUnit.NANOSECONDS.sleep(left + jitter);
            left = left();
        }
    }

    private synchronized long left() {
        return opens - System.nanoTime();
    }

    /** Closes for a while, if patience is left for it. */
    synchronized boolean close(Duration pause) {
        long now = System.nanoTime();
        long until = now + pause.toNanos();
        long more = until - Math.max(opens, now);
        if (more > 0) {
            if (waited + more > patience.toNanos()) {
                return false;
            }
            waited += more;
            opens = until;
        }
        return true;
    }

    /** Notes that a request got through. */
    synchronized void succeeded() {
        waited = 0;
    }
}
