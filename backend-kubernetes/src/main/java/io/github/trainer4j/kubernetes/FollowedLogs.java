package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainerException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The logs of a job's steps as they grow, until the job is over: one thread for each step, all into one queue. */
final class FollowedLogs implements LogStream {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedLogs.class);
    private static final int BATCHES_AHEAD = 16;
    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 2000;
    private static final long STREAMS_MILLIS = 5000;
    private static final long ENDING_MILLIS = 1000;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * How a job stands, for those who follow it.
     *
     * @param pods its pods
     * @param over whether it is over
     */
    record Look(List<PodFacts> pods, boolean over) {}

    /** Lines; none, but perhaps an error, at the end of a step. */
    private record Message(List<LogLine> lines, Optional<TrainerException> error) {}

    private final Supplier<Look> look;
    private final AutoCloseable watch;
    private final BlockingQueue<Message> queue = new ArrayBlockingQueue<>(BATCHES_AHEAD);
    private final List<Follower> followers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Deque<LogLine> taken = new ArrayDeque<>();
    private int following;
    private @Nullable Look picture;
    private long lookedAt;
    private boolean changed;
    private volatile boolean closed;

    /**
     * What may be waited for, and how long.
     *
     * @param start how long a container may be kept from starting by what rarely mends itself
     * @param silence after how long without a line a connection is made anew, because it may be dead
     * @param ending how long a stream may say nothing when its container has ended; not too short, since what a busy kubelet
     *     has rotated away cannot be read afterwards
     */
    record Limits(Duration start, Duration silence, Duration ending) {}

    /** Watches a job; see {@link Monitor#watch}. */
    interface Watching {
        /** Calls back when something may have changed, until the returned object is closed. */
        AutoCloseable watch(Runnable changed);
    }

    FollowedLogs(
            Cluster cluster,
            Supplier<Look> look,
            Watching watching,
            LogQuery query,
            List<String> steps,
            Limits limits,
            String threadPrefix) {
        this.look = look;
        this.following = steps.size();
        this.watch = watching.watch(this::hint);
        for (String step : steps) {
            Follower follower = new Follower(
                    cluster, step, query, limits, lines -> queue.put(new Message(lines, Optional.empty())));
            followers.add(follower);
            threads.add(thread(() -> run(follower), threadPrefix + "follow-" + step));
        }
        threads.add(thread(this::watchStreams, threadPrefix + "follow-streams"));
        threads.forEach(Thread::start);
    }

    private static Thread thread(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public Optional<LogLine> next() throws InterruptedException {
        while (!closed && following > 0) {
            LogLine line = taken.poll();
            if (line != null) {
                return Optional.of(line);
            }
            Message message = queue.take();
            if (closed) {
                break;
            }
            if (message.error().isPresent()) {
                close();
                throw message.error().get();
            }
            if (message.lines().isEmpty()) {
                following--;
            }
            taken.addAll(message.lines());
        }
        close();
        return Optional.empty();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            notifyAll();
        }
        followers.forEach(Follower::close);
        threads.forEach(Thread::interrupt);
        try {
            watch.close();
        } catch (Exception e) {
            LOG.debug("a watch did not close", e);
        }
        queue.clear();
        // Wakes the one who waits for a line.
        boolean unused = queue.offer(new Message(List.of(), Optional.empty()));
    }

    private synchronized void hint() {
        changed = true;
        notifyAll();
    }

    /** Returns the job as it stood a moment ago: with many nodes, many ask at the same time. */
    private synchronized Look glance() {
        Look last = picture;
        if (last == null || changed || System.nanoTime() - lookedAt > GLANCE_NANOS) {
            changed = false;
            last = look.get();
            picture = last;
            lookedAt = System.nanoTime();
        }
        return last;
    }

    @SuppressWarnings("WaitNotInLoop") // waking too early only means one more look
    private synchronized void pause(long millis) throws InterruptedException {
        if (!changed && !closed) {
            wait(millis);
        }
    }

    private void run(Follower follower) {
        long lastContact = System.nanoTime();
        long pause = PAUSE_MILLIS;
        try {
            while (!closed) {
                try {
                    if (follower.round(glance())) {
                        queue.put(new Message(List.of(), Optional.empty()));
                        return;
                    }
                    lastContact = System.nanoTime();
                    pause = PAUSE_MILLIS;
                } catch (BackendUnavailableException e) {
                    if (closed) {
                        return;
                    }
                    if (AttemptLog.isForbidden(e) || System.nanoTime() - lastContact > PATIENCE.toNanos()) {
                        throw e;
                    }
                    LOG.debug("{} is looked at again", follower.step(), e);
                    pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
                }
                pause(pause);
            }
        } catch (TrainerException e) {
            fail(e);
        } catch (RuntimeException e) {
            fail(new TrainerException("the log of " + follower.step() + " cannot be followed: " + e, e));
        } catch (InterruptedException e) {
            // It was closed.
            return;
        }
    }

    private void fail(TrainerException e) {
        try {
            queue.put(new Message(List.of(), Optional.of(e)));
        } catch (InterruptedException interrupted) {
            // It was closed.
            return;
        }
    }

    /** Ends streams a moment after their containers have ended: some proxies leave them open. */
    private void watchStreams() {
        try {
            while (!closed) {
                pause(STREAMS_MILLIS);
                Thread.sleep(ENDING_MILLIS);
                try {
                    Look now = glance();
                    followers.forEach(follower -> follower.cutIfEnded(now));
                } catch (TrainerException e) {
                    LOG.debug("whether streams should have ended is not known", e);
                }
            }
        } catch (InterruptedException e) {
            // It was closed.
            return;
        }
    }
}
