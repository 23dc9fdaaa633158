package io.github.trainer4j.api;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** There is no job of this name, or it has no step of this name. */
public final class JobNotFoundException extends TrainerException {
    private static final long serialVersionUID = 1L;

    private JobNotFoundException(String message, String job, @Nullable String step) {
        super(message, null, job, step, null);
    }

    /** Returns the error for a job that a backend does not have. */
    public static JobNotFoundException noJob(String job, String backend) {
        return new JobNotFoundException(
                "backend " + backend + " has no job '" + Check.printable(job) + "'; list() shows those it has",
                job,
                null);
    }

    /** Returns the error for a step that a job does not have. */
    public static JobNotFoundException noStep(String job, String step, Collection<String> steps) {
        return new JobNotFoundException(
                "job " + job + " has no step '" + Check.printable(step) + "'; its steps are "
                        + String.join(", ", steps),
                job,
                step);
    }
}
