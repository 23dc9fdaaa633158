package io.github.trainer4j.api;

/** A wait ended because the job ended in another way than was waited for. */
public final class JobFailedException extends TrainerException {
    private static final long serialVersionUID = 1L;

    private final transient TrainJob trainJob;

    /** Makes the error for a job as it was read last. */
    public JobFailedException(TrainJob job) {
        super(
                "job " + job.name() + " is " + job.status().text()
                        + job.failure()
                                .map(failure -> ": " + failure.describe())
                                .orElse(", which was not waited for"),
                null,
                job.name(),
                job.failure().flatMap(Failure::step).orElse(null),
                job.failure().map(Failure::reason).orElse(null));
        this.trainJob = job;
    }

    /** Returns the job as it was read last. */
    public TrainJob trainJob() {
        return trainJob;
    }
}
