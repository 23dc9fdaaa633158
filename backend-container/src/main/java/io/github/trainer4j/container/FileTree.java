package io.github.trainer4j.container;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removes directories with all that is in them. */
final class FileTree {
    private static final int MOST_PROBLEMS = 20;

    private FileTree() {}

    /**
     * Removes a directory; links in it are removed, and what they lead to stays.
     *
     * @param problems is given a path and a reason for what could not be removed, the first few
     */
    static void remove(Path directory, List<String> problems) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
                    makeWritable(dir);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    if (!(e instanceof NoSuchFileException)) {
                        problem(file, e);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e) {
                    delete(dir);
                    return FileVisitResult.CONTINUE;
                }

                private void delete(Path path) {
                    try {
                        Files.deleteIfExists(path);
                    } catch (IOException e) {
                        problem(path, e);
                    }
                }

                private void problem(Path path, IOException e) {
                    if (problems.size() < MOST_PROBLEMS) {
                        problems.add(path + ": " + e);
                    }
                }
            });
        } catch (IOException e) {
            problems.add(directory + ": " + e);
        }
    }

    /** A job may have made its directories read-only, as package caches do; they are ours all the same. */
    private static void makeWritable(Path directory) {
        if (Files.isWritable(directory)) {
            return;
        }
        try {
            Set<PosixFilePermission> permissions = EnumSet.copyOf(Files.getPosixFilePermissions(directory));
            permissions.addAll(EnumSet.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE));
            Files.setPosixFilePermissions(directory, permissions);
        } catch (IOException | UnsupportedOperationException e) {
            // The removal itself will tell.
            return;
        }
    }
}
