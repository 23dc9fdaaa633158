package io.github.trainer4j.local;

import io.github.trainer4j.api.JobStatus;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step that this JVM runs itself: its log, and where it stands, kept in files for other JVMs to see. Safe for several
 * threads. When the launch is over it is closed, and what a straggler says then is dropped.
 */
final class LaunchedStep {
    private static final Logger LOG = LoggerFactory.getLogger(LaunchedStep.class);
    private static final long INTERVAL_NANOS = 250_000_000;

    private final JobDirectory directory;
    private final String name;
    private final Clock clock;
    private final Redaction redaction;
    private StepState state = StepState.TO_COME;
    private long lastWrite = System.nanoTime() - INTERVAL_NANOS;
    private boolean closed;
    private boolean logFailed;

    LaunchedStep(JobDirectory directory, String name, Clock clock, Redaction redaction) {
        this.directory = directory;
        this.name = name;
        this.clock = clock;
        this.redaction = redaction;
    }

    String name() {
        return name;
    }

    void started(int attempt) throws IOException {
        write(state -> state.started(clock.instant(), attempt));
    }

    void completed() throws IOException {
        write(state -> state.completed(clock.instant()));
    }

    /** Takes how much is fetched; written down a few times a second. */
    synchronized void progress(long done, OptionalLong total) {
        state = state.progress(done, total);
        long now = System.nanoTime();
        if (closed || now - lastWrite < INTERVAL_NANOS) {
            return;
        }
        lastWrite = now;
        try {
            state.write(directory, name);
        } catch (IOException e) {
            // It is for people to look at; the next one may get through.
            LOG.debug("the progress of {} of job {} cannot be written down", name, directory.name(), e);
        }
    }

    /** Says that it failed, unless it was completed, and ends what it writes. */
    synchronized void close(String reason) {
        try {
            if (state.status() != JobStatus.COMPLETE) {
                write(now -> now.failed(clock.instant(), reason));
            }
        } catch (IOException e) {
            // The job's own failure says it all once more.
            LOG.debug("the end of {} of job {} cannot be written down", name, directory.name(), e);
        }
        closed = true;
    }

    private synchronized void write(UnaryOperator<StepState> change) throws IOException {
        if (!closed) {
            state = change.apply(state);
            state.write(directory, name);
        }
    }

    /** Appends a line to the step's log. */
    synchronized void log(String line) {
        if (closed) {
            return;
        }
        byte[] bytes = (redaction.text(line) + "\n").getBytes(StandardCharsets.UTF_8);
        try (FileOutputStream log = new FileOutputStream(directory.log(name).toFile(), true)) {
            log.write(bytes);
        } catch (IOException e) {
            if (!logFailed) {
                LOG.warn("the log of {} of job {} cannot be written: {}", name, directory.name(), e.toString());
            }
            logFailed = true;
        }
    }
}
