package io.github.trainer4j.api;

import java.time.Duration;
import java.util.Set;

/** A job did not reach the awaited status in time. The job goes on. */
public final class WaitTimeoutException extends TrainerException {
    private static final long serialVersionUID = 1L;

    private final transient TrainJob trainJob;

    /** Makes the error for a job as it was read last; its message has the status and the newest reason of each step. */
    public WaitTimeoutException(TrainJob job, Set<JobStatus> awaited, Duration timeout) {
        super(message(job, awaited, timeout), null, job.name(), null, "Timeout");
        this.trainJob = job;
    }

    /** Returns the job as it was read last. */
    public TrainJob trainJob() {
        return trainJob;
    }

    private static String message(TrainJob job, Set<JobStatus> awaited, Duration timeout) {
        StringBuilder text = new StringBuilder("job " + job.name() + " is "
                + job.status().text() + " and not "
                + String.join(
                        " or ", awaited.stream().map(JobStatus::text).sorted().toList()) + " after " + timeout
                + "; it goes on, wait again or delete it");
        for (Step step : job.steps()) {
            if (!step.status().isFinal()) {
                text.append("\n  ")
                        .append(step.name())
                        .append(": ")
                        .append(step.status().text());
                step.reason()
                        .ifPresent(reason -> text.append(" (").append(reason).append(')'));
            }
        }
        return text.toString();
    }
}
