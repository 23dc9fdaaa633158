package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainerException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of a job as it is now, one step after the other. A step that has none yet, or none any more, has no lines. */
final class ReadLogs implements LogStream {
    private static final Logger LOG = LoggerFactory.getLogger(ReadLogs.class);
    private static final int MOST_TRIES = 5;
    private static final long PAUSE_MILLIS = 200;

    private final Cluster cluster;
    private final LogQuery query;
    private final Duration silence;
    private final Map<String, List<PodFacts>> pods;
    private final Deque<String> steps;
    private volatile @Nullable AttemptLog reading;
    private boolean opened;
    private boolean previous;
    private int tries;
    private volatile boolean closed;

    ReadLogs(Cluster cluster, LogQuery query, List<String> steps, List<PodFacts> pods, Duration silence) {
        this.cluster = cluster;
        this.query = query;
        this.silence = silence;
        this.steps = new ArrayDeque<>(steps);
        this.pods = JobReader.byStep(pods);
    }

    @Override
    public Optional<LogLine> next() throws InterruptedException {
        while (!closed) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while a log was read");
            }
            AttemptLog log = reading;
            if (log == null) {
                if (steps.isEmpty()) {
                    return Optional.empty();
                }
                choose(pods.getOrDefault(steps.remove(), List.of()));
                continue;
            }
            try {
                if (!opened) {
                    log.open(query.tail(), previous, false);
                    opened = true;
                }
                Optional<LogLine> line = log.next();
                if (line.isPresent()) {
                    tries = 0;
                    return line;
                }
                reading = null;
            } catch (IOException e) {
                again(new BackendUnavailableException("the log could not be read to its end: " + e, List.of(), e));
            } catch (TrainerException e) {
                if (AttemptLog.isMissing(e)) {
                    LOG.debug("there is no log of {}", log.uid(), e);
                    reading = null;
                } else if (AttemptLog.isForbidden(e)) {
                    throw e;
                } else {
                    again(e);
                }
            }
        }
        return Optional.empty();
    }

    /** Goes on from the last line after a failure that may pass. */
    private void again(TrainerException e) throws InterruptedException {
        opened = false;
        if (closed) {
            return;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while a log was read");
        }
        if (++tries >= MOST_TRIES) {
            throw e;
        }
        Thread.sleep(PAUSE_MILLIS << tries);
    }

    private void choose(List<PodFacts> attempts) {
        if (attempts.isEmpty()) {
            return;
        }
        PodFacts pod = attempts.get(0);
        previous = query.previous() && pod.lastEnding().isPresent();
        int attempt = pod.newestAttempt();
        if (previous) {
            attempt = pod.lastEnding().orElseThrow().attempt();
        } else if (query.previous()) {
            if (attempts.size() < 2) {
                return;
            }
            pod = attempts.get(1);
            attempt = pod.newestAttempt();
        }
        if (attempt >= 0) {
            reading = new AttemptLog(cluster, pod, attempt, query, silence);
            opened = false;
            tries = 0;
        }
    }

    @Override
    public void close() {
        closed = true;
        AttemptLog log = reading;
        if (log != null) {
            log.cut();
        }
    }
}
