package io.github.trainer4j.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Says what to wait for, and how long.
 *
 * @param statuses the statuses that end the wait well
 * @param timeout how long to wait at most
 * @param pollInterval the longest time between two looks at the job; changes are usually seen at once
 * @param listeners are handed the job whenever its status has changed, and at the start; what one throws is logged
 */
public record WaitOptions(
        Set<JobStatus> statuses, Duration timeout, Duration pollInterval, List<Consumer<TrainJob>> listeners) {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(2);

    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if there is no status, {@code Unknown} is waited for, or the polling interval is not
     *     between zero and the timeout
     */
    public WaitOptions {
        Set<JobStatus> awaited = EnumSet.noneOf(JobStatus.class);
        Check.present(statuses, "statuses")
                .forEach(status -> awaited.add(Check.present(status, "one of the statuses")));
        if (awaited.isEmpty() || awaited.contains(JobStatus.UNKNOWN)) {
            throw new InvalidJobException(
                    "statuses are " + awaited + "; wait for one or more of Created, Running, Complete and Failed");
        }
        statuses = Collections.unmodifiableSet(awaited);
        Check.positive(timeout, "the wait's timeout");
        Check.positive(pollInterval, "the polling interval");
        if (pollInterval.compareTo(timeout) >= 0) {
            throw new InvalidJobException("the polling interval " + pollInterval + " is not shorter than the timeout "
                    + timeout + "; make it shorter");
        }
        listeners = Check.list(listeners, "listeners");
    }

    /** Returns options to wait for {@code Complete}, for at most ten minutes. */
    public static WaitOptions complete() {
        return forStatus(JobStatus.COMPLETE);
    }

    /** Returns options to wait for any of these statuses, for at most ten minutes. */
    public static WaitOptions forStatus(JobStatus... statuses) {
        return new WaitOptions(
                new LinkedHashSet<>(Check.listOf(statuses)), DEFAULT_TIMEOUT, DEFAULT_POLL_INTERVAL, List.of());
    }

    /** Returns options to wait until the job is over, well or not, for at most ten minutes. */
    public static WaitOptions ended() {
        return forStatus(JobStatus.COMPLETE, JobStatus.FAILED);
    }

    /** Returns a copy that waits at most so long; a longer polling interval is cut to half of it. */
    public WaitOptions within(Duration timeout) {
        Check.positive(timeout, "the wait's timeout");
        Duration poll = pollInterval.compareTo(timeout) < 0 ? pollInterval : timeout.dividedBy(2);
        return new WaitOptions(statuses, timeout, poll, listeners);
    }

    /** Returns a copy that looks at the job at least this often. */
    public WaitOptions pollEvery(Duration interval) {
        return new WaitOptions(statuses, timeout, interval, listeners);
    }

    /** Returns a copy with one more listener of status changes. */
    public WaitOptions onChange(Consumer<TrainJob> listener) {
        List<Consumer<TrainJob>> more = new ArrayList<>(listeners);
        more.add(listener);
        return new WaitOptions(statuses, timeout, pollInterval, more);
    }
}
