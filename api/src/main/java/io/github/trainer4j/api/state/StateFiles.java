package io.github.trainer4j.api.state;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Small text files that several threads and JVMs read and write: nobody ever sees half of one. */
public final class StateFiles {
    private static final AtomicLong COUNTER = new AtomicLong();
    private static final long PID = ProcessHandle.current().pid();

    private StateFiles() {}

    /**
     * Replaces a file.
     *
     * @throws IOException if it cannot be written; what was there before stays
     */
    public static void write(Path file, String text) throws IOException {
        Path temporary = temporary(file);
        try {
            put(temporary, text, false);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    /**
     * Writes a file unless it is there already, and returns whether it did: of several writers exactly one succeeds. What
     * is written once is on the disk when this returns.
     *
     * @throws IOException if it cannot be written
     */
    public static boolean writeOnce(Path file, String text) throws IOException {
        if (Files.exists(file)) {
            return false;
        }
        Path temporary = temporary(file);
        try {
            put(temporary, text, true);
            link(file, temporary);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void link(Path file, Path temporary) throws IOException {
        try {
            Files.createLink(file, temporary);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException e) {
            // A file system without hard links: the second writer may replace the first one's equal words.
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /**
     * Returns the text of a file; empty if there is none.
     *
     * @throws IOException if it cannot be read
     */
    public static Optional<String> read(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * Makes an empty file if there is none.
     *
     * @throws IOException if it cannot be made
     */
    public static void mark(Path file) throws IOException {
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            // It is marked already.
        }
    }

    /**
     * Returns when a file was changed last; empty if there is none.
     *
     * @throws IOException if it cannot be told
     */
    public static Optional<Instant> changed(Path file) throws IOException {
        try {
            return Optional.of(
                    Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static Path temporary(Path file) {
        return file.resolveSibling("." + file.getFileName() + "." + PID + "." + COUNTER.incrementAndGet() + ".tmp");
    }

    private static void put(Path file, String text, boolean durable) throws IOException {
        // Unlike a channel, a stream of this kind also writes for a thread that is interrupted.
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        if (durable) {
            try (RandomAccessFile written = new RandomAccessFile(file.toFile(), "r")) {
                written.getFD().sync();
            }
        }
    }
}
