package io.github.trainer4j.api;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A job did not reach the awaited status in time. The job goes on. */
public final class WaitTimeoutException extends TrainerException {
    private static final long serialVersionUID = 1L;
    private static final int NEWEST_WARNINGS = 3;

    private final transient TrainJob trainJob;

    /**
     * Makes the error for a job as it was read last; its message has the status and the newest reason of each step, and the
     * newest of the events that people should look at.
     *
     * @param events what has happened to the job, in the order of time; may be empty
     */
    public WaitTimeoutException(TrainJob job, Set<JobStatus> awaited, Duration timeout, List<Event> events) {
        super(message(job, awaited, timeout) + warnings(events), null, job.name(), null, "Timeout");
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
                step.message().ifPresent(message -> text.append(": ").append(message));
            }
        }
        return text.toString();
    }

    private static String warnings(List<Event> events) {
        List<Event> warnings = events.stream()
                .filter(event -> event.type() == Event.Type.WARNING)
                .toList();
        StringBuilder text = new StringBuilder();
        for (Event event : warnings.subList(Math.max(0, warnings.size() - NEWEST_WARNINGS), warnings.size())) {
            text.append("\n  ").append(event.time()).append(' ');
            event.step().ifPresent(step -> text.append(step).append(": "));
            text.append(event.reason()).append(": ").append(event.message());
        }
        return text.toString();
    }
}
