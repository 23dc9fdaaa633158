package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainerException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of a job as it grows. Each step has a thread that follows the newest pod of it, reads again from the last line
 * when the connection or the container ends, and ends itself when the job is over.
 */
final class FollowedLogs implements LogStream {
    private static final int LINES_AHEAD = 1024;
    private static final long PAUSE_MILLIS = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * How a job stands, for those who follow it.
     *
     * @param pods its pods
     * @param over whether it is over
     */
    record Look(List<Pod> pods, boolean over) {}

    private final Cluster cluster;
    private final Supplier<Look> look;
    private final LogQuery query;
    private final BlockingQueue<Message> queue = new ArrayBlockingQueue<>(LINES_AHEAD);
    private final List<Follower> followers = new ArrayList<>();
    private int following;
    private volatile boolean closed;

    private record Message(Optional<LogLine> line, Optional<TrainerException> error) {}

    FollowedLogs(Cluster cluster, Supplier<Look> look, LogQuery query, List<String> steps, String threadPrefix) {
        this.cluster = cluster;
        this.look = look;
        this.query = query;
        this.following = steps.size();
        for (String step : steps) {
            followers.add(new Follower(step, threadPrefix + "follow-" + step));
        }
        followers.forEach(follower -> follower.thread.start());
    }

    @Override
    public Optional<LogLine> next() throws InterruptedException {
        while (!closed && following > 0) {
            Message message = queue.take();
            if (message.error().isPresent() && !closed) {
                close();
                throw message.error().get();
            }
            if (message.line().isPresent()) {
                return message.line();
            }
            following--;
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        closed = true;
        followers.forEach(Follower::close);
        queue.clear();
        // Wakes the one who waits for a line.
        boolean unused = queue.offer(new Message(Optional.empty(), Optional.empty()));
    }

    private final class Follower {
        private final String step;
        private final Thread thread;
        private final Set<String> finished = new HashSet<>();
        private LogCursor cursor;
        private String pod = "";
        private volatile @Nullable LogWatch watch;

        Follower(String step, String threadName) {
            this.step = step;
            this.cursor = new LogCursor(step, query.since());
            this.thread = new Thread(this::run, threadName);
            thread.setDaemon(true);
        }

        private void run() {
            long lastContact = System.nanoTime();
            try {
                while (!closed) {
                    try {
                        if (round()) {
                            queue.put(new Message(Optional.empty(), Optional.empty()));
                            return;
                        }
                        lastContact = System.nanoTime();
                    } catch (BackendUnavailableException e) {
                        if (System.nanoTime() - lastContact > PATIENCE.toNanos()) {
                            throw e;
                        }
                    }
                    Thread.sleep(PAUSE_MILLIS);
                }
            } catch (TrainerException e) {
                tell(e);
            } catch (InterruptedException e) {
                // It was closed.
                return;
            }
        }

        private void tell(TrainerException e) {
            try {
                queue.put(new Message(Optional.empty(), Optional.of(e)));
            } catch (InterruptedException interrupted) {
                // It was closed.
                return;
            }
        }

        /** Follows what there is to follow; returns whether there will be no more. */
        private boolean round() throws InterruptedException {
            Look now = look.get();
            List<Pod> attempts = JobReader.byStep(now.pods()).getOrDefault(step, List.of());
            if (attempts.isEmpty() || !ReadLogs.hasLog(attempts.get(0))) {
                return now.over();
            }
            Pod newest = attempts.get(0);
            String uid = newest.getMetadata().getUid();
            if (finished.contains(uid)) {
                return now.over();
            }
            if (!uid.equals(pod)) {
                pod = uid;
                cursor = new LogCursor(step, query.since());
            }
            follow(newest);
            boolean ended = JobReader.containerStatus(newest)
                    .filter(status -> status.getState().getTerminated() != null)
                    .isPresent();
            if (ended) {
                // Once more and to the end: what a followed log gives last may be cut.
                read(cluster.log(range(newest)));
                finished.add(uid);
            }
            return ended && now.over();
        }

        private Cluster.LogRange range(Pod from) {
            Optional<String> since = cursor.begin();
            return new Cluster.LogRange(
                    from.getMetadata().getName(),
                    JobReader.container(from),
                    since.or(() -> query.since().map(Object::toString)),
                    since.isEmpty() ? query.tail() : OptionalInt.empty(),
                    false);
        }

        private void follow(Pod from) throws InterruptedException {
            try (LogWatch open = cluster.follow(range(from))) {
                watch = open;
                if (!closed) {
                    read(open.getOutput());
                }
            } finally {
                watch = null;
            }
        }

        private void read(InputStream in) throws InterruptedException {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String raw = reader.readLine(); raw != null && !closed; raw = reader.readLine()) {
                    Optional<LogLine> line = cursor.read(raw);
                    if (line.isPresent()) {
                        queue.put(new Message(line, Optional.empty()));
                    }
                }
            } catch (IOException e) {
                // The connection was cut: the next round goes on from the last line.
                return;
            }
        }

        void close() {
            LogWatch open = watch;
            if (open != null) {
                open.close();
            }
            thread.interrupt();
        }
    }
}
