package io.github.trainer4j.local;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.UnsupportedFeatureException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The logs of a job's steps, read from their files.
 *
 * <p>A follow looks at the files every {@value #MOST_MILLIS} ms at most: to be woken for each write instead would cost more
 * than that as soon as a step writes much, and is not to be had on every file system.
 */
final class JobLogs implements LogStream {
    private static final long LEAST_MILLIS = 10;
    private static final long MOST_MILLIS = 80;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private final JobDirectory directory;
    private final List<LogSource> sources = new ArrayList<>();
    private final boolean follow;
    private final BooleanSupplier isOver;
    /** For a follow, how far the logs reached when the job was seen to be over; else when the stream was opened. */
    private long[] ends = new long[0];

    private boolean endsKnown;
    private int turn;
    private long pause = LEAST_MILLIS;
    private long lastLook = System.nanoTime() - LOOK_NANOS;
    private final CountDownLatch closed = new CountDownLatch(1);

    private JobLogs(JobDirectory directory, boolean follow, BooleanSupplier isOver) {
        this.directory = directory;
        this.follow = follow;
        this.isOver = isOver;
    }

    /**
     * Opens the logs of a job.
     *
     * @param steps the job's steps
     * @param isOver looks whether the job is over; throws {@link JobNotFoundException} when it is gone
     */
    static JobLogs open(JobDirectory directory, List<String> steps, LogQuery query, BooleanSupplier isOver) {
        List<String> wanted = query.step().map(List::of).orElse(steps);
        if (!steps.containsAll(wanted)) {
            throw JobNotFoundException.noStep(directory.name(), wanted.get(0), steps);
        }
        if (query.previous()) {
            throw new UnsupportedFeatureException("backend local keeps all attempts at a step in one log, so that "
                    + String.join(", ", wanted)
                    + " has no earlier one of its own; drop previousAttempt, or use backend kubernetes");
        }
        JobLogs logs = new JobLogs(directory, query.follow(), isOver);
        try {
            for (String step : wanted) {
                LogSource source = new LogSource(step, directory.log(step));
                logs.sources.add(source);
                logs.start(source, query);
            }
            if (!query.follow()) {
                logs.fixEnds();
            }
            return logs;
        } catch (FileNotFoundException e) {
            logs.close();
            throw JobStore.missing(directory.name());
        } catch (IOException e) {
            logs.close();
            throw logs.unreadable(e);
        }
    }

    private void start(LogSource source, LogQuery query) throws IOException {
        long offset = 0;
        Optional<Instant> since = query.since();
        if (since.isPresent()) {
            offset = LogTimes.offset(directory, source, since.get());
        }
        if (query.tail().isPresent()) {
            long end = source.size();
            offset = Math.max(
                    offset, LogTail.offset(source.file(), end, query.tail().getAsInt()));
        }
        source.seek(offset);
    }

    @Override
    public Optional<LogLine> next() throws InterruptedException {
        while (true) {
            if (isClosed()) {
                return Optional.empty();
            }
            try {
                Optional<LogLine> line = read();
                if (line.isPresent()) {
                    pause = LEAST_MILLIS;
                    return line;
                }
            } catch (IOException e) {
                if (isClosed()) {
                    return Optional.empty();
                }
                throw unreadable(e);
            }
            if (endsKnown) {
                return Optional.empty();
            }
            if (!look()) {
                pause();
            }
        }
    }

    /** Takes lines of one source after the other, a block at most, so that a chatty step does not hold back a quiet one. */
    private Optional<LogLine> read() throws IOException {
        for (int i = 0; i < sources.size(); i++) {
            int index = (turn + i) % sources.size();
            LogSource source = sources.get(index);
            Optional<String> text = source.next(endsKnown ? ends[index] : Long.MAX_VALUE);
            if (text.isEmpty() && endsKnown) {
                text = source.rest();
            }
            if (text.isPresent()) {
                turn = source.hasMore() ? index : index + 1;
                return Optional.of(new LogLine(source.step(), Optional.empty(), text.get()));
            }
        }
        return Optional.empty();
    }

    /** Looks, if it is time to, whether the job is over; from then on what the logs have now is all. */
    private boolean look() {
        long now = System.nanoTime();
        if (!follow || now - lastLook < LOOK_NANOS) {
            return false;
        }
        lastLook = now;
        if (!isOver.getAsBoolean()) {
            return false;
        }
        try {
            fixEnds();
            return true;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private void fixEnds() throws IOException {
        ends = new long[sources.size()];
        for (int i = 0; i < ends.length; i++) {
            ends[i] = sources.get(i).size();
        }
        endsKnown = true;
    }

    private void pause() throws InterruptedException {
        boolean unused = closed.await(pause, TimeUnit.MILLISECONDS);
        pause = Math.min(MOST_MILLIS, pause * 2);
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private BackendUnavailableException unreadable(IOException cause) {
        return new BackendUnavailableException(
                "the logs of job " + directory.name() + " in " + directory.logs() + " cannot be read: " + cause,
                List.of(),
                cause);
    }

    @Override
    public void close() {
        closed.countDown();
        for (LogSource source : sources) {
            try {
                source.close();
            } catch (IOException e) {
                throw unreadable(e);
            }
        }
    }
}
