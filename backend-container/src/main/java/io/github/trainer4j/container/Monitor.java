package io.github.trainer4j.container;

import io.github.trainer4j.api.spi.Watchers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to the engine's events and tells those who watch a job, and looks after the jobs that this process launched. An
 * event is a hint: it may come late, twice or, after a cut, not at all; so a look follows it shortly, and from time to time
 * one comes without.
 */
final class Monitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);
    private static final long[] LOOKS_MILLIS = {0, 250, 1500};
    private static final long FALLBACK_SECONDS = 5;

    private final Supplier<Engine> engine;
    private final Consumer<String> look;
    private final Watchers watchers = new Watchers();
    private final Set<String> kept = ConcurrentHashMap.newKeySet();
    private final Map<String, Boolean> pending = new HashMap<>();
    private final ScheduledThreadPoolExecutor hints;
    private final ScheduledThreadPoolExecutor looks;
    private final String threadPrefix;
    private @Nullable Thread listener;
    private volatile EngineStreams.@Nullable Events events;
    private volatile boolean closed;

    /**
     * Makes a monitor.
     *
     * @param engine gives the engine, connecting if need be
     * @param look looks after a job that this process launched
     */
    Monitor(Supplier<Engine> engine, Consumer<String> look, String threadPrefix) {
        this.engine = engine;
        this.look = look;
        this.threadPrefix = threadPrefix;
        this.hints = executor(threadPrefix + "hints");
        this.looks = executor(threadPrefix + "looks");
    }

    private static ScheduledThreadPoolExecutor executor(String name) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, body -> {
            Thread thread = new Thread(body, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return executor;
    }

    /** Calls back soon after something about a job may have changed, until the returned object is closed. */
    AutoCloseable watch(String job, Runnable changed) {
        AutoCloseable watch = watchers.add(job, changed);
        listen();
        return watch;
    }

    /** Looks after a job until it is released. */
    void keep(String job) {
        kept.add(job);
        listen();
        signal(job);
    }

    void release(String job) {
        kept.remove(job);
    }

    /** Does something after a while, which must not take long. */
    void after(Duration delay, Runnable body) {
        schedule(looks, body, Math.max(0, delay.toMillis()) + 1);
    }

    /** Says that something about a job may have changed. */
    void signal(String job) {
        for (long delay : LOOKS_MILLIS) {
            synchronized (pending) {
                if (pending.putIfAbsent(job + " " + delay, true) != null) {
                    continue;
                }
            }
            schedule(
                    hints,
                    () -> {
                        synchronized (pending) {
                            pending.remove(job + " " + delay);
                        }
                        if (kept.contains(job)) {
                            schedule(looks, () -> lookAfter(job), 0);
                        }
                        watchers.tell(job);
                    },
                    delay);
        }
    }

    private void lookAfter(String job) {
        if (!kept.contains(job)) {
            return;
        }
        look.accept(job);
        if (!kept.contains(job)) {
            // It is over now: whoever watches is to know.
            schedule(hints, () -> watchers.tell(job), 0);
        }
    }

    private static void schedule(ScheduledThreadPoolExecutor executor, Runnable body, long delayMillis) {
        try {
            ScheduledFuture<?> unused = executor.schedule(
                    () -> {
                        try {
                            body.run();
                        } catch (RuntimeException e) {
                            LOG.debug("a look failed; another follows", e);
                        }
                    },
                    delayMillis,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // It is being closed.
            return;
        }
    }

    private void signalAll() {
        List<String> jobs = new ArrayList<>(kept);
        jobs.addAll(watchers.jobs());
        jobs.forEach(this::signal);
    }

    private synchronized void listen() {
        if (listener != null || closed) {
            return;
        }
        Thread thread = new Thread(this::listenUntilClosed, threadPrefix + "events");
        thread.setDaemon(true);
        listener = thread;
        thread.start();
        ScheduledFuture<?> unused =
                hints.scheduleWithFixedDelay(this::signalAll, FALLBACK_SECONDS, FALLBACK_SECONDS, TimeUnit.SECONDS);
    }

    private void listenUntilClosed() {
        Instant since = Instant.now();
        long pauseMillis = 100;
        while (!closed) {
            try (EngineStreams.Events stream = engine.get().streams().events(Labels.JOB, since)) {
                events = stream;
                pauseMillis = 100;
                signalAll();
                while (!closed) {
                    var job = stream.next();
                    if (job.isEmpty()) {
                        break;
                    }
                    since = Instant.now();
                    signal(job.get());
                }
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    LOG.debug("the engine's events are cut off; they are asked for again", e);
                }
            }
            try {
                Thread.sleep(closed ? 0 : pauseMillis);
            } catch (InterruptedException e) {
                return;
            }
            pauseMillis = Math.min(3000, pauseMillis * 2);
        }
    }

    @Override
    public void close() {
        closed = true;
        hints.shutdownNow();
        looks.shutdownNow();
        EngineStreams.Events open = events;
        if (open != null) {
            open.close();
        }
        Thread thread;
        synchronized (this) {
            thread = listener;
        }
        if (thread != null) {
            thread.interrupt();
        }
    }
}
