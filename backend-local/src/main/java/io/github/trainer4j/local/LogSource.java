package io.github.trainer4j.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** One log file, read line by line, also while it grows. Not for use by several threads at once. */
final class LogSource implements AutoCloseable {
    /** The longest line that is delivered whole, in bytes; of a longer one each piece of this size is a line. */
    static final int LONGEST_LINE = 1 << 20;

    private static final int BLOCK = 64 << 10;

    private final String step;
    private final RandomAccessFile file;
    private final byte[] block = new byte[BLOCK];
    private int taken;
    private int filled;
    private byte[] line = new byte[256];
    private int length;
    private long position;

    /** Opens a log. */
    LogSource(String step, Path log) throws IOException {
        this.step = step;
        // Not a channel: an interrupt would close that, also when nobody waits.
        this.file = new RandomAccessFile(log.toFile(), "r");
    }

    String step() {
        return step;
    }

    RandomAccessFile file() {
        return file;
    }

    /** Goes on reading at an offset. */
    void seek(long offset) {
        position = offset;
        taken = 0;
        filled = 0;
        length = 0;
    }

    /** Returns the next line that ends before this offset, with a line break or by being too long; empty if there is none. */
    Optional<String> next(long end) throws IOException {
        while (true) {
            while (taken < filled) {
                byte b = block[taken++];
                if (b == '\n') {
                    return Optional.of(take(length));
                }
                append(b);
                if (length == LONGEST_LINE) {
                    return Optional.of(take(wholeCharacters()));
                }
            }
            if (position >= end) {
                return Optional.empty();
            }
            file.seek(position);
            taken = 0;
            filled = Math.max(0, file.read(block, 0, (int) Math.min(BLOCK, end - position)));
            if (filled == 0) {
                return Optional.empty();
            }
            position += filled;
        }
    }

    /** Returns whether more was read already than was taken. */
    boolean hasMore() {
        return taken < filled;
    }

    /** Returns what stands at the end without a line break, if something does. */
    Optional<String> rest() {
        return length == 0 ? Optional.empty() : Optional.of(take(length));
    }

    long size() throws IOException {
        return file.length();
    }

    private void append(byte b) {
        if (length == line.length) {
            line = Arrays.copyOf(line, Math.min(LONGEST_LINE, 2 * length));
        }
        line[length++] = b;
    }

    /** Takes so many bytes as a line, and keeps those after it. */
    private String take(int bytes) {
        int end = bytes == length && bytes > 0 && line[bytes - 1] == '\r' ? bytes - 1 : bytes;
        // Bytes that are no UTF-8 become replacement characters: a log is shown, whatever is in it.
        String text = new String(line, 0, end, StandardCharsets.UTF_8);
        System.arraycopy(line, bytes, line, 0, length - bytes);
        length -= bytes;
        return text;
    }

    /** Returns how many bytes of the line are whole characters: a cut must not go through one. */
    private int wholeCharacters() {
        int start = length - 1;
        while (start > length - 4 && (line[start] & 0xC0) == 0x80) {
            start--;
        }
        int first = line[start] & 0xFF;
        int needed = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
        return start + needed > length ? start : length;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
