package io.github.trainer4j.transfer;

import java.io.Closeable;
import java.io.IOException;

/**
 * Where files come from: a repository of a hub, a prefix of a bucket, a directory of a server. A source says what there
 * is and opens ranges of it; {@link Transfer} does the rest. One source serves one download and is closed by whoever
 * made it.
 */
public interface Source extends Closeable {
    /**
     * Names the source for people and for the completion record: the same text for the same place, no matter the
     * revision, such as {@code https://hub.example/org/name}. It has no secret.
     */
    String identity();

    /**
     * Fixes one revision and lists the files that are wanted of it. Is called once for each download, and once more if a
     * file turns out to have changed meanwhile.
     *
     * @param attempts runs the requests that this takes, and repeats those that fail for a while
     * @throws io.github.trainer4j.api.InitializerException if there is nothing to list, or no access to it
     * @throws IOException if reading fails; it is not repeated beyond what {@code attempts} did
     * @throws InterruptedException if the thread is interrupted
     */
    Snapshot resolve(Attempts attempts) throws IOException, InterruptedException;

    /**
     * Makes all requests that are under way fail at once; the download is over. Called from another thread than they run
     * on; must not block. Does nothing by default: threads that hang in a request are interrupted, and left behind after
     * a while.
     */
    default void abort() {}

    /** Gives back connections. Does nothing unless a source has something to give back. */
    @Override
    default void close() throws IOException {}
}
