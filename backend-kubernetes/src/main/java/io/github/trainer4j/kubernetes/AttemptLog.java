package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.TrainerException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The log of one attempt of a container: as often as it is opened, each line comes once. For one thread at a time, but for
 * {@link #cut()}.
 */
final class AttemptLog {
    /** How a kubelet's answer begins that has removed the container meanwhile; it takes that for a log. */
    private static final String NO_LOG = "unable to retrieve container logs for ";

    private final Cluster cluster;
    private final PodFacts pod;
    private final int attempt;
    private final Optional<String> since;
    private final Duration silence;
    private final LogCursor cursor;
    private volatile @Nullable LogLines lines;

    /**
     * Makes one.
     *
     * @param silence after how long without a byte a reading fails, because its connection may be dead
     */
    AttemptLog(Cluster cluster, PodFacts pod, int attempt, LogQuery query, Duration silence) {
        this.cluster = cluster;
        this.pod = pod;
        this.attempt = attempt;
        this.silence = silence;
        this.since = query.since().map(Object::toString);
        this.cursor = new LogCursor(pod.step(), query.since());
    }

    private AttemptLog(AttemptLog before, int attempt) {
        this.cluster = before.cluster;
        this.pod = before.pod;
        this.attempt = attempt;
        this.silence = before.silence;
        this.since = before.since;
        this.cursor = before.cursor;
    }

    /** Returns the log of a later attempt; what was read of it already, as the kubelet was ahead, does not come again. */
    AttemptLog later(int next) {
        return new AttemptLog(this, next);
    }

    String uid() {
        return pod.uid();
    }

    int attempt() {
        return attempt;
    }

    /**
     * Opens the log where the last reading of it has ended.
     *
     * @param tail how many last lines to read, if none was read before
     * @param previous whether the container has been started again since
     * @param follow whether to go on with what comes later
     */
    void open(OptionalInt tail, boolean previous, boolean follow) {
        close();
        Optional<String> from = cursor.begin();
        lines = new LogLines(
                cluster.log(new Cluster.LogRange(
                        pod.name(),
                        pod.container(),
                        from.isPresent() ? from : since,
                        from.isPresent() ? OptionalInt.empty() : tail,
                        previous,
                        follow,
                        silence)),
                !follow);
    }

    /** Returns the next line that was not returned before; empty at the end of what was opened. */
    Optional<LogLine> next() throws IOException {
        LogLines open = lines;
        if (open == null) {
            return Optional.empty();
        }
        while (true) {
            String raw = open.next();
            if (raw == null) {
                close();
                return Optional.empty();
            }
            Optional<LogLine> line = cursor.read(raw);
            if (line.isPresent() && !raw.startsWith(NO_LOG)) {
                return line;
            }
        }
    }

    /** Whether there may be another line that need not be waited for. */
    boolean hasNext() {
        LogLines open = lines;
        return open != null && open.hasNext();
    }

    /** Returns for how long a line has been waited for. */
    long waitingNanos() {
        LogLines open = lines;
        return open == null ? 0 : open.waitingNanos();
    }

    /**
     * Returns the last lines.
     *
     * @throws TrainerException if they cannot be read
     */
    List<LogLine> last(int most, boolean previous) {
        List<LogLine> last = new ArrayList<>();
        open(OptionalInt.of(most), previous, false);
        try {
            for (Optional<LogLine> line = next(); line.isPresent(); line = next()) {
                last.add(line.get());
            }
            return last;
        } catch (IOException e) {
            throw new BackendUnavailableException("the log of " + pod.name() + " was cut: " + e, List.of(), e);
        } finally {
            close();
        }
    }

    /** Ends the reading; from any thread. */
    void cut() {
        LogLines open = lines;
        if (open != null) {
            open.close();
        }
    }

    void close() {
        cut();
        lines = null;
    }

    /** Whether an error means that there is no such log: not yet, or not any more. */
    static boolean isMissing(TrainerException e) {
        return e.getCause() instanceof KubernetesClientException cause
                && (cause.getCode() == 400 || cause.getCode() == 404);
    }

    /** Whether asking again will not help. */
    static boolean isForbidden(TrainerException e) {
        return e.getCause() instanceof KubernetesClientException cause
                && (cause.getCode() == 401 || cause.getCode() == 403);
    }
}
