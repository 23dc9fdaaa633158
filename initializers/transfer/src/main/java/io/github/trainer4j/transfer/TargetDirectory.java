package io.github.trainer4j.transfer;

import io.github.trainer4j.api.InitializerException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The directory that is downloaded into. Nothing outside of it is written, whatever links are in it. */
final class TargetDirectory {
    private final Path root;

    /** What is on the disk under a name; links are not followed. */
    record Found(long size, long modified) {}

    private TargetDirectory(Path root) {
        this.root = root;
    }

    /**
     * Opens an existing directory.
     *
     * @throws IOException if it does not exist, is not a directory or cannot be read
     */
    static TargetDirectory open(Path directory) throws IOException {
        Path root = directory.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(root.toString());
        }
        return new TargetDirectory(root);
    }

    Path root() {
        return root;
    }

    /** Returns the directory for the engine's own files, which need not exist. */
    Path own() {
        return root.resolve(FileNames.OWN);
    }

    boolean isWindows() {
        return root.getFileSystem().getSeparator().equals("\\");
    }

    /** Makes the directory for the engine's own files. */
    void makeOwn() throws IOException {
        directories(own());
    }

    /** Returns whether two names that differ only in case are one here. Writes and removes one file to find out. */
    boolean foldsCase() throws IOException {
        String name = "case-" + UUID.randomUUID();
        Path lower = Files.createFile(own().resolve(name));
        try {
            return Files.exists(own().resolve(name.toUpperCase(java.util.Locale.ROOT)));
        } finally {
            Files.delete(lower);
        }
    }

    /**
     * Returns the place of a checked name.
     *
     * @throws InitializerException if this JVM or file system cannot write such a name
     */
    Path path(String name) {
        try {
            Path path = root;
            for (String segment : name.split("/", 0)) {
                path = path.resolve(segment);
            }
            return path;
        } catch (InvalidPathException e) {
            throw new InitializerException(
                    "the file name '" + FileNames.shown(name) + "' cannot be written here (" + e.getReason()
                            + "); when it has letters beyond ASCII, start the JVM in a UTF-8 locale, for example with"
                            + " LC_ALL=C.UTF-8",
                    "UnsafeName",
                    e);
        }
    }

    /** Returns what is there under a name; empty unless it is a regular file within the directory. */
    Optional<Found> find(String name) throws IOException {
        Path path = path(name);
        if (!Files.isDirectory(parent(path)) || !isWithin(parent(path))) {
            return Optional.empty();
        }
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile()
                    ? Optional.of(new Found(
                            attributes.size(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS)))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * Checks that links which are there already lead nowhere outside.
     *
     * @throws InitializerException if the parent of a name is a link out of the directory
     */
    void checkLinks(String name) throws IOException {
        Path parent = parent(path(name));
        while (!Files.exists(parent, LinkOption.NOFOLLOW_LINKS)) {
            parent = parent(parent);
        }
        if (!isWithin(parent)) {
            throw FileNames.unsafe("'" + FileNames.shown(name) + "' would be written through the link " + parent
                    + ", which leads out of " + root + "; nothing was written; remove the link");
        }
    }

    private boolean isWithin(Path directory) throws IOException {
        try {
            return directory.toRealPath().startsWith(root);
        } catch (NoSuchFileException e) {
            // Not there, or a link to nothing: the latter must not be written through.
            return !Files.exists(directory, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Makes a directory and its parents, and checks that it is within. */
    void directories(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            if (directory.equals(root)) {
                throw new NoSuchFileException(root.toString(), null, "the directory was removed during the download");
            }
            directories(parent(directory));
            try {
                Files.createDirectory(directory);
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(directory)) {
                    throw inTheWay(directory, "a directory", e);
                }
            }
        }
        if (!isWithin(directory)) {
            throw FileNames.unsafe(directory + " is a link that leads out of " + root + "; remove it");
        }
    }

    /** Returns the directory of something below the root, which has one. */
    private static Path parent(Path path) {
        return Objects.requireNonNull(path.getParent());
    }

    /** Moves a finished file to its name, in one step, in place of what was there. */
    void publish(Path finished, String name) throws IOException {
        Path path = path(name);
        directories(parent(path));
        try {
            Files.move(finished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            throw new InitializerException(
                    path.getParent() + " is on another file system than " + root
                            + "; mount one file system for the whole directory",
                    "Io",
                    e);
        } catch (IOException e) {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                throw inTheWay(path, "a file", e);
            }
            throw e;
        }
    }

    private static InitializerException inTheWay(Path path, String wanted, IOException cause) {
        return new InitializerException(
                path + " is in the way: " + wanted + " is to be there; remove it or choose an empty directory",
                "InTheWay",
                cause);
    }

    /** Removes a file and the directories that become empty by it. */
    void remove(String name) throws IOException {
        Path path = path(name);
        if (find(name).isEmpty()) {
            return;
        }
        Files.delete(path);
        try {
            for (Path parent = parent(path); !parent.equals(root); parent = parent(parent)) {
                Files.delete(parent);
            }
        } catch (DirectoryNotEmptyException e) {
            // Something else is in it, so it stays.
        }
    }

    /** Has the entries of a directory survive a loss of power, where the system can do that. */
    static void sync(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Windows opens no directories; the names are safe there by the journal of the file system.
        }
    }
}
