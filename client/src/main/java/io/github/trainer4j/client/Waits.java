package io.github.trainer4j.client;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.JobFailedException;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.api.WaitTimeoutException;
import io.github.trainer4j.api.spi.Backend;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for jobs, the same way on every backend: the backend's watch makes a wait quick, but only looks at the job count.
 * Safe for several threads.
 */
final class Waits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Waits.class);
    /** Far enough to be never, near enough to be added to any nanoTime. */
    private static final long NEVER = Long.MAX_VALUE / 2;

    private final Ticker ticker;
    private final Set<Semaphore> hints = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    @Inject
    Waits(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Waits; see {@link TrainerClient#waitFor(String, WaitOptions)}. */
    TrainJob await(Backend backend, String name, WaitOptions options) throws InterruptedException {
        Semaphore hint = new Semaphore(0);
        hints.add(hint);
        // Watching starts before the first look, so that no change falls between the two.
        AutoCloseable watch = watch(backend, name, hint);
        try {
            return look(backend, name, options, hint);
        } finally {
            hints.remove(hint);
            end(watch, name);
        }
    }

    /** Ends all waits. */
    @Override
    public void close() {
        closed = true;
        hints.forEach(Semaphore::release);
    }

    private TrainJob look(Backend backend, String name, WaitOptions options, Semaphore hint)
            throws InterruptedException {
        long deadline = ticker.nanos() + nanos(options.timeout());
        StatusChanges changes = new StatusChanges(options.listeners());
        boolean complained = false;
        while (true) {
            checkGoingOn(name);
            boolean lastLook = ticker.nanos() - deadline >= 0;
            TrainJob job = null;
            BackendUnavailableException lost = null;
            try {
                job = backend.get(name);
            } catch (BackendUnavailableException e) {
                lost = e;
            } catch (RuntimeException e) {
                // An interrupt, or the client being closed, may show itself in any way.
                checkGoingOn(name);
                throw e;
            }
            checkGoingOn(name);
            if (job != null) {
                changes.seen(job);
                if (changes.passedAny(options.statuses())) {
                    return job;
                }
                if (job.status().isFinal()) {
                    throw new JobFailedException(job);
                }
                if (lastLook) {
                    throw new WaitTimeoutException(job, options.statuses(), options.timeout(), events(backend, name));
                }
            }
            if (lost != null) {
                if (lastLook) {
                    throw lost;
                }
                if (!complained) {
                    LOG.warn(
                            "trying on until the wait's deadline: job {} cannot be looked at: {}",
                            name,
                            lost.getMessage());
                    complained = true;
                }
            }
            long left = deadline - ticker.nanos();
            if (left > 0) {
                ticker.pause(hint, Math.min(left, nanos(options.pollInterval())));
            }
        }
    }

    /** Asks what has happened to a job; an error about something else is not to be hidden by this one failing. */
    private static List<Event> events(Backend backend, String name) {
        try {
            return backend.events(name);
        } catch (RuntimeException e) {
            LOG.debug("the events of job {} cannot be read", name, e);
            return List.of();
        }
    }

    private void checkGoingOn(String name) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting for job " + name);
        }
        if (closed) {
            throw TrainerClient.closed();
        }
    }

    private static @Nullable AutoCloseable watch(Backend backend, String name, Semaphore hint) {
        try {
            // One permit says it all.
            return backend.watch(name, () -> {
                if (hint.availablePermits() == 0) {
                    hint.release();
                }
            });
        } catch (RuntimeException e) {
            // Looking at the job tells whether something is wrong with it.
            LOG.debug("job {} cannot be watched; it is looked at now and then", name, e);
            return null;
        }
    }

    private static void end(@Nullable AutoCloseable watch, String name) {
        if (watch == null) {
            return;
        }
        try {
            watch.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.warn("the watch of job {} did not close", name, e);
        }
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(NEVER)) < 0 ? duration.toNanos() : NEVER;
    }
}
