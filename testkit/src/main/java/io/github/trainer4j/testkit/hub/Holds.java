package io.github.trainer4j.testkit.hub;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Where threads of a hub wait, so that closing it, or letting go of what is held, wakes them at once. */
final class Holds {

    private static final long GLANCE_MILLIS = 20;

    private final Object lock = new Object();
    private long releases;
    private int held;
    private boolean closed;

    /** Waits that long, or until the hub is closed. */
    void pause(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        synchronized (lock) {
            long left = end - System.nanoTime();
            while (!closed && left > 0) {
                lock.wait(left / 1_000_000, (int) (left % 1_000_000));
                left = end - System.nanoTime();
            }
        }
    }

    /** Waits until released, or the hub is closed, or the client has gone away. */
    void hold(BooleanSupplier clientIsGone) throws InterruptedException {
        long before;
        synchronized (lock) {
            before = releases;
            held++;
            lock.notifyAll();
        }
        try {
            while (!clientIsGone.getAsBoolean()) {
                synchronized (lock) {
                    if (closed || releases != before) {
                        return;
                    }
                    lock.wait(GLANCE_MILLIS);
                    if (closed || releases != before) {
                        return;
                    }
                }
            }
        } finally {
            synchronized (lock) {
                held--;
                lock.notifyAll();
            }
        }
    }

    void release() {
        synchronized (lock) {
            releases++;
            lock.notifyAll();
        }
    }

    void close() {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
    }

    int held() {
        synchronized (lock) {
            return held;
        }
    }

    /** Waits until exactly that many connections are held; false if they are not within the time. */
    boolean awaitHeld(int count, Duration within) throws InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        synchronized (lock) {
            while (held != count) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                lock.wait(left / 1_000_000, (int) (left % 1_000_000));
            }
            return true;
        }
    }
}
