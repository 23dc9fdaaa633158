package io.github.trainer4j.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Time that passes only in pauses, and only as far as no hint ends them. */
final class FakeTicker implements Ticker {
    /** What is added to {@link #nanos()}, so that a clock that wraps around is met too. */
    private final long start;

    final List<Long> pauses = new ArrayList<>();
    Runnable inPause = () -> {};
    private long passed;

    FakeTicker(long start) {
        this.start = start;
    }

    @Override
    public long nanos() {
        return start + passed;
    }

    @Override
    public boolean pause(Semaphore hint, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        pauses.add(nanos);
        inPause.run();
        if (hint.tryAcquire()) {
            return true;
        }
        passed += nanos;
        return false;
    }

    /** The time that has passed, in seconds. */
    double seconds() {
        return passed / 1e9;
    }

    /** Lets time pass, as a slow call does. */
    void pass(long nanos) {
        passed += nanos;
    }
}
