package io.github.trainer4j.container;

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
    private KeptLog() {}

    /** Adds the whole log of a container to the file, as it is now. */
    static void collect(Engine engine, String container, Path file) throws IOException {
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
    static List<Line> tail(Path file, int lines, Optional<Instant> since) throws IOException {
        Deque<Line> kept = new ArrayDeque<>();
        try (Reader reader = new Reader(file)) {
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

    /** Reads the file from its start; a last line that is still being written is left out. */
    static final class Reader implements Closeable {
        private final @Nullable InputStream in;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Reader(Path file) throws IOException {
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
            for (int b = in.read(); b != '\n'; b = in.read()) {
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

        @Override
        public void close() throws IOException {
            if (in != null) {
                in.close();
            }
        }
    }
}
