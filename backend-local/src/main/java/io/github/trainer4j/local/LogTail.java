package io.github.trainer4j.local;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Finds the last lines of a log from its end, in bounded memory. */
final class LogTail {
    private static final int BLOCK = 64 << 10;
    private static final int LONGEST_LINE = 2000;

    private LogTail() {}

    /** Returns where the last lines of a file begin, looking only at what lies before {@code end}. */
    static long offset(RandomAccessFile file, long end, int lines) throws IOException {
        if (lines == 0) {
            return end;
        }
        byte[] block = new byte[BLOCK];
        int found = 0;
        long blockEnd = end;
        while (blockEnd > 0) {
            long start = Math.max(0, blockEnd - BLOCK);
            int length = (int) (blockEnd - start);
            file.seek(start);
            file.readFully(block, 0, length);
            for (int i = length - 1; i >= 0; i--) {
                // The line break at the very end ends the last line and begins none.
                if (block[i] == '\n' && start + i < end - 1 && ++found == lines) {
                    return start + i + 1;
                }
            }
            blockEnd = start;
        }
        return 0;
    }

    /** Returns where the line begins that has this offset in it, or ends right before it without a line break. */
    static long lineStart(RandomAccessFile file, long offset) throws IOException {
        if (offset == 0) {
            return 0;
        }
        file.seek(offset - 1);
        return file.read() == '\n' ? offset : offset(file, offset, 1);
    }

    /** Returns the last lines of a file, none if there is no such file; what is very long is cut. */
    static List<String> lines(Path log, int lines) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long end = file.length();
            byte[] bytes = new byte[(int) Math.min(end, (long) lines * LONGEST_LINE * Character.BYTES)];
            file.seek(end - bytes.length);
            file.readFully(bytes);
            List<String> all = Arrays.asList(new String(bytes, StandardCharsets.UTF_8).split("\n", -1));
            if (all.get(all.size() - 1).isEmpty()) {
                all = all.subList(0, all.size() - 1);
            }
            return all.subList(Math.max(0, all.size() - lines), all.size()).stream()
                    .map(LogTail::shortened)
                    .toList();
        } catch (FileNotFoundException e) {
            return List.of();
        } catch (IOException e) {
            return List.of("(the log " + log + " cannot be read: " + e + ")");
        }
    }

    private static String shortened(String line) {
        String text = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        return text.length() > LONGEST_LINE ? text.substring(0, LONGEST_LINE) + "…" : text;
    }
}
