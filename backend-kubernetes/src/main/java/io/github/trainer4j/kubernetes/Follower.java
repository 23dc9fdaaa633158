package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.TrainerException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one step of a job: its newest pod, its container through all restarts, and pods that take its place. What an API
 * server sends while a container runs is only a view, which may be cut anywhere; what it has when the container has ended
 * is the log, so each attempt ends with a reading of that.
 */
final class Follower {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    /** What rarely mends itself, so that it is not waited for as long as it takes. */
    private static final Set<String> BROKEN = Set.of(
            "ErrImagePull",
            "ImagePullBackOff",
            "InvalidImageName",
            "ErrImageNeverPull",
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError");

    private static final int LINES_AT_ONCE = 128;
    private static final int CHARACTERS_AT_ONCE = 1 << 16;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Takes the lines. */
    interface Sink {
        /** Takes lines, waiting until there is room. */
        void put(List<LogLine> lines) throws InterruptedException;
    }

    private final Cluster cluster;
    private final String step;
    private final LogQuery query;
    private final FollowedLogs.Limits limits;
    private final Sink sink;
    private final Map<String, Integer> finished = new HashMap<>();
    private volatile @Nullable AttemptLog reading;
    private @Nullable AttemptLog last;
    private volatile boolean streaming;
    private boolean begun;
    private String waitsFor = "";
    private long brokenSince;
    private long overSince;
    private volatile boolean closed;

    Follower(Cluster cluster, String step, LogQuery query, FollowedLogs.Limits limits, Sink sink) {
        this.cluster = cluster;
        this.step = step;
        this.query = query;
        this.limits = limits;
        this.sink = sink;
    }

    String step() {
        return step;
    }

    /** Delivers what there is to deliver, and returns whether there will be no more. */
    boolean round(FollowedLogs.Look now) throws InterruptedException {
        List<PodFacts> pods = JobReader.byStep(now.pods()).getOrDefault(step, List.of());
        AttemptLog log = reading;
        if (log == null) {
            log = next(pods);
            reading = log;
        }
        if (log == null) {
            if (!begun && !now.over()) {
                awaitStart(pods);
            }
            return now.over();
        }
        read(log, pods, now.over());
        if (reading != null && now.over()) {
            // A container that goes on after its job is being ended; but not for as long as it likes.
            if (overSince == 0) {
                overSince = System.nanoTime();
            }
            return System.nanoTime() - overSince > PATIENCE.toNanos();
        }
        return reading == null && now.over() && next(pods) == null;
    }

    /** Returns the oldest attempt that is to be read and can be; at first the newest there is. */
    private @Nullable AttemptLog next(List<PodFacts> newestFirst) {
        List<PodFacts> candidates = begun
                ? newestFirst.stream()
                        .sorted(Comparator.comparing(PodFacts::created))
                        .toList()
                : newestFirst.stream().limit(1).toList();
        for (PodFacts pod : candidates) {
            int newest = pod.newestAttempt();
            int done = finished.getOrDefault(pod.uid(), -1);
            if (newest > done) {
                // Of a container's earlier attempts a cluster keeps only the last.
                int attempt = begun && pod.lastEnding().isPresent() ? Math.max(done + 1, newest - 1) : newest;
                if (!begun) {
                    newestFirst.stream().skip(1).forEach(old -> finished.put(old.uid(), Integer.MAX_VALUE));
                }
                AttemptLog before = last;
                return before != null && before.uid().equals(pod.uid())
                        ? before.later(attempt)
                        : new AttemptLog(cluster, pod, attempt, query, limits.silence());
            }
        }
        return null;
    }

    private void read(AttemptLog log, List<PodFacts> pods, boolean over) throws InterruptedException {
        Optional<PodFacts> pod =
                pods.stream().filter(found -> found.uid().equals(log.uid())).findFirst();
        int newest = pod.map(PodFacts::newestAttempt).orElse(Integer.MAX_VALUE);
        boolean runs =
                pod.filter(found -> found.state() == PodFacts.State.RUNNING).isPresent() && newest == log.attempt();
        try {
            if (!begun && query.tail().isPresent()) {
                tail(log, query.tail().getAsInt());
            }
            begun = true;
            if (runs) {
                log.open(OptionalInt.empty(), false, true);
                stream(log);
                return;
            }
            if (newest == log.attempt() && newest == 0 && !over) {
                before(log);
            }
            if (newest <= log.attempt() + 1) {
                log.open(OptionalInt.empty(), newest > log.attempt(), false);
                drain(log);
            }
            finish(log);
        } catch (IOException e) {
            LOG.debug("the log of {} was cut", step, e);
            retry();
        } catch (TrainerException e) {
            if (!AttemptLog.isMissing(e)) {
                retry();
                throw e;
            }
            if (runs) {
                retry();
            } else {
                finish(log);
            }
        }
    }

    /** Lets the last lines be read once more from their beginning if they could not all be read. */
    private void retry() {
        if (!begun) {
            reading = null;
        }
    }

    /** Reads to its end what the kubelet may have started again already; what comes then is the next attempt's. */
    private void before(AttemptLog log) throws IOException, InterruptedException {
        try {
            log.open(OptionalInt.empty(), true, false);
            drain(log);
        } catch (TrainerException e) {
            if (!AttemptLog.isMissing(e)) {
                throw e;
            }
        }
    }

    private void finish(AttemptLog log) {
        log.close();
        finished.put(log.uid(), log.attempt());
        last = log;
        reading = null;
    }

    /** Delivers the last lines of what is there; what comes later is not theirs to be counted. */
    private void tail(AttemptLog log, int wanted) throws IOException, InterruptedException {
        Deque<LogLine> last = new ArrayDeque<>();
        // One at least, to know from where on to follow.
        log.open(OptionalInt.of(Math.max(1, wanted)), false, false);
        for (Optional<LogLine> line = log.next(); line.isPresent() && !closed; line = log.next()) {
            last.addLast(line.get());
            if (last.size() > wanted) {
                last.removeFirst();
            }
        }
        if (!last.isEmpty()) {
            sink.put(List.copyOf(last));
        }
    }

    private void stream(AttemptLog log) throws IOException, InterruptedException {
        streaming = true;
        try {
            drain(log);
        } finally {
            streaming = false;
            log.close();
        }
    }

    private void drain(AttemptLog log) throws IOException, InterruptedException {
        List<LogLine> lines = new ArrayList<>();
        int size = 0;
        try {
            for (Optional<LogLine> line = log.next(); line.isPresent() && !closed; line = log.next()) {
                lines.add(line.get());
                size += line.get().text().length();
                if (lines.size() == LINES_AT_ONCE || size > CHARACTERS_AT_ONCE || !log.hasNext()) {
                    sink.put(lines);
                    lines = new ArrayList<>();
                    size = 0;
                }
            }
        } finally {
            if (!lines.isEmpty()) {
                sink.put(lines);
            }
        }
    }

    private void awaitStart(List<PodFacts> pods) {
        Optional<PodFacts> pod = pods.stream().findFirst();
        String reason = pod.flatMap(PodFacts::reason).orElse("");
        String words = pod.flatMap(PodFacts::message).orElse("");
        if (!reason.equals(waitsFor)) {
            waitsFor = reason;
            LOG.info("{} has not started yet: {} {}", step, reason, words);
        }
        if (!BROKEN.contains(reason)) {
            brokenSince = 0;
        } else if (brokenSince == 0) {
            brokenSince = System.nanoTime();
        } else if (System.nanoTime() - brokenSince > limits.start().toNanos()) {
            throw new TrainerException(
                    step + " cannot start: " + reason + ": " + words
                            + "; mend it, or delete the job and submit it anew",
                    null,
                    null,
                    step,
                    reason);
        }
    }

    /** Ends a stream that should have ended and has no more to say; what it lacks is read afterwards. */
    void cutIfEnded(FollowedLogs.Look now) {
        AttemptLog log = reading;
        if (log == null || !streaming) {
            return;
        }
        boolean runs = now.pods().stream()
                .anyMatch(pod -> pod.uid().equals(log.uid())
                        && pod.state() == PodFacts.State.RUNNING
                        && pod.restarts() == log.attempt());
        if (!runs && log.waitingNanos() > limits.ending().toNanos()) {
            log.cut();
        }
    }

    void close() {
        closed = true;
        AttemptLog log = reading;
        if (log != null) {
            log.cut();
        }
    }
}
