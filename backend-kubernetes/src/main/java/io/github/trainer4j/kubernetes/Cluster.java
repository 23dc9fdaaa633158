package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.Watchable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.RuntimeRef;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What jobs need of a cluster's API server, in one namespace. Safe for several threads; all errors are those that users
 * see.
 */
final class Cluster implements AutoCloseable {
    private static final ResourceDefinitionContext TRAIN_JOBS = Api.kind(Names.TRAIN_JOB, "trainjobs", true);
    private static final ResourceDefinitionContext JOB_SETS =
            Api.kind(Names.JOBSET_GROUP, "v1alpha2", "JobSet", "jobsets", true);

    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    private final KubernetesClient client;
    private final String namespace;
    private final Api api;
    private final ClusterRuntimes runtimes;
    private final Set<String> groups = ConcurrentHashMap.newKeySet();
    private volatile @Nullable TrainJobSchema served;

    private Cluster(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        this.api = new Api(client, namespace);
        this.runtimes = new ClusterRuntimes(api);
    }

    /**
     * Makes the connection; the API server is not called yet.
     *
     * @throws BackendUnavailableException if nothing says where there is a cluster
     */
    static Cluster connect(KubernetesSettings settings) {
        Access access = Access.find(settings);
        return new Cluster(access.client(), access.namespace());
    }

    String namespace() {
        return namespace;
    }

    /** Returns where the API server is, for people. */
    String address() {
        return api.address();
    }

    // ---- TrainJobs

    Optional<Tree> trainJob(String name) {
        Optional<Tree> found = ask(
                        "get",
                        "trainjobs",
                        () -> Optional.ofNullable(trainJobs().withName(name).get()))
                .map(Api::tree);
        if (found.isEmpty()) {
            // Where nobody knows what a TrainJob is, there is none of any name; that is another error.
            needTrainer();
        }
        return found;
    }

    private void needTrainer() {
        if (!serves(Names.GROUP)) {
            throw Refusal.lacking(address(), "trainjobs", "it serves no API group " + Names.GROUP, null);
        }
    }

    /** Whether the API server knows a group of resources, or does not tell; asked once for each. */
    private boolean serves(String group) {
        if (groups.contains(group)) {
            return true;
        }
        try {
            if (client.getApiGroup(group) == null) {
                return false;
            }
        } catch (KubernetesClientException e) {
            LOG.debug("the cluster does not tell whether it serves {}", group, e);
        }
        groups.add(group);
        return true;
    }

    List<Tree> allTrainJobs() {
        return pages("trainjobs", trainJobs()).stream().map(Api::tree).toList();
    }

    /**
     * Returns a TrainJob that was rendered for the newest version of Kubeflow Trainer as the cluster's version has it.
     *
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if that version has no field for something
     */
    Map<String, Object> fit(Map<String, Object> newest) {
        return TrainJobSchema.matters(newest) ? served().fit(newest) : newest;
    }

    /** What the API server says of itself everybody may read; where not, the newest version is taken for served. */
    private TrainJobSchema served() {
        TrainJobSchema known = served;
        if (known == null) {
            Tree document;
            try {
                String published = client.raw("/openapi/v3/apis/" + Names.API_VERSION);
                document = published == null ? Tree.EMPTY : new Tree(Serialization.unmarshal(published, Map.class));
            } catch (KubernetesClientException e) {
                LOG.debug("the fields of TrainJobs cannot be read from {}", address(), e);
                document = Tree.EMPTY;
            }
            known = TrainJobSchema.ofOpenApi(document);
            served = known;
        }
        return known;
    }

    /**
     * Creates a TrainJob that was rendered for the newest version of Kubeflow Trainer, with the strictest validation, and
     * returns it as the cluster has it. Only if the cluster does not know a field it is asked which it has: that answer is large.
     */
    Tree createTrainJob(Map<String, Object> newest) {
        if (!serves(Names.JOBSET_GROUP)) {
            throw new BackendUnavailableException(
                    "the cluster at " + address()
                            + " has Kubeflow Trainer, but not JobSet, which runs its jobs; install"
                            + " JobSet there, or choose another context with the setting kubernetes.context",
                    List.of(),
                    null);
        }
        TrainJobSchema known = served;
        Map<String, Object> resource = known == null ? newest : known.fit(newest);
        try {
            return create(resource);
        } catch (InvalidJobException e) {
            if (known != null || !Refusal.isOfUnknownField(e) || served().isNewest()) {
                throw e;
            }
            return create(served().fit(newest));
        }
    }

    private Tree create(Map<String, Object> resource) {
        GenericKubernetesResource trainJob =
                Serialization.unmarshal(Serialization.asJson(resource), GenericKubernetesResource.class);
        Resource<GenericKubernetesResource> place = trainJobs().resource(Api.mark(trainJob));
        return Api.tree(
                api.createOnce("trainjobs", trainJob, place.fieldValidation(Validation.STRICT)::create, place::get));
    }

    /**
     * Deletes a TrainJob, and then the cluster all that belongs to it; returns at once. Not the other way round, by foreground
     * deletion: while the TrainJob waits for its JobSet to go, Trainer makes it a new one, and the nodes start again (seen with
     * 2.3, whose controller does not look whether the TrainJob is being deleted).
     */
    void deleteTrainJob(String name) {
        ask(
                "delete",
                "trainjobs",
                () -> trainJobs()
                        .withName(name)
                        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                        .delete());
    }

    // ---- what belongs to them

    /** Whether a job has what makes its pods; not, where the right to ask is missing. */
    boolean hasJobSet(String job) {
        try {
            return client.genericKubernetesResources(JOB_SETS)
                            .inNamespace(namespace)
                            .withName(job)
                            .get()
                    != null;
        } catch (KubernetesClientException e) {
            if (Refusal.isMissingRight(e)) {
                return false;
            }
            throw Refusal.of(e, "get", "jobsets", namespace, address());
        }
    }

    List<Pod> pods(Optional<String> job) {
        var pods = client.pods().inNamespace(namespace);
        return pages(
                "pods",
                job.isPresent() ? pods.withLabel(Names.JOBSET_LABEL, job.get()) : pods.withLabel(Names.JOBSET_LABEL));
    }

    List<Event> events() {
        return pages("events", client.v1().events().inNamespace(namespace));
    }

    Companions companions() {
        return new Companions(api);
    }

    // ---- runtimes

    Optional<ClusterRuntime> runtime(RuntimeRef reference) {
        return runtimes.find(reference.name(), reference.scope());
    }

    Map<String, ClusterRuntime> runtimes() {
        return runtimes.all();
    }

    // ---- logs and changes

    /**
     * What part of a container's log to read.
     *
     * @param pod the pod
     * @param container the container
     * @param since an RFC 3339 time from which on to read
     * @param tail how many last lines
     * @param previous whether to read the container's attempt before its last restart
     * @param follow whether to go on until the container ends, or the connection does
     * @param silence after how long without a byte the connection counts as dead
     */
    record LogRange(
            String pod,
            String container,
            Optional<String> since,
            OptionalInt tail,
            boolean previous,
            boolean follow,
            Duration silence) {}

    /** Opens a log; each line begins with its time and a blank. */
    InputStream log(LogRange range) {
        return ask("get", "pods/log", () -> LogRequest.open(client, namespace, range));
    }

    /**
     * Calls back with a job's name whenever a TrainJob has changed, and with the pod whenever one of a job has; told when it
     * ended by itself.
     */
    List<Watch> watch(Consumer<String> changed, Consumer<Pod> podChanged, Runnable ended) {
        Watch jobs = ask(
                "watch",
                "trainjobs",
                () -> fromNow(
                        trainJobs(),
                        new Hints<>(
                                resource ->
                                        changed.accept(resource.getMetadata().getName()),
                                ended)));
        try {
            Watch pods = ask(
                    "watch",
                    "pods",
                    () -> fromNow(
                            client.pods().inNamespace(namespace).withLabel(Names.JOBSET_LABEL),
                            new Hints<>(podChanged, ended)));
            return List.of(jobs, pods);
        } catch (RuntimeException e) {
            jobs.close();
            throw e;
        }
    }

    /** Without a version to begin with, all that there is would be told as news. */
    private static <T extends HasMetadata, L extends KubernetesResourceList<T>, W extends Listable<L> & Watchable<T>>
            Watch fromNow(W place, Watcher<T> watcher) {
        ListMeta now =
                place.list(new ListOptionsBuilder().withLimit(1L).build()).getMetadata();
        return place.watch(
                new ListOptionsBuilder()
                        .withResourceVersion(now == null ? null : now.getResourceVersion())
                        .withAllowWatchBookmarks(true)
                        .build(),
                watcher);
    }

    private record Hints<T>(Consumer<T> changed, Runnable ended) implements Watcher<T> {
        @Override
        public void eventReceived(Action action, T resource) {
            if (action != Action.BOOKMARK && action != Action.ERROR) {
                changed.accept(resource);
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            ended.run();
        }
    }

    // ---- the ways to ask

    private NonNamespaceOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            trainJobs() {
        MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
                all = client.genericKubernetesResources(TRAIN_JOBS);
        return all.inNamespace(namespace);
    }

    private <T extends HasMetadata, L extends KubernetesResourceList<T>> List<T> pages(
            String what, Listable<L> listable) {
        return api.pages(what, listable);
    }

    private <T> T ask(String verb, String what, Supplier<T> question) {
        return api.ask(verb, what, question);
    }

    @Override
    public void close() {
        client.close();
    }
}
