package io.github.trainer4j.transfer;

import java.io.IOException;
import java.util.List;

/** What a {@link Source} had at one moment. Safe for several threads. */
public interface Snapshot {
    /**
     * Names the fixed revision, such as a commit. A source without revisions can name its listing with
     * {@link RemoteFile#revisionOf}.
     */
    String revision();

    /** Returns the files that are wanted, in any order. A path that ends with {@code /} makes a directory. */
    List<RemoteFile> files();

    /**
     * Opens a range of a file. One request, no repetition: the engine repeats it from where the last one broke off. The
     * answer may start elsewhere, as long as it says so, and may go on beyond the end: the engine stops reading there.
     * It is for the source to give up when no answer begins; from then on the engine watches over the bytes.
     *
     * @param file one of {@link #files()}
     * @param from the first byte wanted
     * @param end the byte after the last one wanted; more than {@code from}
     * @throws SourceException if the source can say what is the matter: try again, too many requests, changed, shorter
     *     than it was
     * @throws io.github.trainer4j.api.InitializerException if trying again is of no use
     * @throws IOException if the connection fails: the engine tries again
     * @throws InterruptedException if the thread is interrupted
     */
    RemoteBody open(RemoteFile file, long from, long end) throws IOException, InterruptedException;
}
