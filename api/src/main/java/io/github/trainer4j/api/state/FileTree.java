package io.github.trainer4j.api.state;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
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
public final class FileTree {
    private static final int MOST_PROBLEMS = 20;

    private FileTree() {}

    /**
     * Removes a directory; links in it are removed, and what they lead to stays.
     *
     * @param problems is given a path and a reason for what could not be removed, the first few
     */
    public static void remove(Path directory, List<String> problems) {
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
                    if (e instanceof AccessDeniedException && makeWritable(file)) {
                        remove(file, problems);
                    } else if (!(e instanceof NoSuchFileException)) {
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

    /**
     * Gives us back a directory that a job has protected, as package caches are; returns whether that changed something.
     */
    private static boolean makeWritable(Path directory) {
        if (Files.isReadable(directory) && Files.isWritable(directory) && Files.isExecutable(directory)) {
            return false;
        }
        try {
            Set<PosixFilePermission> before = Files.getPosixFilePermissions(directory);
            Set<PosixFilePermission> permissions = EnumSet.of(
                    PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
            permissions.addAll(before);
            Files.setPosixFilePermissions(directory, permissions);
            return !before.equals(permissions);
        } catch (IOException | UnsupportedOperationException e) {
            // The removal itself will tell.
            return false;
        }
    }
}
