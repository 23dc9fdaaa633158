package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.RuntimeRef;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs jobs as TrainJobs of a cluster. What it knows about them the API server knows; it keeps nothing to itself. */
final class KubernetesBackend implements Backend {
    /** After so long without a byte, a log is asked for anew. */
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private static final Duration ENDING = Duration.ofSeconds(5);

    private static final String THREADS = "trainer4j-kubernetes-";
    private static final long PAUSE_MILLIS = 200;

    private final KubernetesSettings settings;
    private final Planner planner;
    private final Sightings sightings;
    private final JobReader reader;
    private @Nullable Cluster cluster;
    private @Nullable Monitor monitor;
    private boolean closed;

    private KubernetesBackend(KubernetesSettings settings, BackendContext context) {
        this.settings = settings;
        this.planner = new Planner(context);
        this.sightings = new Sightings(this::lastLines);
        this.reader = new JobReader(sightings);
    }

    static KubernetesBackend create(Settings settings, BackendContext context) {
        return new KubernetesBackend(KubernetesSettings.read(settings, context), context);
    }

    private synchronized Cluster cluster() {
        if (closed) {
            throw new IllegalStateException("the backend is closed");
        }
        Cluster known = cluster;
        if (known == null) {
            known = Cluster.connect(settings);
            cluster = known;
        }
        return known;
    }

    @Override
    public JobPlan plan(TrainJobRequest request) {
        Cluster open = cluster();
        return planned(request, open, open::fit).shown();
    }

    private KubernetesPlan planned(TrainJobRequest request, Cluster open, UnaryOperator<Map<String, Object>> fit) {
        Objects.requireNonNull(request, "request");
        return planner.plan(request, reference -> find(open, reference), open.namespace(), fit);
    }

    @Override
    public TrainJob train(TrainJobRequest request, ProgressListener listener) {
        Objects.requireNonNull(listener, "listener");
        Cluster open = cluster();
        // The cluster fits it when it is created, and is asked for its version only if it refuses a field then.
        KubernetesPlan plan = planned(request, open, UnaryOperator.identity());
        // A moment old, it has no pods yet.
        return read(open, new Creation(open, plan).run(), List.of(), new HashMap<>());
    }

    @Override
    public TrainJob get(String name) {
        return look(name).job();
    }

    /** A job with the pods that it was read from. */
    private record Look(TrainJob job, List<PodFacts> pods) {}

    /** Asks for the job first: of one that is over no pod starts later. */
    private Look look(String name) {
        JobName.check(name);
        Cluster open = cluster();
        Tree resource = open.trainJob(name).orElseThrow(() -> missing(name));
        List<PodFacts> pods =
                open.pods(Optional.of(name)).stream().map(PodFacts::of).toList();
        pods.forEach(pod -> sightings.see(name, pod));
        return new Look(read(open, resource, pods, new HashMap<>()), pods);
    }

    private TrainJob read(Cluster open, Tree resource, List<PodFacts> pods, Map<String, Integer> nodes) {
        return reader.read(
                resource,
                pods,
                runtime -> nodes.computeIfAbsent(
                        runtime,
                        name -> open.runtime(RuntimeRef.named(name))
                                .map(found -> found.runtime().numNodes())
                                .orElse(1)));
    }

    @Override
    public List<TrainJob> list() {
        Cluster open = cluster();
        List<Tree> resources = open.allTrainJobs();
        Map<String, List<PodFacts>> pods = new HashMap<>();
        for (Pod pod : open.pods(Optional.empty())) {
            pods.computeIfAbsent(pod.getMetadata().getLabels().get(Names.JOBSET_LABEL), job -> new ArrayList<>())
                    .add(PodFacts.of(pod));
        }
        Map<String, Integer> nodes = new HashMap<>();
        return resources.stream()
                .map(resource -> read(
                        open,
                        resource,
                        pods.getOrDefault(resource.at("metadata", "name").text().orElse(""), List.of()),
                        nodes))
                .sorted(Comparator.comparing(TrainJob::creationTime).thenComparing(TrainJob::name))
                .toList();
    }

    @Override
    public LogStream logs(String name, LogQuery query) {
        Objects.requireNonNull(query, "query");
        Look now = look(name);
        List<String> all = now.job().steps().stream().map(Step::name).toList();
        query.step().filter(step -> !all.contains(step)).ifPresent(step -> {
            throw JobNotFoundException.noStep(name, step, all);
        });
        List<String> steps = query.step().map(List::of).orElse(all);
        return query.follow()
                ? new FollowedLogs(
                        cluster(),
                        () -> follow(name),
                        changed -> watch(name, changed),
                        query,
                        steps,
                        new FollowedLogs.Limits(settings.startLimit(), SILENCE, ENDING),
                        THREADS + name + "-")
                : new ReadLogs(cluster(), query, steps, now.pods(), SILENCE);
    }

    private List<String> lastLines(PodFacts pod, PodFacts.Ending ending) {
        boolean restarted = pod.newestAttempt() > ending.attempt();
        List<LogLine> lines = lastLines(pod, ending, restarted);
        if (!restarted && ending.attempt() == 0) {
            // The kubelet may have started it again already; then these are the words of the next attempt.
            try {
                List<LogLine> before = lastLines(pod, ending, true);
                lines = before.isEmpty() ? lines : before;
            } catch (TrainerException e) {
                if (!AttemptLog.isMissing(e)) {
                    throw e;
                }
            }
        }
        return lines.stream().map(LogLine::text).toList();
    }

    private List<LogLine> lastLines(PodFacts pod, PodFacts.Ending ending, boolean previous) {
        return new AttemptLog(cluster(), pod, ending.attempt(), LogQuery.all(), SILENCE)
                .last(Failure.LOG_TAIL_LINES, previous);
    }

    private FollowedLogs.Look follow(String name) {
        Look now = look(name);
        return new FollowedLogs.Look(now.pods(), now.job().status().isFinal());
    }

    @Override
    public List<Event> events(String name) {
        Look now = look(name);
        return JobEvents.of(
                name, now.job().creationTime(), now.pods(), cluster().events());
    }

    @Override
    public void delete(String name) throws InterruptedException {
        JobName.check(name);
        try {
            remove(name);
        } catch (TrainerException e) {
            throw unlessInterrupted(e);
        }
    }

    private void remove(String name) throws InterruptedException {
        Cluster open = cluster();
        if (open.trainJob(name).isPresent()) {
            open.deleteTrainJob(name);
        } else if (left(open, name).isEmpty()) {
            throw missing(name);
        }
        // Also what a deletion that was interrupted has left on its way.
        awaitGone(open, name);
        // Mostly they have gone with the TrainJob; not if a client was killed before it gave them to it.
        open.companions().deleteSecret(name);
        open.companions().deleteConfigMap(name);
        sightings.forget(name);
    }

    private void awaitGone(Cluster open, String name) throws InterruptedException {
        long begin = System.nanoTime();
        Duration limit = settings.deleteLimit();
        // Looked at twice: Trainer may have made a JobSet in the moment in which the TrainJob went.
        int empty = 0;
        while (empty < 2) {
            List<String> left = left(open, name);
            empty = left.isEmpty() ? empty + 1 : 0;
            if (empty == 0 && System.nanoTime() - begin > limit.toNanos()) {
                throw new TrainerException(
                        "job " + name + " is being deleted, but after "
                                + (limit.toSeconds() > 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms")
                                + " the cluster still has: " + String.join(", ", left) + "; kubectl describe tells what"
                                + " holds them (a finalizer, or a node that does not answer); delete it again later",
                        null,
                        name,
                        null,
                        null);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static List<String> left(Cluster open, String name) {
        List<String> left = new ArrayList<>();
        if (open.trainJob(name).isPresent()) {
            left.add("trainjob " + name);
        } else if (open.hasJobSet(name)) {
            // It may be about to make pods.
            left.add("jobset " + name);
        }
        open.pods(Optional.of(name))
                .forEach(pod -> left.add("pod " + pod.getMetadata().getName()));
        return left;
    }

    @Override
    public AutoCloseable watch(String name, Runnable changed) {
        JobName.check(name);
        Objects.requireNonNull(changed, "changed");
        return monitor().watch(name, changed);
    }

    private synchronized Monitor monitor() {
        Monitor known = monitor;
        if (known == null) {
            known = new Monitor(cluster(), sightings, THREADS + "watch");
            monitor = known;
        }
        return known;
    }

    @Override
    public List<TrainingRuntime> runtimes() {
        return cluster().runtimes().values().stream()
                .map(ClusterRuntime::runtime)
                .toList();
    }

    @Override
    public TrainingRuntime runtime(String name) {
        Objects.requireNonNull(name, "name");
        return find(cluster(), RuntimeRef.named(name)).runtime();
    }

    private static ClusterRuntime find(Cluster open, RuntimeRef reference) {
        return open.runtime(reference)
                .orElseThrow(() -> new RuntimeNotFoundException(
                        reference.name(), open.runtimes().keySet()));
    }

    @Override
    public String runtimePackages(TrainingRuntime runtime) throws InterruptedException {
        Objects.requireNonNull(runtime, "runtime");
        try {
            return new PackagesReport(this).of(runtime);
        } catch (TrainerException e) {
            throw unlessInterrupted(e);
        }
    }

    /** The client of the API says of a call that was interrupted that nobody answered, and keeps the interrupt for later. */
    private static TrainerException unlessInterrupted(TrainerException e) throws InterruptedException {
        if (Thread.interrupted()) {
            InterruptedException interrupted = new InterruptedException("interrupted while the cluster was asked");
            interrupted.initCause(e);
            throw interrupted;
        }
        return e;
    }

    private static JobNotFoundException missing(String name) {
        return JobNotFoundException.noJob(name, KubernetesBackendProvider.NAME);
    }

    @Override
    public synchronized void close() {
        closed = true;
        // Let go of: the JDK's HTTP client ends its thread when nobody refers to it any more.
        if (monitor != null) {
            monitor.close();
            monitor = null;
        }
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
