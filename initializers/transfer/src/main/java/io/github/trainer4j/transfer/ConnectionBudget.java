package io.github.trainer4j.transfer;

import java.util.concurrent.Semaphore;

/**
 * How many connections all downloads of this JVM hold at once, whatever their sources. Without it two downloads of a job
 * and two jobs at a time would be 32 connections to one host. Safe for several threads.
 */
public final class ConnectionBudget {
    private static final ConnectionBudget SHARED = new ConnectionBudget(TransferSettings.number("all-connections", 16));

    private final Semaphore permits;

    /** Makes a budget of this many connections. */
    ConnectionBudget(int connections) {
        permits = new Semaphore(connections, true);
    }

    /**
     * Returns the one of this JVM: 16 connections, or as many as the system property
     * {@code io.github.trainer4j.transfer.all-connections} says.
     */
    public static ConnectionBudget shared() {
        return SHARED;
    }

    void acquire() throws InterruptedException {
        permits.acquire();
    }

    void release() {
        permits.release();
    }
}
