package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.github.trainer4j.api.TrainingRuntime.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The training runtimes that jobs of a namespace can name. */
final class ClusterRuntimes {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterRuntimes.class);
    private static final ResourceDefinitionContext RUNTIMES = Api.kind("TrainingRuntime", "trainingruntimes", true);
    private static final ResourceDefinitionContext CLUSTER_RUNTIMES =
            Api.kind("ClusterTrainingRuntime", "clustertrainingruntimes", false);

    private final Api api;
    private final AtomicBoolean complained = new AtomicBoolean();

    ClusterRuntimes(Api api) {
        this.api = api;
    }

    /**
     * Returns a runtime of this scope; if that is open, one of the namespace comes before one of the cluster, and who may not
     * see the latter does without.
     */
    Optional<ClusterRuntime> find(String name, Optional<Scope> scope) {
        if (scope.equals(Optional.of(Scope.NAMESPACE))) {
            return ofNamespace(name);
        }
        if (scope.equals(Optional.of(Scope.CLUSTER))) {
            return ofCluster(() -> clusterResource(name));
        }
        // Both are asked for at once, which is half the way.
        CompletableFuture<Optional<GenericKubernetesResource>> everywhere =
                CompletableFuture.supplyAsync(() -> clusterResource(name));
        return ofNamespace(name)
                .or(() -> ofCluster(
                        () -> ifAllowed(() -> answer(everywhere), Optional.<GenericKubernetesResource>empty())));
    }

    private Optional<ClusterRuntime> ofNamespace(String name) {
        return api.ask(
                        "get",
                        "trainingruntimes",
                        () -> Optional.ofNullable(api.client()
                                .genericKubernetesResources(RUNTIMES)
                                .inNamespace(api.namespace())
                                .withName(name)
                                .get()))
                .map(resource -> ClusterRuntime.read(Api.tree(resource), Scope.NAMESPACE, source()));
    }

    private Optional<ClusterRuntime> ofCluster(Supplier<Optional<GenericKubernetesResource>> question) {
        return api.ask("get", "clustertrainingruntimes", question)
                .map(resource -> ClusterRuntime.read(Api.tree(resource), Scope.CLUSTER, source()));
    }

    private Optional<GenericKubernetesResource> clusterResource(String name) {
        return Optional.ofNullable(api.client()
                .genericKubernetesResources(CLUSTER_RUNTIMES)
                .withName(name)
                .get());
    }

    private static <T> T answer(CompletableFuture<T> question) {
        try {
            return question.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof KubernetesClientException refused ? refused : e;
        }
    }

    /** Returns all runtimes by name; one of the namespace hides one of the cluster. */
    Map<String, ClusterRuntime> all() {
        Map<String, ClusterRuntime> all = new LinkedHashMap<>();
        api.pages(
                        "trainingruntimes",
                        api.client().genericKubernetesResources(RUNTIMES).inNamespace(api.namespace()))
                .forEach(resource -> read(all, resource, Scope.NAMESPACE));
        api.ask(
                        "list",
                        "clustertrainingruntimes",
                        () -> ifAllowed(
                                () -> Api.fetch(api.client().genericKubernetesResources(CLUSTER_RUNTIMES)),
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
                        api.namespace(),
                        api.address());
            }
            return otherwise;
        }
    }

    private void read(Map<String, ClusterRuntime> all, GenericKubernetesResource resource, Scope scope) {
        all.putIfAbsent(resource.getMetadata().getName(), ClusterRuntime.read(Api.tree(resource), scope, source()));
    }

    private String source() {
        return "cluster " + api.address();
    }
}
