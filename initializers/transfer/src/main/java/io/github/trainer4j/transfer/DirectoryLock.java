package io.github.trainer4j.transfer;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets one download at a time work in a directory: the second one waits, and then finds the files there. Where the file
 * system has no locks the downloads keep out of each other's way by unique names instead.
 */
final class DirectoryLock implements Closeable {
    /** Takes the lock of the operating system; a seam, for file systems that have none. */
    @FunctionalInterface
    interface Locking {
        /** Returns the lock, or null if another process has it and the call is not to wait. */
        @Nullable
        FileLock lock(FileChannel channel, boolean wait) throws IOException;
    }

    static final Locking SYSTEM = (channel, wait) -> wait ? channel.lock() : channel.tryLock();

    /** One for each directory in use: the operating system's lock is one for the whole process. */
    private static final Map<Path, Shared> HERE = new ConcurrentHashMap<>();

    private final Path own;
    private final Shared here;
    private @Nullable FileChannel channel;

    /** The lock among the threads of this process, and how many of them have or want it. */
    private static final class Shared {
        final ReentrantLock lock = new ReentrantLock();
        int users;
    }

    private DirectoryLock(Path own) {
        this.own = own;
        this.here = HERE.compute(own, (path, known) -> {
            Shared shared = known == null ? new Shared() : known;
            shared.users++;
            return shared;
        });
    }

    /**
     * Waits for the lock of a directory.
     *
     * @param own where the file of the lock lies
     * @param log is told when there is something to wait for, and when there are no locks
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    static DirectoryLock acquire(Path own, Locking locking, Consumer<String> log) throws InterruptedException {
        DirectoryLock lock = new DirectoryLock(own);
        try {
            if (!lock.here.lock.tryLock(0, TimeUnit.SECONDS)) {
                log.accept("waiting for another download into the same directory to end");
                lock.here.lock.lockInterruptibly();
            }
            lock.lockOutOthers(locking, log);
            return lock;
        } catch (InterruptedException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private void lockOutOthers(Locking locking, Consumer<String> log) throws InterruptedException {
        try {
            channel = FileChannel.open(own.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (locking.lock(channel, false) == null) {
                log.accept("waiting for the download of another process into the same directory to end");
                locking.lock(channel, true);
            }
        } catch (IOException | UnsupportedOperationException e) {
            closeChannel();
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting for the lock of " + own);
            }
            log.accept("warning: the file system has no locks (" + e.getMessage()
                    + "); what an interrupted download left here is not used");
        }
    }

    /** Returns whether other processes are kept out. */
    boolean isExclusive() {
        return channel != null;
    }

    /** Gives the lock to the next one. Called by the thread that acquired it. */
    @Override
    public void close() {
        closeChannel();
        if (here.lock.isHeldByCurrentThread()) {
            here.lock.unlock();
        }
        HERE.compute(own, (path, shared) -> --here.users == 0 ? null : shared);
    }

    private void closeChannel() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // The lock ends with the process at the latest.
            }
            channel = null;
        }
    }
}
