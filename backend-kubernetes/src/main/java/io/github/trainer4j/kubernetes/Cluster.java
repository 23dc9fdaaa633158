package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
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
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.TrainingRuntime.Scope;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private static final long PAGE = 500;
    private static final ResourceDefinitionContext TRAIN_JOBS = kind(Names.TRAIN_JOB, "trainjobs", true);
    private static final ResourceDefinitionContext RUNTIMES = kind("TrainingRuntime", "trainingruntimes", true);
    private static final ResourceDefinitionContext CLUSTER_RUNTIMES =
            kind("ClusterTrainingRuntime", "clustertrainingruntimes", false);
    private static final ResourceDefinitionContext JOB_SETS =
            kind("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets", true);

    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    private final KubernetesClient client;
    private final String namespace;
    private final Set<String> groups = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean complained = new AtomicBoolean();
    private volatile @Nullable TrainJobSchema served;

    private Cluster(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    private static ResourceDefinitionContext kind(String kind, String plural, boolean namespaced) {
        return kind(Names.GROUP, Names.VERSION, kind, plural, namespaced);
    }

    private static ResourceDefinitionContext kind(
            String group, String version, String kind, String plural, boolean namespaced) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(namespaced)
                .build();
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
        return client.getConfiguration().getMasterUrl();
    }

    // ---- TrainJobs

    Optional<Tree> trainJob(String name) {
        Optional<Tree> found = ask(
                        "get",
                        "trainjobs",
                        () -> Optional.ofNullable(trainJobs().withName(name).get()))
                .map(Cluster::tree);
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
        return pages("trainjobs", trainJobs()).stream().map(Cluster::tree).toList();
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
     * returns its uid. Only if the cluster does not know a field it is asked which it has: that answer is large.
     */
    String createTrainJob(Map<String, Object> newest) {
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

    private String create(Map<String, Object> resource) {
        GenericKubernetesResource trainJob =
                Serialization.unmarshal(Serialization.asJson(resource), GenericKubernetesResource.class);
        Resource<GenericKubernetesResource> place = trainJobs().resource(mark(trainJob));
        return createOnce("trainjobs", trainJob, place.fieldValidation(Validation.STRICT)::create, place::get)
                .getMetadata()
                .getUid();
    }

    /**
     * Creates what an earlier attempt, whose answer was lost on the way, may have created: an answer that comes too late, or never,
     * is asked for again, and then there is one of that name already.
     */
    private <T extends HasMetadata> T createOnce(String what, T wanted, Supplier<T> create, Supplier<T> get) {
        return ask("create", what, () -> {
            try {
                return create.get();
            } catch (KubernetesClientException e) {
                T there = e.getCode() == HttpURLConnection.HTTP_CONFLICT ? get.get() : null;
                if (there == null || !attempt(there).equals(attempt(wanted))) {
                    throw e;
                }
                return there;
            }
        });
    }

    private static <T extends HasMetadata> T mark(T resource) {
        ObjectMeta metadata = resource.getMetadata();
        resource.setMetadata(new ObjectMetaBuilder(metadata)
                .addToAnnotations(Names.ATTEMPT, UUID.randomUUID().toString())
                .build());
        return resource;
    }

    private static Optional<String> attempt(HasMetadata resource) {
        return Optional.ofNullable(resource.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(Names.ATTEMPT));
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

    void createSecret(String job, Map<String, io.github.trainer4j.api.Secret> values) {
        Map<String, String> revealed = new LinkedHashMap<>();
        values.forEach((key, secret) -> revealed.put(key, secret.reveal()));
        Secret secret = mark(new SecretBuilder()
                .withMetadata(companion(job))
                .withStringData(revealed)
                .build());
        var place = client.secrets().inNamespace(namespace).resource(secret);
        createOnce("secrets", secret, place::create, place::get);
    }

    void createConfigMap(String job, Map<String, String> files) {
        ConfigMap map = mark(new ConfigMapBuilder()
                .withMetadata(companion(job))
                .withData(files)
                .build());
        var place = client.configMaps().inNamespace(namespace).resource(map);
        createOnce("configmaps", map, place::create, place::get);
    }

    /** Gives a job's Secret to its TrainJob, so that it goes when that goes. */
    void adoptSecret(String job, String uid) {
        adopt("secrets", client.secrets().inNamespace(namespace).withName(Names.companion(job)), job, uid);
    }

    /** Gives a job's ConfigMap to its TrainJob. */
    void adoptConfigMap(String job, String uid) {
        adopt("configmaps", client.configMaps().inNamespace(namespace).withName(Names.companion(job)), job, uid);
    }

    /** To do this twice, because an answer was lost, is to do it once. */
    private void adopt(String what, Resource<?> companion, String job, String uid) {
        String patch = Serialization.asJson(Map.of("metadata", Map.of("ownerReferences", List.of(owner(job, uid)))));
        ask("patch", what, () -> companion.patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    /** Creates the volume claim of a TrainJob, which goes when that goes. */
    void createClaim(String job, String uid, Map<String, Object> spec) {
        PersistentVolumeClaim claim = new PersistentVolumeClaimBuilder()
                .withMetadata(companion(job))
                .editMetadata()
                .addToOwnerReferences(owner(job, uid))
                .endMetadata()
                .withSpec(Serialization.unmarshal(Serialization.asJson(spec), PersistentVolumeClaimSpec.class))
                .build();
        ask(
                "create",
                "persistentvolumeclaims",
                () -> client.persistentVolumeClaims()
                        .inNamespace(namespace)
                        .resource(claim)
                        .create());
    }

    private static ObjectMeta companion(String job) {
        return new ObjectMetaBuilder()
                .withName(Names.companion(job))
                .addToLabels(Names.JOB_LABEL, job)
                .build();
    }

    private static OwnerReference owner(String job, String uid) {
        return new OwnerReferenceBuilder()
                .withApiVersion(Names.API_VERSION)
                .withKind(Names.TRAIN_JOB)
                .withName(job)
                .withUid(uid)
                .build();
    }

    /** Deletes what was made for a job beside its TrainJob. */
    void deleteCompanions(String job) {
        ask(
                "delete",
                "secrets",
                () -> client.secrets()
                        .inNamespace(namespace)
                        .withName(Names.companion(job))
                        .delete());
        ask(
                "delete",
                "configmaps",
                () -> client.configMaps()
                        .inNamespace(namespace)
                        .withName(Names.companion(job))
                        .delete());
    }

    // ---- runtimes

    /** Returns a runtime; one of the namespace comes before one of the cluster. */
    Optional<ClusterRuntime> runtime(String name) {
        Optional<Tree> namespaced = ask(
                        "get",
                        "trainingruntimes",
                        () -> Optional.ofNullable(client.genericKubernetesResources(RUNTIMES)
                                .inNamespace(namespace)
                                .withName(name)
                                .get()))
                .map(Cluster::tree);
        if (namespaced.isPresent()) {
            return namespaced.map(resource -> ClusterRuntime.read(resource, Scope.NAMESPACE, source()));
        }
        return ask(
                        "get",
                        "clustertrainingruntimes",
                        () -> ifAllowed(
                                () -> Optional.ofNullable(client.genericKubernetesResources(CLUSTER_RUNTIMES)
                                        .withName(name)
                                        .get()),
                                Optional.<GenericKubernetesResource>empty()))
                .map(resource -> ClusterRuntime.read(tree(resource), Scope.CLUSTER, source()));
    }

    /** Returns all runtimes by name; one of the namespace hides one of the cluster. */
    Map<String, ClusterRuntime> runtimes() {
        Map<String, ClusterRuntime> all = new LinkedHashMap<>();
        pages("trainingruntimes", client.genericKubernetesResources(RUNTIMES).inNamespace(namespace))
                .forEach(resource -> read(all, resource, Scope.NAMESPACE));
        ask(
                        "list",
                        "clustertrainingruntimes",
                        () -> ifAllowed(
                                () -> fetch(client.genericKubernetesResources(CLUSTER_RUNTIMES)),
                                List.<GenericKubernetesResource>of()))
                .forEach(resource -> read(all, resource, Scope.CLUSTER));
        return all;
    }

    /** Many may see nothing outside their namespace; they do with what is in it, and are told so once. */
    private <T> T ifAllowed(Supplier<T> question, T otherwise) {
        try {
            return question.get();
        } catch (KubernetesClientException e) {
            if (!Refusal.isMissingRight(e)) {
                throw e;
            }
            if (complained.compareAndSet(false, true)) {
                LOG.warn(
                        "only the runtimes of namespace {} can be used, for you may not see those of the whole cluster at {};"
                                + " that needs a ClusterRole with get and list on clustertrainingruntimes",
                        namespace,
                        address());
            }
            return otherwise;
        }
    }

    private void read(Map<String, ClusterRuntime> all, GenericKubernetesResource resource, Scope scope) {
        all.putIfAbsent(resource.getMetadata().getName(), ClusterRuntime.read(tree(resource), scope, source()));
    }

    private String source() {
        return "cluster " + address();
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
        return ask("list", what, () -> fetch(listable));
    }

    private static <T extends HasMetadata, L extends KubernetesResourceList<T>> List<T> fetch(Listable<L> listable) {
        try {
            return fetch(listable, PAGE);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_GONE) {
                throw e;
            }
            // It took so long that the server has forgotten what the next page was to be.
            return fetch(listable, 0);
        }
    }

    private static <T extends HasMetadata, L extends KubernetesResourceList<T>> List<T> fetch(
            Listable<L> listable, long size) {
        List<T> all = new ArrayList<>();
        String next = null;
        do {
            L page = listable.list(new ListOptionsBuilder()
                    .withLimit(size == 0 ? null : size)
                    .withContinue(next)
                    .build());
            all.addAll(page.getItems());
            next = page.getMetadata() == null ? null : page.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
        return all;
    }

    private <T> T ask(String verb, String what, Supplier<T> question) {
        try {
            return question.get();
        } catch (KubernetesClientException e) {
            throw Refusal.of(e, verb, what, namespace, address());
        }
    }

    /** The most of it are maps and lists already. */
    private static Tree tree(GenericKubernetesResource resource) {
        Map<String, Object> all = new LinkedHashMap<>(resource.getAdditionalProperties());
        all.put("metadata", Serialization.unmarshal(Serialization.asJson(resource.getMetadata()), Map.class));
        return new Tree(all);
    }

    @Override
    public void close() {
        client.close();
    }
}
