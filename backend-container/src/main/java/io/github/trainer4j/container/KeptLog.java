package io.github.trainer4j.container;

import io.github.trainer4j.api.state.StateFiles;
import io.github.trainer4j.container.LineJoiner.Line;
import java.io.BufferedInputStream;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The log of a step whose container may be gone: a file in which each line has its time in front. */
final class KeptLog {
    private static final String WHOLE = "whole";

    private KeptLog() {}

    /**
     * How much of the file counts.
     *
     * @param container the container whose log was added last; empty: none was
     * @param whole whether all of it was added
     * @param length how many bytes to read: where a log is being added, only what was there before
     */
    record Extent(String container, boolean whole, long length) {
        /** Whether the file has the log of this container. */
        boolean has(String id) {
            return whole && container.equals(id);
        }
    }

    /** Returns how much of a step's file counts. */
    static Extent extent(JobDirectory directory, String step) throws IOException {
        // The length first: what is added after this look is not counted, and its container's own log is read instead.
        long length = length(directory.log(step));
        String[] words =
                StateFiles.read(directory.collected(step)).orElse("").strip().split(" ", -1);
        if (words.length < 2) {
            return new Extent("", true, length);
        }
        if (words[1].equals(WHOLE)) {
            return new Extent(words[0], true, length(directory.log(step)));
        }
        return new Extent(words[0], false, Math.min(length, Long.parseLong(words[1])));
    }

    private static long length(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /** Adds the whole log of a container to the file, as it is now. Before and after, the container is noted. */
    static void collect(Engine engine, String container, JobDirectory directory, String step) throws IOException {
        Path file = directory.log(step);
        StateFiles.write(directory.collected(step), container + " " + length(file));
        copy(engine, container, file);
        StateFiles.write(directory.collected(step), container + " " + WHOLE);
    }

    private static void copy(Engine engine, String container, Path file) throws IOException {
        try (ContainerLog log = new ContainerLog(engine, container, Optional.empty());
                BufferedWriter writer = writer(file)) {
            log.begin(false, true);
            for (Optional<Line> line = log.next(); line.isPresent(); line = log.next()) {
                write(writer, line.get().begun(), line.get().text());
            }
        }
    }

    /** Adds one line. */
    static void add(Path file, Instant time, String text) throws IOException {
        try (BufferedWriter writer = writer(file)) {
            for (String line : text.split("\n", -1)) {
                write(writer, time, line);
            }
        }
    }

    private static BufferedWriter writer(Path file) throws IOException {
        return Files.newBufferedWriter(
                file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static void write(BufferedWriter writer, Instant time, String text) throws IOException {
        writer.write(time.toString());
        writer.write(' ');
        writer.write(text);
        writer.write('\n');
    }

    /** Returns the last lines, none if there is no such file. */
    static List<Line> tail(Path file, long length, int lines, Optional<Instant> since) throws IOException {
        Deque<Line> kept = new ArrayDeque<>();
        try (Reader reader = new Reader(file, length)) {
            for (Optional<Line> line = reader.next(); line.isPresent(); line = reader.next()) {
                if (since.isPresent() && line.get().begun().isBefore(since.get())) {
                    continue;
                }
                kept.addLast(line.get());
                if (kept.size() > lines) {
                    kept.removeFirst();
                }
            }
        }
        return List.copyOf(kept);
    }

    /** Reads so many bytes of the file; a last line that is still being written is left out. */
    static final class Reader implements Closeable {
        private final @Nullable InputStream in;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private long left;

        Reader(Path file, long length) throws IOException {
            this.left = length;
            InputStream opened;
            try {
                opened = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
            } catch (NoSuchFileException e) {
                opened = null;
            }
            this.in = opened;
        }

        Optional<Line> next() throws IOException {
            if (in == null) {
                return Optional.empty();
            }
            bytes.reset();
            // Only at line feeds: a program that draws a bar of its progress writes carriage returns within its line.
            for (int b = read(in); b != '\n'; b = read(in)) {
                if (b < 0) {
                    return Optional.empty();
                }
                bytes.write(b);
            }
            String line = bytes.toString(StandardCharsets.UTF_8);
            int blank = line.indexOf(' ');
            try {
                Instant time = Instant.parse(line.substring(0, Math.max(0, blank)));
                return Optional.of(new Line(time, time, line.substring(blank + 1)));
            } catch (DateTimeException e) {
                return Optional.of(new Line(Instant.EPOCH, Instant.EPOCH, line));
            }
        }

        private int read(InputStream from) throws IOException {
            return left-- > 0 ? from.read() : -1;
        }

        @Override
        public void close() throws IOException {
            if (in != null) {
                in.close();
            }
        }
    }
}
