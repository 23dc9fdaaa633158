package io.github.trainer4j.container;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * The pieces of a log as an engine sends them. A piece is a line, or, of a line over 16 KiB (podman: 8 KiB), a part of it;
 * each has the time in front.
 */
final class LogFrames implements Closeable {
    private static final int LARGEST = 64 << 20;
    private static final int LARGEST_ERROR = 1 << 16;

    private final DataInputStream in;
    private final Closeable source;
    private final String what;
    private final EngineConnection connection;
    private volatile boolean closed;

    LogFrames(InputStream in, Closeable source, String what, EngineConnection connection) {
        this.in = new DataInputStream(in);
        this.source = source;
        this.what = what;
        this.connection = connection;
    }

    /**
     * A piece of a log.
     *
     * @param channel 1 for what was written to the standard output, 2 for errors
     * @param time when it was written
     * @param bytes its bytes, with the line break if the line ends here
     */
    @SuppressWarnings("ArrayRecordComponent") // read once, by the one who asked for it, and never compared
    record Frame(int channel, Instant time, byte[] bytes) {}

    /**
     * Returns the next piece; empty at the end, or once this is closed.
     *
     * @throws EngineException of kind LOST if the connection was cut
     */
    Optional<Frame> next() {
        try {
            int channel = in.read();
            if (channel < 0) {
                return Optional.empty();
            }
            if (channel == '{') {
                // Podman adds an error to an answer that it has begun.
                throw new IOException("the engine broke off: "
                        + EngineConnection.message(
                                "{" + new String(in.readNBytes(LARGEST_ERROR), StandardCharsets.UTF_8)));
            }
            in.skipNBytes(3);
            int size = in.readInt();
            if (size < 0 || size > LARGEST) {
                throw new IOException("the engine sent a piece of " + size + " bytes");
            }
            byte[] bytes = new byte[size];
            in.readFully(bytes);
            return Optional.of(frame(channel, bytes));
        } catch (EOFException e) {
            if (closed) {
                return Optional.empty();
            }
            throw connection.translate(what, new IOException("the log was cut off", e));
        } catch (IOException | RuntimeException e) {
            if (closed) {
                return Optional.empty();
            }
            throw connection.translate(what, e);
        }
    }

    private static Frame frame(int channel, byte[] bytes) {
        int blank = -1;
        for (int i = 0; i < Math.min(bytes.length, 64); i++) {
            if (bytes[i] == ' ') {
                blank = i;
                break;
            }
        }
        if (blank > 0) {
            try {
                Instant time = java.time.OffsetDateTime.parse(new String(bytes, 0, blank, StandardCharsets.US_ASCII))
                        .toInstant();
                byte[] rest = new byte[bytes.length - blank - 1];
                System.arraycopy(bytes, blank + 1, rest, 0, rest.length);
                return new Frame(channel, time, rest);
            } catch (DateTimeException e) {
                // No time in front after all.
                return new Frame(channel, Instant.EPOCH, bytes);
            }
        }
        return new Frame(channel, Instant.EPOCH, bytes);
    }

    /** Ends the stream; a {@link #next()} that waits in another thread returns. */
    @Override
    public void close() {
        closed = true;
        try {
            source.close();
        } catch (IOException e) {
            // What is being thrown away need not end well.
            return;
        }
    }
}
