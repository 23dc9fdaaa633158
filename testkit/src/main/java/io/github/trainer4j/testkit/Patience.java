package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.fail;

import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.Backend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for what should come soon, and fails the test when it does not. */
final class Patience {
    private static final long LOOK_MILLIS = 100;

    private final Duration limit;

    Patience(Duration limit) {
        this.limit = limit;
    }

    /** Waits for a job as a client does: hints make it quick, and looks now and then make it right. */
    TrainJob await(Backend backend, String name, String what, Predicate<TrainJob> reached) {
        long end = System.nanoTime() + limit.toNanos();
        Semaphore hint = new Semaphore(0);
        AutoCloseable watch = backend.watch(name, hint::release);
        try {
            while (true) {
                TrainJob job = backend.get(name);
                if (reached.test(job)) {
                    return job;
                }
                if (System.nanoTime() > end) {
                    return fail(name + " did not " + what + " within " + limit + "; " + tell(job));
                }
                if (job.status().isFinal()) {
                    return fail(name + " will never " + what + "; " + tell(job));
                }
                hint.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                hint.drainPermits();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            close(watch);
        }
    }

    /** Waits until a condition holds; what it is for is asked for when it did not. */
    void until(Supplier<String> what, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("not within " + limit + ": " + what.get());
            }
            pause(LOOK_MILLIS);
        }
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static AssertionError interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted, probably because the test took too long", e);
    }

    /** What is known of a job, for the message of a failure. */
    static String tell(TrainJob job) {
        return "it is " + job.status()
                + job.failure().map(failure -> ": " + failure.describe()).orElse("") + "; " + job.steps();
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
