package io.github.trainer4j.local;

import io.github.trainer4j.api.state.StateFiles;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;

/**
 * How long a log was at what time: pairs of a time in milliseconds and a length, 8 bytes each. The JVM that launched the
 * job writes one about every second while the log grows, so that lines can be found by their time. A line is never taken
 * to be older than it is; one that was written when no such JVM was there counts as new.
 */
final class LogTimes {
    private static final int ENTRY = 16;

    private LogTimes() {}

    /** Writes down how long a log is now. */
    static void add(Path times, Instant now, long length) throws IOException {
        ByteBuffer entry =
                ByteBuffer.allocate(ENTRY).putLong(now.toEpochMilli()).putLong(length);
        try (FileOutputStream file = new FileOutputStream(times.toFile(), true)) {
            file.write(entry.array());
        }
    }

    /** Returns where in a log the first line begins that may have been written at this time or later. */
    static long offset(JobDirectory directory, LogSource source, Instant since) throws IOException {
        if (StateFiles.changed(directory.log(source.step()))
                .filter(since::isAfter)
                .isPresent()) {
            return source.size();
        }
        long offset = 0;
        try (RandomAccessFile file =
                new RandomAccessFile(directory.times(source.step()).toFile(), "r")) {
            long low = 0;
            long high = file.length() / ENTRY;
            while (low < high) {
                long middle = (low + high) / 2;
                file.seek(middle * ENTRY);
                if (file.readLong() >= since.toEpochMilli()) {
                    high = middle;
                } else {
                    offset = file.readLong();
                    low = middle + 1;
                }
            }
        } catch (FileNotFoundException e) {
            return 0;
        }
        // A line that was half written then belongs to the later ones.
        return LogTail.lineStart(source.file(), Math.min(offset, source.size()));
    }
}
