package io.github.trainer4j.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down, about twice a second, how long the logs of the jobs are that this JVM has launched. */
final class LogClock {
    private static final Logger LOG = LoggerFactory.getLogger(LogClock.class);
    private static final long INTERVAL_MILLIS = 500;

    private final Workers workers;
    private final Clock clock;

    LogClock(Workers workers, Clock clock) {
        this.workers = workers;
        this.clock = clock;
    }

    /** Does so for a job, until it is over. */
    void start(JobDirectory directory, List<String> steps) {
        Map<String, Long> lengths = new HashMap<>();
        steps.forEach(step -> lengths.put(step, 0L));
        tick(directory, lengths);
    }

    private void tick(JobDirectory directory, Map<String, Long> lengths) {
        if (Files.exists(directory.outcome()) || !Files.isDirectory(directory.state())) {
            return;
        }
        for (Map.Entry<String, Long> entry : lengths.entrySet()) {
            try {
                // Before the length: what is written in between is then newer than this entry says, never older.
                java.time.Instant now = clock.instant();
                long length = Files.size(directory.log(entry.getKey()));
                if (length != entry.getValue()) {
                    LogTimes.add(directory.times(entry.getKey()), now, length);
                    entry.setValue(length);
                }
            } catch (NoSuchFileException e) {
                return;
            } catch (IOException e) {
                LOG.debug("the times of the logs of job {} cannot be written", directory.name(), e);
            }
        }
        workers.after(INTERVAL_MILLIS, () -> tick(directory, lengths));
    }
}
