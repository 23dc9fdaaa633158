package io.github.trainer4j.api.progress;

import io.github.trainer4j.api.TrainingProgress;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the newest report on a daemon thread of its own, at most one in each interval, and the last one when it is closed.
 * A report that could not be sent is sent again after the interval, unless there is a newer one by then.
 */
final class Sender {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingReporter.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(12);

    private final Sink sink;
    private final long intervalNanos;
    private @Nullable Thread thread;
    private @Nullable TrainingProgress waiting;
    private boolean closed;
    private boolean complained;

    Sender(Sink sink, Duration interval) {
        this.sink = sink;
        this.intervalNanos = interval.toNanos();
    }

    synchronized void offer(TrainingProgress progress) {
        if (closed) {
            return;
        }
        waiting = progress;
        if (thread == null) {
            thread = new Thread(this::run, "trainer4j-progress");
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
    }

    /** Sends what waits, and returns when that is done or takes too long. */
    void close() {
        Thread ending;
        synchronized (this) {
            closed = true;
            ending = thread;
            notifyAll();
        }
        if (ending != null) {
            try {
                ending.join(LONGEST_CLOSE.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        try {
            long next = System.nanoTime();
            while (true) {
                TrainingProgress progress;
                boolean last;
                synchronized (this) {
                    progress = take(next);
                    last = closed;
                }
                if (progress == null) {
                    return;
                }
                boolean sent = send(progress);
                next = System.nanoTime() + intervalNanos;
                synchronized (this) {
                    if (!sent && !last && waiting == null) {
                        waiting = progress;
                    }
                }
            }
        } catch (InterruptedException e) {
            // Nobody but the end of the JVM interrupts this thread.
            LOG.debug("reporting was interrupted", e);
        }
    }

    /** Waits for a report whose time has come; null when there is none and will be none. */
    private synchronized @Nullable TrainingProgress take(long next) throws InterruptedException {
        while (!closed) {
            if (waiting == null) {
                wait();
            } else {
                long nanos = next - System.nanoTime();
                if (nanos <= 0) {
                    break;
                }
                TimeUnit.NANOSECONDS.timedWait(this, nanos);
            }
        }
        TrainingProgress taken = waiting;
        waiting = null;
        return taken;
    }

    private boolean send(TrainingProgress progress) {
        try {
            sink.send(ProgressFile.text(progress));
            return true;
        } catch (IOException | RuntimeException | Error e) {
            if (complained) {
                LOG.debug("progress could not be reported to {} again: {}", sink, e.toString());
            } else {
                complained = true;
                LOG.warn(
                        "progress could not be reported to {}: {}; training goes on, further failures are logged as debug",
                        sink,
                        e.toString());
            }
            return false;
        }
    }
}
