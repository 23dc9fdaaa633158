package io.github.trainer4j.transfer.http;

import java.io.IOException;
import java.io.InputStream;

/** Reads lines and bytes from a connection. Large reads go past its small buffer. */
final class Wire {
    private static final int LONGEST_HEAD = 64 << 10;

    private final InputStream in;
    private final byte[] buffer = new byte[8 << 10];
    private int position;
    private int limit;
    private long lineBytes;

    Wire(InputStream in) {
        this.in = in;
    }

    /** Returns some bytes, or -1 at the end. */
    int read(byte[] bytes, int offset, int length) throws IOException {
        if (position < limit) {
            int some = Math.min(length, limit - position);
            System.arraycopy(buffer, position, bytes, offset, some);
            position += some;
            return some;
        }
        return in.read(bytes, offset, length);
    }

    private int read() throws IOException {
        if (position == limit) {
            limit = Math.max(0, in.read(buffer, 0, buffer.length));
            position = 0;
            if (limit == 0) {
                return -1;
            }
        }
        return buffer[position++] & 0xff;
    }

    /** Starts counting the bytes of lines anew: they are bounded for one head. */
    void startHead() {
        lineBytes = 0;
    }

    /** Returns whether a byte of the head that is being read has come. */
    boolean sawBytes() {
        return lineBytes > 0;
    }

    /**
     * Returns a line without its end.
     *
     * @throws IOException if the connection ends before the line does, or the head is too long
     */
    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = read(); c != '\n'; c = read()) {
            if (c < 0) {
                throw new IOException("the connection ended before the answer" + (lineBytes == 0 ? "" : "'s head did"));
            }
            if (++lineBytes > LONGEST_HEAD) {
                throw new IOException("the answer's head has more than " + LONGEST_HEAD + " bytes");
            }
            line.append((char) c);
        }
        lineBytes++;
        int end = line.length() > 0 && line.charAt(line.length() - 1) == '\r' ? line.length() - 1 : line.length();
        return line.substring(0, end);
    }
}
