package io.github.trainer4j.transfer;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * What a download takes from the machine it runs on; a seam for tests of full disks and odd file systems.
 *
 * @param budget the connections
 * @param locking the locks
 * @param freeSpace the free bytes
 * @param folding whether the file system tells upper from lower case
 */
record Surroundings(ConnectionBudget budget, DirectoryLock.Locking locking, FreeSpace freeSpace, Folding folding) {
    /** Says how many bytes are free where a directory is, if that can be known. */
    @FunctionalInterface
    interface FreeSpace {
        OptionalLong at(Path directory) throws IOException;
    }

    /** Says whether a directory takes names that differ only in case for one. */
    @FunctionalInterface
    interface Folding {
        boolean in(TargetDirectory directory) throws IOException;
    }

    static Surroundings ofThisMachine() {
        return new Surroundings(
                ConnectionBudget.shared(), DirectoryLock.SYSTEM, Surroundings::free, TargetDirectory::foldsCase);
    }

    /** Some network and user-space file systems report zeros for "I do not know". */
    private static OptionalLong free(Path directory) throws IOException {
        FileStore store = Files.getFileStore(directory);
        long free = store.getUsableSpace();
        return free <= 0 && store.getTotalSpace() <= 0 ? OptionalLong.empty() : OptionalLong.of(free);
    }
}
