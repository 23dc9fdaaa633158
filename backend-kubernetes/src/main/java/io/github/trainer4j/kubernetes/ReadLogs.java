package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The log of a job as it is now, one step after the other. */
final class ReadLogs implements LogStream {
    private final Cluster cluster;
    private final LogQuery query;
    private final Map<String, List<Pod>> pods;
    private final Deque<String> steps;
    private LogCursor cursor = new LogCursor("", Optional.empty());
    private @Nullable BufferedReader reader;
    private volatile boolean closed;

    ReadLogs(Cluster cluster, LogQuery query, List<String> steps, List<Pod> pods) {
        this.cluster = cluster;
        this.query = query;
        this.steps = new ArrayDeque<>(steps);
        this.pods = JobReader.byStep(pods);
    }

    @Override
    public Optional<LogLine> next() throws InterruptedException {
        try {
            while (!closed) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while a log was read");
                }
                BufferedReader open = reader;
                if (open == null && !openNext()) {
                    return Optional.empty();
                }
                String raw = open == null ? null : open.readLine();
                if (open != null && raw == null) {
                    open.close();
                    reader = null;
                }
                Optional<LogLine> line = raw == null ? Optional.empty() : cursor.read(raw);
                if (line.isPresent()) {
                    return line;
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            if (closed) {
                return Optional.empty();
            }
            throw new BackendUnavailableException("the log could not be read to its end: " + e, List.of(), e);
        }
    }

    private boolean openNext() {
        while (!steps.isEmpty()) {
            String step = steps.remove();
            Optional<Cluster.LogRange> range = range(pods.getOrDefault(step, List.of()));
            if (range.isPresent()) {
                cursor = new LogCursor(step, query.since());
                reader = new BufferedReader(new InputStreamReader(cluster.log(range.get()), StandardCharsets.UTF_8));
                return true;
            }
        }
        return false;
    }

    private Optional<Cluster.LogRange> range(List<Pod> attempts) {
        if (attempts.isEmpty()) {
            return Optional.empty();
        }
        Pod pod = attempts.get(0);
        boolean previous = query.previous();
        if (previous && restarts(pod) == 0) {
            if (attempts.size() < 2) {
                return Optional.empty();
            }
            pod = attempts.get(1);
            previous = false;
        }
        if (!previous && !hasLog(pod)) {
            return Optional.empty();
        }
        return Optional.of(new Cluster.LogRange(
                pod.getMetadata().getName(),
                JobReader.container(pod),
                query.since().map(Object::toString),
                query.tail().isPresent() ? OptionalInt.of(query.tail().getAsInt()) : OptionalInt.empty(),
                previous));
    }

    private static int restarts(Pod pod) {
        return JobReader.containerStatus(pod)
                .map(status -> status.getRestartCount())
                .orElse(0);
    }

    /** Whether a container has started, so that there is a log to ask for. */
    static boolean hasLog(Pod pod) {
        return JobReader.containerStatus(pod)
                .map(status -> status.getState())
                .filter(state -> state.getRunning() != null || state.getTerminated() != null)
                .isPresent();
    }

    @Override
    public void close() {
        closed = true;
        BufferedReader open = reader;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // Nothing is lost by it.
                return;
            }
        }
    }
}
