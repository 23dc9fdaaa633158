package io.github.trainer4j.kubernetes;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a log as an API server sends them. A line without an end is one only where the log ends there: of a cut
 * connection it is half a line, and comes whole at the next reading. Memory is bounded: a longer line comes in parts, each
 * with the time of the first. Closing it from another thread ends a waiting reader.
 */
final class LogLines implements Closeable {
    /** The most bytes of a line that come as one. */
    static final int LONGEST = 1 << 20;

    private static final int BLOCK = 1 << 16;
    private static final int LONGEST_TIME = 40;

    private final InputStream in;
    private final boolean endsWithLog;
    private final byte[] block = new byte[BLOCK];
    private int position;
    private int limit;
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private byte[] time = {};
    private volatile long waitingSince;

    /**
     * Makes one.
     *
     * @param endsWithLog whether the log ends where what is read ends
     */
    LogLines(InputStream in, boolean endsWithLog) {
        this.in = in;
        this.endsWithLog = endsWithLog;
    }

    /** Returns the next line with its time, without its end; null if there are no more. */
    @Nullable
    String next() throws IOException {
        while (true) {
            if (position == limit && !fill()) {
                return endsWithLog && begun.size() > time.length ? take(block, 0, 0, false) : null;
            }
            int end = position;
            int most = Math.min(limit, position + LONGEST - begun.size());
            while (end < most && block[end] != '\n') {
                end++;
            }
            int from = position;
            if (end < limit && block[end] == '\n') {
                position = end + 1;
                return take(block, from, end - from, false);
            }
            position = end;
            if (begun.size() + end - from >= LONGEST) {
                return take(block, from, end - from, true);
            }
            begun.write(block, from, end - from);
        }
    }

    private String take(byte[] bytes, int from, int length, boolean goesOn) {
        byte[] whole = bytes;
        int start = from;
        int size = length;
        if (begun.size() > 0) {
            begun.write(bytes, from, length);
            whole = begun.toByteArray();
            start = 0;
            size = whole.length;
            begun.reset();
        }
        String line = new String(whole, start, size, StandardCharsets.UTF_8);
        if (goesOn) {
            if (time.length == 0) {
                time = time(whole, start, size);
            }
            begun.writeBytes(time);
        } else {
            time = new byte[0];
        }
        return line;
    }

    private static byte[] time(byte[] bytes, int from, int size) {
        for (int i = from; i < from + Math.min(size, LONGEST_TIME); i++) {
            if (bytes[i] == ' ') {
                return Arrays.copyOfRange(bytes, from, i + 1);
            }
        }
        return new byte[0];
    }

    private boolean fill() throws IOException {
        waitingSince = System.nanoTime();
        int read = in.read(block, 0, block.length);
        waitingSince = 0;
        position = 0;
        limit = Math.max(0, read);
        return read > 0;
    }

    /** Whether there is another line that need not be waited for. */
    boolean hasNext() {
        for (int i = position; i < limit; i++) {
            if (block[i] == '\n') {
                return true;
            }
        }
        return false;
    }

    /** Returns for how long a reader has been waiting. */
    long waitingNanos() {
        long since = waitingSince;
        return since == 0 ? 0 : System.nanoTime() - since;
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            // Nothing is lost by it.
            return;
        }
    }
}
