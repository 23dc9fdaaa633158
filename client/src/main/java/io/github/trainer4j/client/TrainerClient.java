package io.github.trainer4j.client;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.InitializerProvider;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs training jobs on the backend that configuration names, and finds them again. Jobs outlive the client: another one,
 * in another process, sees the same jobs.
 *
 * <pre>{@code
 * try (TrainerClient client = TrainerClient.create()) {
 *     TrainJob job = client.train(TrainJobRequest.builder()
 *             .dataset("hf://org/data")
 *             .script(Path.of("train.py"))
 *             .build());
 *     client.waitFor(job.name());
 * }
 * }</pre>
 *
 * <p>Safe for several threads. Every method but {@link #close()}, {@link #backend()} and {@link #diagnostics()} throws
 * {@link IllegalStateException} once the client is closed, {@link InvalidJobException} for an argument that is null, and
 * {@link io.github.trainer4j.api.BackendUnavailableException} when the backend cannot be reached. Those that look for
 * runtimes throw {@link io.github.trainer4j.api.ConfigurationException} when a configured source of runtimes is malformed
 * or missing, and {@link io.github.trainer4j.api.TrainerException} with reason {@code RuntimeSourceUnavailable} when the
 * server of one cannot be reached and there is no copy of it.
 */
public final class TrainerClient implements AutoCloseable {
    private final String backendName;
    private final Backend backend;
    private final Waits waits;
    private final Pruning pruning;
    private final ProviderRegistry<BackendProvider> backends;
    private final ProviderRegistry<InitializerProvider> initializers;
    private final AtomicBoolean closed = new AtomicBoolean();

    @Inject
    TrainerClient(
            BackendChoice.Chosen chosen,
            Waits waits,
            Pruning pruning,
            ProviderRegistry<BackendProvider> backends,
            ProviderRegistry<InitializerProvider> initializers) {
        this.backendName = chosen.name();
        this.backend = chosen.backend();
        this.waits = waits;
        this.pruning = pruning;
        this.backends = backends;
        this.initializers = initializers;
    }

    /**
     * Makes a client of what is configured in system properties, the environment and files.
     *
     * @throws io.github.trainer4j.api.ConfigurationException if the configuration is wrong, or no backend can be chosen;
     *     all problems at once
     * @throws io.github.trainer4j.api.BackendUnavailableException if the backend cannot work here
     */
    public static TrainerClient create() {
        return builder().build();
    }

    /** Returns a builder, with which a program configures a client itself. */
    public static TrainerClientBuilder builder() {
        return new TrainerClientBuilder();
    }

    /**
     * Records a job, starts it in the background and returns it at once, with status {@code Created}.
     *
     * @throws InvalidJobException if the request is not valid here, or the name is taken
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if the backend cannot do all of it
     * @throws io.github.trainer4j.api.RuntimeNotFoundException if there is no such runtime
     */
    public TrainJob train(TrainJobRequest request) {
        return train(request, ProgressListener.none());
    }

    /**
     * Records a job and starts it like {@link #train(TrainJobRequest)}.
     *
     * @param request the job
     * @param listener is told how far initializers are, where this process runs them; by one thread at a time
     * @throws InvalidJobException if the request is not valid here, or the name is taken
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if the backend cannot do all of it
     * @throws io.github.trainer4j.api.RuntimeNotFoundException if there is no such runtime
     */
    public TrainJob train(TrainJobRequest request, ProgressListener listener) {
        return open().train(
                        given(request, "the request is null; make one with TrainJobRequest.builder()"),
                        given(listener, "the progress listener is null; leave it out"));
    }

    /**
     * Returns what {@link #train(TrainJobRequest)} would do, without doing or recording anything.
     *
     * @throws InvalidJobException if the request is not valid here
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if the backend cannot do all of it
     * @throws io.github.trainer4j.api.RuntimeNotFoundException if there is no such runtime
     */
    public JobPlan plan(TrainJobRequest request) {
        return open().plan(given(request, "the request is null; make one with TrainJobRequest.builder()"));
    }

    /**
     * Returns a job as it stands now.
     *
     * @throws JobNotFoundException if there is no such job
     */
    public TrainJob get(String name) {
        return open().get(job(name));
    }

    /** Returns all jobs of the backend, oldest first, each as {@link #get} would return it. */
    public List<TrainJob> list() {
        return open().list();
    }

    /** Returns all jobs that have a runtime of this name, oldest first; none if there is no such runtime. */
    public List<TrainJob> list(String runtimeName) {
        Optional<String> runtime = Optional.of(given(runtimeName, "the runtime's name is null; leave it out"));
        return open().list().stream()
                .filter(job -> job.runtime().equals(runtime))
                .toList();
    }

    /**
     * Reads the log of all steps of a job, as far as it is written. Close what is returned.
     *
     * @throws JobNotFoundException if there is no such job
     */
    public LogStream logs(String name) {
        return logs(name, LogQuery.all());
    }

    /**
     * Reads the log of a job. Close what is returned.
     *
     * @throws JobNotFoundException if there is no such job, or it has no such step
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if the backend cannot answer such a query
     */
    public LogStream logs(String name, LogQuery query) {
        return open().logs(job(name), given(query, "the log query is null; leave it out"));
    }

    /**
     * Returns what has happened to a job, in the order of time.
     *
     * @throws JobNotFoundException if there is no such job
     */
    public List<Event> events(String name) {
        return open().events(job(name));
    }

    /**
     * Waits until a job is complete, for at most ten minutes; as {@link #waitFor(String, WaitOptions)} does.
     *
     * @throws JobNotFoundException if there is no such job
     * @throws io.github.trainer4j.api.JobFailedException if the job failed
     * @throws io.github.trainer4j.api.WaitTimeoutException if it is not over in time; it goes on
     * @throws InterruptedException if the thread is interrupted
     */
    public TrainJob waitFor(String name) throws InterruptedException {
        return waitFor(name, WaitOptions.complete());
    }

    /**
     * Waits until a job has one of the given statuses, or went through one while it was waited for, and returns it as it
     * was seen last. The wait ends at once when the job is over in another way. Its time is measured on a clock that never
     * jumps, and the job is looked at a last time when it is up.
     *
     * <p>Listeners are called on this thread, in the order of statuses, first with the status that the wait begins with. A
     * status that the job went through between two looks is told too, with all else as at the later look. What a listener
     * throws is logged. While the backend cannot be reached, the wait goes on until its time is up.
     *
     * @throws JobNotFoundException if there is no such job, or it was deleted meanwhile
     * @throws io.github.trainer4j.api.JobFailedException if the job is over in a way that was not waited for
     * @throws io.github.trainer4j.api.WaitTimeoutException if the time is up; the job goes on
     * @throws io.github.trainer4j.api.BackendUnavailableException if the backend could not be reached at the end
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the client is closed meanwhile
     */
    public TrainJob waitFor(String name, WaitOptions options) throws InterruptedException {
        return waits.await(open(), job(name), given(options, "the wait's options are null; leave them out"));
    }

    /**
     * Stops whatever of a job still runs and removes all that was created for it.
     *
     * @throws JobNotFoundException if there is no such job
     * @throws io.github.trainer4j.api.TrainerException if something could not be removed; the message lists it
     * @throws InterruptedException if the thread is interrupted; what was not removed yet can be deleted again
     */
    public void delete(String name) throws InterruptedException {
        open().delete(job(name));
    }

    /**
     * Deletes all jobs that are over, as {@link #prune(Duration, Predicate)} does, however short ago they ended and whoever
     * made them.
     *
     * @throws InterruptedException if the thread is interrupted; the jobs that are not removed yet stay
     */
    public PruneReport prune() throws InterruptedException {
        return prune(Duration.ZERO);
    }

    /**
     * Deletes all jobs that have been over for a while, as {@link #prune(Duration, Predicate)} does, whoever made them.
     *
     * @throws InvalidJobException if the age is negative
     * @throws InterruptedException if the thread is interrupted; the jobs that are not removed yet stay
     */
    public PruneReport prune(Duration minimumAge) throws InterruptedException {
        return prune(minimumAge, job -> true);
    }

    /**
     * Deletes jobs that have been over for a while, with all that was created for them, their workspaces included. Those are
     * jobs that {@link #list()} shows as {@code Complete} or {@code Failed}; among them what a client left behind that was
     * killed while it launched. Jobs that still run, or of which nobody knows how they are, stay. One that cannot be removed
     * keeps none of the others; once contact to the backend is lost, no further one is tried.
     *
     * @param minimumAge for how long a job must have been over
     * @param which picks some of those that are over, such as those with a label of yours where others have jobs too
     * @return the jobs that are gone, and those of which something is left
     * @throws InvalidJobException if the age is negative
     * @throws InterruptedException if the thread is interrupted; the jobs that are not removed yet stay
     */
    public PruneReport prune(Duration minimumAge, Predicate<? super TrainJob> which) throws InterruptedException {
        if (given(minimumAge, "the minimum age is null; leave it out").isNegative()) {
            throw new InvalidJobException("the minimum age " + minimumAge + " is negative; give one of zero or more");
        }
        return pruning.prune(
                open(), minimumAge, given(which, "what picks the jobs to be removed is null; leave it out"));
    }

    /** Returns the runtimes that jobs can name. */
    public List<TrainingRuntime> runtimes() {
        return open().runtimes();
    }

    /**
     * Returns the runtime of this name.
     *
     * @throws io.github.trainer4j.api.RuntimeNotFoundException if there is none; the message has near names
     */
    public TrainingRuntime runtime(String name) {
        return open().runtime(given(name, "the runtime's name is null"));
    }

    /**
     * Returns what a runtime has installed (the version of Python, its packages, devices), as text for people.
     *
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if the backend cannot look into it
     * @throws InterruptedException if the thread is interrupted
     */
    public String runtimePackages(TrainingRuntime runtime) throws InterruptedException {
        return open().runtimePackages(given(runtime, "the runtime is null"));
    }

    /** Returns the name of the backend, such as {@code local}. */
    public String backend() {
        return backendName;
    }

    /** Returns what was found on the class path, and what is wrong with it. */
    public Diagnostics diagnostics() {
        List<ProviderReport> reports = new ArrayList<>(backends.reports());
        reports.addAll(initializers.reports());
        return new Diagnostics(reports);
    }

    /**
     * Waits for launches that still need this process (initializers, not jobs) and frees all threads and connections. Jobs
     * go on; waits end with {@link IllegalStateException}. An interrupt ends the waiting: launches still under way are
     * stopped, and their jobs fail with that reason. Closing again does nothing.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            waits.close();
            backend.close();
        }
    }

    static IllegalStateException closed() {
        return new IllegalStateException("this client is closed; make a new one with TrainerClient.create()");
    }

    private Backend open() {
        if (closed.get()) {
            throw closed();
        }
        return backend;
    }

    /** What can be no job's name is not asked for: a backend may use names as paths. */
    private String job(String name) {
        given(name, "the job's name is null");
        try {
            return JobName.check(name);
        } catch (InvalidJobException e) {
            throw JobNotFoundException.noJob(name, backendName);
        }
    }

    private static <T> T given(@Nullable T value, String sentence) {
        if (value == null) {
            throw new InvalidJobException(sentence);
        }
        return value;
    }
}
