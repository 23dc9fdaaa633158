package io.github.trainer4j.transfer;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.OptionalLong;

/** An open answer: bytes of a file, from where on they are, and how to cut it off. */
public final class RemoteBody implements Closeable {
    private final InputStream stream;
    private final long start;
    private final OptionalLong total;
    private final Runnable abort;

    /**
     * Makes a body.
     *
     * @param stream the bytes; closed by {@link #close()}, which may keep the connection for the next request
     * @param start the place in the file of the stream's first byte, as the answer itself says: 0 if the source ignored
     *     the range
     * @param total the size of the whole file, if the answer says it
     * @param abort ends the connection, so that a read that hangs on another thread fails; called from any thread, also
     *     after the end; must not block
     */
    public RemoteBody(InputStream stream, long start, OptionalLong total, Runnable abort) {
        this.stream = Objects.requireNonNull(stream, "stream");
        this.start = start;
        this.total = Objects.requireNonNull(total, "total");
        this.abort = Objects.requireNonNull(abort, "abort");
    }

    /** Returns the bytes. */
    public InputStream stream() {
        return stream;
    }

    /** Returns the place in the file of the stream's first byte. */
    public long start() {
        return start;
    }

    /** Returns the size of the whole file, if the answer says it. */
    public OptionalLong total() {
        return total;
    }

    /** Ends the connection at once, from any thread. */
    public void abort() {
        abort.run();
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
