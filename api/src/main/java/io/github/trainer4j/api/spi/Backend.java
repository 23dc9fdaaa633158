package io.github.trainer4j.api.spi;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import java.util.List;

/**
 * Runs jobs somewhere. All methods may be called by several threads at once. What every backend must do is written down
 * as tests: {@code BackendContract} in trainer4j-testkit.
 *
 * <p>All methods may throw {@link io.github.trainer4j.api.BackendUnavailableException} when contact is lost, and those
 * that take a job's name {@link io.github.trainer4j.api.JobNotFoundException}.
 */
public interface Backend extends AutoCloseable {
    /**
     * Returns what {@link #train} would do, without doing or recording anything.
     *
     * @throws io.github.trainer4j.api.InvalidJobException if the request is not valid
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if this backend cannot do all of it
     * @throws io.github.trainer4j.api.RuntimeNotFoundException if there is no such runtime
     */
    JobPlan plan(TrainJobRequest request);

    /**
     * Records a job, starts it in the background and returns it at once, with status {@code Created}.
     *
     * @param request the job; a missing name is generated
     * @param listener is told how far initializers are, where this process runs them
     * @throws io.github.trainer4j.api.InvalidJobException if the request is not valid or the name is taken
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if this backend cannot do all of it
     * @throws io.github.trainer4j.api.RuntimeNotFoundException if there is no such runtime
     */
    TrainJob train(TrainJobRequest request, ProgressListener listener);

    /** Returns a job as it stands now. */
    TrainJob get(String name);

    /** Returns all jobs, each equal to what {@link #get} would return, oldest first. */
    List<TrainJob> list();

    /**
     * Reads the log of a job. A followed step that has not started yet is waited for.
     *
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if this backend cannot answer such a query
     */
    LogStream logs(String name, LogQuery query);

    /** Returns what has happened to a job, in the order of time. */
    List<Event> events(String name);

    /**
     * Stops whatever of the job still runs (grace, then kill) and removes all that was created for it. Deleting it again
     * throws {@link io.github.trainer4j.api.JobNotFoundException}.
     *
     * @throws InterruptedException if the thread is interrupted; what was not removed yet stays, and can be deleted again
     * @throws io.github.trainer4j.api.TrainerException if something could not be removed; the message lists it
     */
    void delete(String name) throws InterruptedException;

    /**
     * Calls back soon after something about a job may have changed, until the returned object is closed. It is a hint
     * that makes waits quick: callers look at {@link #get} for the truth, and look there also without a hint now and then.
     * The callback must be fast. A backend that cannot watch returns without ever calling.
     */
    AutoCloseable watch(String name, Runnable changed);

    /** Returns the runtimes that jobs of this backend can name. */
    List<TrainingRuntime> runtimes();

    /**
     * Returns the runtime of this name.
     *
     * @throws io.github.trainer4j.api.RuntimeNotFoundException if there is none
     */
    TrainingRuntime runtime(String name);

    /**
     * Returns what a runtime has installed (the version of Python, its packages, devices), as text for people.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if nothing can be asked there
     */
    String runtimePackages(TrainingRuntime runtime) throws InterruptedException;

    /**
     * Waits for launches that still need this process (initializers, not jobs) and frees all threads and connections.
     * Jobs go on. An interrupt ends the waiting: launches still under way are stopped, their jobs fail with that reason.
     */
    @Override
    void close();
}
