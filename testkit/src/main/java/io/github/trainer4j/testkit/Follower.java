package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Reads a log on a thread of its own, and keeps the lines and how it ended. */
final class Follower {
    private final Bench bench;
    private final LogStream stream;
    private final List<LogLine> lines = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::read, "contract-follower");
    private volatile @Nullable Throwable failure;

    private Follower(Bench bench, LogStream stream) {
        this.bench = bench;
        this.stream = stream;
    }

    static Follower of(Bench bench, LogStream stream) {
        Follower follower = new Follower(bench, stream);
        follower.thread.start();
        return follower;
    }

    private void read() {
        try {
            stream.forEach(lines::add);
        } catch (InterruptedException | RuntimeException e) {
            failure = e;
        }
    }

    /** The lines it has got so far. */
    List<String> texts() {
        return lines.stream().map(LogLine::text).toList();
    }

    List<LogLine> lines() {
        return List.copyOf(lines);
    }

    void awaitLine(String text) {
        bench.until("the follower gets '" + text + "'", () -> texts().contains(text));
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Closes the stream, on the calling thread. */
    void close() {
        stream.close();
    }

    boolean isReading() {
        return thread.isAlive();
    }

    /** Waits until there are no more lines; returns what ended the reading, if it was an error. */
    Optional<Throwable> end() {
        try (stream) {
            bench.until(() -> "the log ends; it gave " + lines.size() + " lines", () -> !thread.isAlive());
        }
        return Optional.ofNullable(failure);
    }

    /** Waits until there are no more lines, and returns them all. */
    List<String> all() {
        assertThat(end()).as("what ended the follow").isEmpty();
        return texts();
    }
}
