package io.github.trainer4j.transfer;

import io.github.trainer4j.api.InitializerException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has threads of its own do a piece of work, so that the calling thread, which may hang in no read, is free to look after
 * them: it ends all of them as soon as it is interrupted or one of them fails.
 */
final class Crew {
    private static final long TICK_MILLIS = 100;
    private static final long GRACE_MILLIS = 2000;

    private final Consumer<Throwable> cut;
    private final Runnable tick;
    private final Consumer<String> log;

    /** What each thread does. */
    @FunctionalInterface
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    /**
     * @param cut makes what the threads hang in fail; is told why
     * @param tick is run ten times a second by the calling thread
     * @param log is told of threads that do not end
     */
    Crew(Consumer<Throwable> cut, Runnable tick, Consumer<String> log) {
        this.cut = cut;
        this.tick = tick;
        this.log = log;
    }

    /**
     * Has so many threads do the work and waits for them.
     *
     * @throws IOException as the first thread that failed
     * @throws InterruptedException if the calling thread was interrupted
     */
    void run(int threads, Work work) throws IOException, InterruptedException {
        if (threads == 0) {
            return;
        }
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicInteger working = new AtomicInteger(threads);
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> crew = new ArrayList<>();
        for (int i = 1; i <= threads; i++) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            work.run();
                        } catch (Throwable e) {
                            failure.compareAndSet(null, e);
                            over.countDown();
                        }
                        if (working.decrementAndGet() == 0) {
                            over.countDown();
                        }
                    },
                    "trainer4j-transfer-" + i);
            thread.setDaemon(true);
            crew.add(thread);
        }
        crew.forEach(Thread::start);
        try {
            while (!over.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                tick.run();
            }
        } catch (InterruptedException | RuntimeException e) {
            end(crew, e);
            throw e;
        }
        Throwable first = failure.get();
        if (first != null) {
            end(crew, first);
            rethrow(first);
        }
        join(crew, GRACE_MILLIS);
    }

    private void end(List<Thread> crew, Throwable reason) {
        crew.forEach(Thread::interrupt);
        cut.accept(reason);
        join(crew, GRACE_MILLIS);
        long left = crew.stream().filter(Thread::isAlive).count();
        if (left > 0) {
            log.accept("warning: " + left + " threads hang in a request of the source and are left behind");
        }
    }

    /** Waits for all a bounded while, also when interrupted meanwhile: the flag stays set then. */
    static void join(List<Thread> crew, long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean interrupted = false;
        for (Thread thread : crew) {
            long left;
            while (thread.isAlive() && (left = deadline - System.nanoTime()) > 0) {
                try {
                    thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void rethrow(Throwable failure) throws IOException, InterruptedException {
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof DiskException e) {
            throw e.failure();
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        throw new InitializerException("a download thread was interrupted by a stranger", "Interrupted", failure);
    }
}
