package io.github.trainer4j.transfer;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * Where files under way and the journal lie: below the target, so that a finished file only changes its name. A download
 * that has the directory to itself goes on with what it finds there; one that may have company (on a file system without
 * locks) keeps a place of its own.
 */
final class Workspace {
    private static final String NAME = "run";
    private static final Duration OLD = Duration.ofDays(1);

    private final TargetDirectory target;
    private final Path directory;

    Workspace(TargetDirectory target, boolean exclusive) {
        this.target = target;
        this.directory = target.own().resolve(exclusive ? NAME : NAME + "-" + UUID.randomUUID());
    }

    Path directory() {
        return directory;
    }

    /** Returns what an earlier download left to go on with. */
    Journal.State journal() throws IOException {
        return Journal.load(directory);
    }

    void prepare() throws IOException {
        target.directories(directory);
    }

    /** Removes all parts but these, and the places of other downloads that ended long ago without removing them. */
    void sweep(Set<String> parts) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.part")) {
            for (Path file : files) {
                if (!parts.contains(file.getFileName().toString())) {
                    Files.delete(file);
                }
            }
        }
        try (DirectoryStream<Path> others = Files.newDirectoryStream(target.own(), NAME + "-*")) {
            for (Path other : others) {
                Instant touched = Files.getLastModifiedTime(other).toInstant();
                if (!other.equals(directory) && touched.isBefore(Instant.now().minus(OLD))) {
                    delete(other);
                }
            }
        }
    }

    /** Removes everything; the download is complete. */
    void clear() throws IOException {
        delete(directory);
    }

    private static void delete(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return;
        }
        Files.delete(directory);
    }
}
