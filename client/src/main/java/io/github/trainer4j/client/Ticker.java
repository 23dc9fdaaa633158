package io.github.trainer4j.client;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Time as waits see it. */
interface Ticker {
    /** The time of a clock that never jumps, in nanoseconds. */
    long nanos();

    /** Waits until there is a hint, at most so long; returns whether there was one. */
    boolean pause(Semaphore hint, long nanos) throws InterruptedException;

    /** Returns real time. */
    static Ticker system() {
        return new Ticker() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public boolean pause(Semaphore hint, long nanos) throws InterruptedException {
                return hint.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            }
        };
    }
}
