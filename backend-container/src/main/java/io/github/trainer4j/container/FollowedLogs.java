package io.github.trainer4j.container;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.container.EngineException.Kind;
import io.github.trainer4j.container.LineJoiner.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the logs of a job's steps at the same time, until the job is over: one thread for each step, all into one queue.
 * What the engine sends while a container runs is only a view; what it has when the container has ended is the log, so each
 * step ends with a reading of that.
 */
final class FollowedLogs implements LogStream {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedLogs.class);
    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PAUSE_MILLIS = 250;
    private static final long LONGEST_PAUSE_MILLIS = 2000;
    private static final int MOST_REFUSALS = 100;
    private static final long STREAMS_MILLIS = 5000;
    private static final long ENDING_MILLIS = 1000;

    private final Engine engine;
    private final Supplier<Picture> look;
    private final LogQuery query;
    private final LineQueue queue;
    private final List<Follower> followers = new ArrayList<>();
    private final Thread streamWatch;
    private @Nullable Picture picture;
    private long lookedAt;
    private boolean changed;
    private volatile boolean closed;

    /**
     * Begins to follow.
     *
     * @param look looks at the job as it stands
     */
    FollowedLogs(Engine engine, Supplier<Picture> look, List<String> steps, LogQuery query, String threadPrefix) {
        this.engine = engine;
        this.look = look;
        this.query = query;
        this.queue = new LineQueue(steps.size());
        for (String step : steps) {
            Follower follower = new Follower(step);
            followers.add(follower);
            Thread thread = new Thread(follower, threadPrefix + "follow-" + step);
            thread.setDaemon(true);
            follower.thread = thread;
        }
        this.streamWatch = new Thread(this::watchStreams, threadPrefix + "follow-streams");
        streamWatch.setDaemon(true);
        followers.forEach(follower -> follower.thread().start());
        if (engine.version().dialect().exactFollow()) {
            streamWatch.start();
        }
    }

    /**
     * Ends streams a moment after their containers have ended: some engines leave them open, and a connection that was
     * dropped on the way looks like one on which nothing is said. What they lack is read afterwards.
     */
    private void watchStreams() {
        try {
            while (!closed
                    && followers.stream().anyMatch(follower -> follower.thread().isAlive())) {
                pause(STREAMS_MILLIS);
                Thread.sleep(ENDING_MILLIS);
                cutEnded();
            }
        } catch (InterruptedException e) {
            // It was closed.
            return;
        }
    }

    private void cutEnded() {
        try {
            Sighted sighted = glance().sighted();
            for (Follower follower : followers) {
                if (sighted.container(follower.step)
                        .filter(facts -> facts.state() != ContainerFacts.State.EXITED)
                        .isEmpty()) {
                    follower.endStream();
                }
            }
        } catch (EngineException | TrainerException e) {
            LOG.debug("whether streams should have ended is not known", e);
        }
    }

    /** Says that something about the job may have changed. */
    synchronized void hint() {
        changed = true;
        notifyAll();
    }

    @Override
    public Optional<LogLine> next() throws InterruptedException {
        return queue.take();
    }

    @Override
    public void close() {
        closed = true;
        queue.close();
        streamWatch.interrupt();
        for (Follower follower : followers) {
            follower.close();
        }
    }

    /** Returns the job as it stood a moment ago: with many nodes, many ask at the same time. */
    private synchronized Picture glance() {
        Picture last = picture;
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

    private final class Follower implements Runnable {
        private final String step;
        private @Nullable Thread thread;
        private long read;
        private long delivered;
        /** The last lines of what was there at first, while that is read; null afterwards. */
        private @Nullable Deque<Line> backlog = query.tail().isPresent() ? new ArrayDeque<>() : null;

        private String container = "";
        private volatile @Nullable ContainerLog log;
        private volatile boolean streaming;
        private long pauseMillis = PAUSE_MILLIS;
        private int refusals;

        Follower(String step) {
            this.step = step;
        }

        Thread thread() {
            Thread made = thread;
            if (made == null) {
                throw new IllegalStateException("no thread");
            }
            return made;
        }

        @Override
        public void run() {
            Patience patience = new Patience();
            try {
                while (!closed) {
                    try {
                        if (round(glance())) {
                            return;
                        }
                        patience.reset();
                        refusals = 0;
                        pause(pauseMillis);
                    } catch (EngineException e) {
                        goOn(e, patience);
                    } catch (BackendUnavailableException e) {
                        goOn(new EngineException(Kind.LOST, String.valueOf(e.getMessage()), e), patience);
                    }
                }
            } catch (InterruptedException e) {
                // It was closed.
                return;
            } catch (IOException e) {
                queue.fail(
                        new BackendUnavailableException("the log of " + step + " cannot be read: " + e, List.of(), e));
            } catch (EngineException e) {
                queue.fail(e.toUnavailable());
            } catch (RuntimeException e) {
                queue.fail(e);
            } finally {
                queue.end();
            }
        }

        /** Goes on after a failure that may pass: a cut connection, or a container that was removed to be made again. */
        private void goOn(EngineException e, Patience patience) throws InterruptedException {
            if (closed) {
                return;
            }
            if (e.isLostContact()) {
                if (!patience.lasts(e)) {
                    throw e;
                }
                return;
            }
            // Most likely the container is just being removed; the next look tells why.
            if (++refusals > MOST_REFUSALS) {
                throw e;
            }
            hint();
            pause(PAUSE_MILLIS);
        }

        /** Delivers what is new, and returns whether there will be no more. */
        private boolean round(Picture job) throws IOException, InterruptedException {
            Sighted sighted = job.sighted();
            KeptLog.Extent kept = JobLogs.kept(sighted, step);
            if (kept.whole() && kept.length() > read && sighted.directory().isPresent()) {
                readKept(sighted.directory().get().log(step), kept.length());
                read = kept.length();
            }
            Optional<ContainerFacts> facts = sighted.container(step)
                    .filter(found -> found.state() != ContainerFacts.State.CREATED)
                    .filter(found -> !kept.has(found.id()));
            boolean over = job.job().status().isFinal()
                    || Optional.ofNullable(job.states().get(step))
                            .filter(state -> state.status().isFinal())
                            .isPresent();
            boolean ended = true;
            boolean first = backlog != null;
            if (facts.isPresent()) {
                ended = facts.get().state() == ContainerFacts.State.EXITED;
                readContainer(facts.get().id(), ended, !ended && !first && exactFollow());
            }
            if (first) {
                flush();
                // What was there is read; the next round goes on at once.
                hint();
            }
            return ended && over;
        }

        private boolean exactFollow() {
            return engine.version().dialect().exactFollow();
        }

        private void flush() throws InterruptedException {
            Deque<Line> lines = backlog;
            backlog = null;
            if (lines != null) {
                for (Line line : lines) {
                    queue.put(JobLogs.line(step, line));
                }
            }
        }

        /** Reads the kept log from its start: it has also what was delivered from containers already. */
        private void readKept(Path file, long length) throws IOException, InterruptedException {
            long skip = delivered;
            try (KeptLog.Reader reader = new KeptLog.Reader(file, length)) {
                for (Optional<Line> line = reader.next(); line.isPresent(); line = reader.next()) {
                    if (skip > 0) {
                        skip--;
                    } else {
                        deliver(line.get());
                    }
                }
            }
        }

        private void readContainer(String id, boolean ended, boolean follow) throws InterruptedException {
            ContainerLog reading = log;
            if (reading == null || !container.equals(id)) {
                reading = new ContainerLog(engine, id, Optional.empty());
                container = id;
                log = reading;
            }
            long start = System.nanoTime();
            reading.begin(follow, ended);
            streaming = follow;
            boolean any = false;
            for (Optional<Line> line = reading.next(); line.isPresent() && !closed; line = reading.next()) {
                any = true;
                deliver(line.get());
            }
            streaming = false;
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            // A large log takes long to read again; then it is read less often.
            pauseMillis = any ? PAUSE_MILLIS : Math.min(LONGEST_PAUSE_MILLIS, Math.max(PAUSE_MILLIS, 4 * took));
            if (follow) {
                // It ended, because the container did or because it was cut off: worth another look.
                hint();
            }
        }

        private void deliver(Line line) throws InterruptedException {
            delivered++;
            boolean wanted = query.since().isEmpty()
                    || !line.begun().isBefore(query.since().get());
            Deque<Line> first = backlog;
            if (wanted && first != null) {
                first.addLast(line);
                if (first.size() > query.tail().orElse(0)) {
                    first.removeFirst();
                }
            } else if (wanted) {
                queue.put(JobLogs.line(step, line));
            }
        }

        /** Ends the pass that follows a container, if there is one. */
        void endStream() {
            ContainerLog reading = log;
            if (streaming && reading != null) {
                reading.cut();
            }
        }

        void close() {
            ContainerLog reading = log;
            if (reading != null) {
                reading.close();
            }
            thread().interrupt();
        }
    }
}
