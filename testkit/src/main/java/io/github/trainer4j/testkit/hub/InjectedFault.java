package io.github.trainer4j.testkit.hub;

import java.time.Duration;

/** A {@link Fault} at work in a {@link FakeHub}: how often it struck, and the way to take it out. */
public final class InjectedFault {

    private final Fault fault;
    private int passed;
    private int hits;
    private boolean removed;

    InjectedFault(Fault fault) {
        this.fault = fault;
    }

    /** Changes the answer if it is this fault's turn. */
    void play(RecordedRequest request, Answer answer) {
        // Conditions and effects are the caller's code as well: never run them under the lock.
        boolean concerned = fault.target().filter().test(request)
                && fault.effects().stream().allMatch(effect -> effect.concerns().test(request, answer));
        if (concerned && claim()) {
            fault.effects().forEach(effect -> effect.change().accept(request, answer));
        }
    }

    private synchronized boolean claim() {
        if (removed || hits >= fault.target().times()) {
            return false;
        }
        if (passed < fault.target().skip()) {
            passed++;
            return false;
        }
        hits++;
        notifyAll();
        return true;
    }

    /**
     * How many answers it has changed.
     *
     * @return 0 or more
     */
    public synchronized int hits() {
        return hits;
    }

    /**
     * Waits until it has changed so many answers.
     *
     * @param count of answers
     * @param within the longest time to wait
     * @return whether it has
     * @throws InterruptedException if the thread is interrupted
     */
    public synchronized boolean awaitHits(int count, Duration within) throws InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        while (hits < count) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        return true;
    }

    /** Lets it change no further answer. */
    public synchronized void remove() {
        removed = true;
    }

    @Override
    public String toString() {
        return fault + " (" + hits() + " so far)";
    }
}
