package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What one test of the contract works on: backends over one state, the jobs it starts, and waits that end. When it is
 * closed it deletes what the test left and fails if something could not be removed.
 */
final class Bench {
    private final BackendUnderTest under;
    private final Path work;
    private final ActionsInitializerProvider actions = new ActionsInitializerProvider();
    private final BackendMaker maker;
    private final Patience patience;
    private final List<Backend> backends = new ArrayList<>();
    private final Set<String> jobs = ConcurrentHashMap.newKeySet();

    Bench(BackendUnderTest under, Path work) {
        this.under = under;
        this.work = work;
        this.maker = new BackendMaker(under, work, actions);
        this.patience = new Patience(under.patience());
        another();
    }

    // ---- backends

    /** The backend that the test starts with. */
    Backend backend() {
        return backends.get(0);
    }

    /** One more backend over the same state, as another process would make it. */
    Backend another() {
        return make(under.settings());
    }

    /** A backend that is given one more setting, by its key without the backend's name. */
    Backend configured(String key, String value) {
        Map<String, String> settings = new HashMap<>(under.settings());
        settings.put(under.provider().name() + "." + key, value);
        return make(settings);
    }

    /** A backend whose jobs may take long to end by themselves. */
    Backend patient() {
        return under.gracePeriod().map(key -> configured(key, "30s")).orElseGet(this::backend);
    }

    private Backend make(Map<String, String> settings) {
        Backend backend = maker.make(settings);
        backends.add(backend);
        return backend;
    }

    BackendProvider provider() {
        return under.provider();
    }

    String backendName() {
        return under.provider().name();
    }

    /** Where the backend keeps its state on this machine. */
    Path work() {
        return work;
    }

    boolean has(Feature feature) {
        return under.has(feature);
    }

    ActionsInitializerProvider actions() {
        return actions;
    }

    // ---- requests

    /** A request with a fresh name, on the plain runtime. */
    TrainJobRequest.Builder job() {
        return job("plain");
    }

    TrainJobRequest.Builder job(String framework) {
        return on(TrainJobRequest.builder().name(name()), framework);
    }

    /** Chooses the runtime for a framework. */
    TrainJobRequest.Builder on(TrainJobRequest.Builder builder, String framework) {
        var runtime = under.runtime(framework);
        return runtime.value().isPresent() ? builder.runtime(runtime.value().get()) : builder.runtime(runtime.name());
    }

    /** A fresh name, whose job is deleted in the end. */
    String name() {
        String name = JobName.generate();
        jobs.add(name);
        return name;
    }

    /** A fresh name of this length, whose job is deleted in the end. */
    String nameOf(int length) {
        String name = (JobName.generate() + "-").repeat(length).substring(0, length - 1) + "z";
        jobs.add(name);
        return name;
    }

    /** A trainer that runs a shell script; the arguments are the script's {@code $1} and so on. */
    CommandTrainer sh(String script, String... args) {
        List<String> command = new ArrayList<>(under.shell());
        command.add(script);
        command.add("contract");
        command.addAll(List.of(args));
        return new CommandTrainer(command, NodeSettings.defaults());
    }

    /** A trainer that runs {@link EchoProgram}. */
    JavaTrainer echo() throws IOException {
        JavaTrainer trainer = EchoProgram.trainer(work.resolve("classes"));
        return under.javaImage().map(trainer::image).orElse(trainer);
    }

    /** A request for a shell script on one node. */
    TrainJobRequest script(String script, String... args) {
        return job().trainer(sh(script, args)).build();
    }

    InitializerSpec dataset(InitializerActions actions) {
        return under.initializer(InitializerTarget.DATASET, actions);
    }

    InitializerSpec model(InitializerActions actions) {
        return under.initializer(InitializerTarget.MODEL, actions);
    }

    // ---- jobs

    TrainJob start(TrainJobRequest request) {
        return start(request, ProgressListener.none());
    }

    TrainJob start(TrainJobRequest request, ProgressListener listener) {
        TrainJob job = backend().train(request, listener);
        jobs.add(job.name());
        return job;
    }

    /** Starts a job and returns it when it is over. */
    TrainJob run(TrainJobRequest request) {
        return over(start(request).name());
    }

    /** Starts a job that is to end well, and returns it when it has. */
    TrainJob complete(TrainJobRequest request) {
        return completed(start(request).name());
    }

    /** Waits until a job has ended well. */
    TrainJob completed(String name) {
        TrainJob job = over(name);
        assertThat(job.status())
                .as(() -> name + " is to be Complete; " + Patience.tell(job))
                .isEqualTo(JobStatus.COMPLETE);
        return job;
    }

    /** Waits until a job has failed, and returns why. */
    Failure failed(String name) {
        TrainJob job = over(name);
        assertThat(job.status())
                .as(() -> name + " is to be Failed; " + Patience.tell(job))
                .isEqualTo(JobStatus.FAILED);
        assertThat(job.failure()).as("the failure of " + name).isPresent();
        return job.failure().get();
    }

    TrainJob over(String name) {
        return await(name, "be over", job -> job.status().isFinal());
    }

    /** Waits until a job runs. A job that ends before that is a failure of the test. */
    TrainJob running(String name) {
        TrainJob running = await(
                name,
                "run",
                job -> job.status() == JobStatus.RUNNING || job.status().isFinal());
        assertThat(running.status())
                .as(() -> name + " is to be Running; " + Patience.tell(running))
                .isEqualTo(JobStatus.RUNNING);
        return running;
    }

    TrainJob await(String name, String what, Predicate<TrainJob> reached) {
        return await(backend(), name, what, reached);
    }

    TrainJob await(Backend backend, String name, String what, Predicate<TrainJob> reached) {
        return patience.await(backend, name, what, reached);
    }

    void until(String what, BooleanSupplier condition) {
        patience.until(() -> what, condition);
    }

    void until(Supplier<String> what, BooleanSupplier condition) {
        patience.until(what, condition);
    }

    /** How long the contract waits for what should come soon. */
    Duration patience() {
        return under.patience();
    }

    /** So many seconds of a host's processes, as long as they may take on this backend. */
    Duration seconds(int onHost) {
        return Duration.ofSeconds(onHost).multipliedBy(under.slowness());
    }

    static void pause(long millis) {
        Patience.pause(millis);
    }

    // ---- logs

    /** The texts of a step's lines. */
    List<String> log(String name, String step) {
        return log(name, LogQuery.step(step));
    }

    List<String> log(String name, LogQuery query) {
        return lines(name, query).stream().map(LogLine::text).toList();
    }

    List<LogLine> lines(String name, LogQuery query) {
        return read(backend().logs(name, query));
    }

    /** Reads a stream to its end, which is to come by itself, and closes it. */
    List<LogLine> read(LogStream stream) {
        Follower follower = Follower.of(this, stream);
        follower.end().ifPresent(failure -> {
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            throw new AssertionError("reading a log ended with " + failure, failure);
        });
        return follower.lines();
    }

    /** Waits until a step has written a line. */
    void wrote(String name, String step, String text) {
        until(
                step + " of " + name + " writes '" + text + "'",
                () -> log(name, step).contains(text));
    }

    // ---- processes

    /** A command that sleeps for good and that is told from all others. */
    Sleeper sleeper() {
        return new Sleeper(this, under::processes);
    }

    List<String> commandLines() {
        return under.processes();
    }

    // ---- refusals

    /** Where the backend lacks a feature: makes sure that it says so, starts nothing, and returns true. */
    boolean refusedWithout(Feature feature, TrainJobRequest request) {
        if (has(feature)) {
            return false;
        }
        refuses(request, UnsupportedFeatureException.class);
        return true;
    }

    /** Makes sure that a request is refused with this error, before anything is recorded; returns the error. */
    <E extends Throwable> E refuses(TrainJobRequest request, Class<E> type) {
        assertThatThrownBy(() -> backend().plan(request)).as("plan()").isInstanceOf(type);
        return refusesToTrain(request, type);
    }

    /** Makes sure that a request is refused though its name is that of a job; the plan of it may be fine. */
    InvalidJobException refusedAgain(TrainJobRequest request) {
        try {
            return fail("accepted, though the name is in use: " + Patience.tell(start(request)));
        } catch (InvalidJobException e) {
            return e;
        }
    }

    private <E extends Throwable> E refusesToTrain(TrainJobRequest request, Class<E> type) {
        try {
            TrainJob job = start(request);
            return fail("accepted, but is to be refused with " + type.getSimpleName() + ": " + Patience.tell(job));
        } catch (RuntimeException e) {
            assertThat(e).isInstanceOf(type);
            assertThat(e.getMessage()).as("what the error says").isNotBlank();
            request.name().ifPresent(this::hasNo);
            return type.cast(e);
        }
    }

    /** Makes sure that there is no job of this name. */
    void hasNo(String name) {
        assertThat(backend().list()).extracting(TrainJob::name).doesNotContain(name);
        assertThatThrownBy(() -> backend().get(name)).isInstanceOf(JobNotFoundException.class);
        assertThat(under.traces(name)).as("what is left of " + name).isEmpty();
    }

    // ---- the end

    void delete(String name) {
        try {
            backend().delete(name);
        } catch (InterruptedException e) {
            throw Patience.interrupted(e);
        }
    }

    /** Deletes the jobs that are left, closes the backends, and says what did not work. */
    void close() {
        Cleaning cleaning = new Cleaning(under::traces);
        cleaning.attempt(() -> {
            try (Backend cleaner = another()) {
                cleaning.delete(cleaner, jobs);
            }
        });
        backends.forEach(backend -> cleaning.attempt(backend::close));
        cleaning.attempt(() -> until("all initializers are stopped", () -> actions.running() == 0));
        cleaning.attempt(() -> DirectoryTree.delete(work));
        cleaning.check();
    }
}
