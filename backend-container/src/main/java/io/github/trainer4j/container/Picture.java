package io.github.trainer4j.container;

import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.state.Cause;
import java.util.Map;
import java.util.Optional;

/**
 * A job as it stands, and what follows from that.
 *
 * @param sighted what it was worked out from
 * @param job the job
 * @param states where its steps stand
 * @param next what is to be done about it
 * @param cause why it is to end as failed, if it is
 */
record Picture(Sighted sighted, TrainJob job, Map<String, StepState> states, Next next, Optional<Cause> cause) {
    /** What is to be done about a job. */
    enum Next {
        /** Nothing: it goes on, or is over. */
        NOTHING,
        /** To write down that it is complete. */
        COMPLETE,
        /** To stop what runs of it, and write down that it failed. */
        FAIL
    }
}
