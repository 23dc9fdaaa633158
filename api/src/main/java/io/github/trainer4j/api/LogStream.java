package io.github.trainer4j.api;

import java.util.Optional;

/**
 * Log lines as they are read. Lines of one step come in the order they were written, each once; lines of different steps
 * may interleave. Memory use does not depend on the size of the log. For one thread at a time; {@link #close()} may be
 * called from any thread and ends a waiting {@link #next()} at once.
 */
public interface LogStream extends AutoCloseable {
    /**
     * Returns the next line, waiting for it where the log is followed. Empty means that there are no more: everything was
     * read, the followed job is over, or the stream was closed. Lost contact is never the end of a log.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws BackendUnavailableException if contact to the backend was lost and did not come back
     * @throws JobNotFoundException if the job was deleted while its log was followed
     */
    Optional<LogLine> next() throws InterruptedException;

    /**
     * Hands every further line to an action, until there are no more.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws TrainerException as {@link #next()} does
     */
    default void forEach(java.util.function.Consumer<LogLine> action) throws InterruptedException {
        for (Optional<LogLine> line = next(); line.isPresent(); line = next()) {
            action.accept(line.get());
        }
    }

    /** Ends the stream and frees what it holds. Further calls do nothing. */
    @Override
    void close();
}
