package io.github.trainer4j.transfer.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The bytes of an answer. Once they are all read, the connection is free; when closed earlier, it is cut off. */
abstract class Body extends InputStream {
    private final Connection connection;
    private volatile boolean over;

    private Body(Connection connection) {
        this.connection = connection;
    }

    /** Chooses by the head how the end of the bytes is found. */
    static Body of(Head head, Connection connection) throws IOException {
        if (!head.hasBody()) {
            return new Fixed(connection, 0, head.keepsConnection());
        }
        if (head.isChunked()) {
            return new Chunked(connection, head.keepsConnection());
        }
        if (head.length().isPresent()) {
            return new Fixed(connection, head.length().getAsLong(), head.keepsConnection());
        }
        return new UntilClose(connection);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        return over ? -1 : some(bytes, offset, length);
    }

    abstract int some(byte[] bytes, int offset, int length) throws IOException;

    /** Ends it: whoever comes next may have the connection, or nobody. */
    final void over(boolean reusable) {
        over = true;
        if (reusable) {
            connection.giveBack();
        } else {
            connection.abort();
        }
    }

    /** Cuts the connection off, unless it is free for others by now. */
    final void abort() {
        if (!over) {
            connection.abort();
        }
    }

    Wire wire() {
        return connection.wire();
    }

    @Override
    public void close() {
        if (!over) {
            over(false);
        }
    }

    private static final class Fixed extends Body {
        private final boolean keep;
        private final long length;
        private long left;

        Fixed(Connection connection, long length, boolean keep) {
            super(connection);
            this.keep = keep;
            this.length = length;
            this.left = length;
            if (length == 0) {
                over(keep);
            }
        }

        @Override
        int some(byte[] bytes, int offset, int length) throws IOException {
            int read = wire().read(bytes, offset, (int) Math.min(length, left));
            if (read < 0) {
                over(false);
                throw new IOException(
                        "the answer broke off after " + (this.length - left) + " of " + this.length + " bytes");
            }
            left -= read;
            if (left == 0) {
                over(keep);
            }
            return read;
        }
    }

    private static final class Chunked extends Body {
        private final boolean keep;
        private boolean first = true;
        private long left;

        Chunked(Connection connection, boolean keep) {
            super(connection);
            this.keep = keep;
        }

        @Override
        int some(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0) {
                wire().startHead();
                if (!first && !wire().line().isEmpty()) {
                    throw new IOException("the answer has a chunk that is longer than it says");
                }
                first = false;
                left = size(wire().line());
                if (left == 0) {
                    while (!wire().line().isEmpty()) {
                        // Trailers are of no use here.
                    }
                    over(keep);
                    return -1;
                }
            }
            int read = wire().read(bytes, offset, (int) Math.min(length, left));
            if (read < 0) {
                over(false);
                throw new IOException("the answer broke off within a chunk");
            }
            left -= read;
            return read;
        }

        private static long size(String line) throws IOException {
            int extension = line.indexOf(';');
            String digits = (extension < 0 ? line : line.substring(0, extension)).strip();
            if (!digits.matches("[0-9A-Fa-f]{1,15}")) {
                throw new IOException("the answer has a chunk without a size");
            }
            return Long.parseLong(digits, 16);
        }
    }

    /** Its end and its breaking off look the same: whoever knows the size must check it. */
    private static final class UntilClose extends Body {
        UntilClose(Connection connection) {
            super(connection);
        }

        @Override
        int some(byte[] bytes, int offset, int length) throws IOException {
            int read = wire().read(bytes, offset, length);
            if (read < 0) {
                over(false);
            }
            return read;
        }
    }
}
