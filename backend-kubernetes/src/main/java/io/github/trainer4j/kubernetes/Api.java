package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The ways to ask an API server.
 *
 * @param client the connection
 * @param namespace where jobs are
 */
record Api(KubernetesClient client, String namespace) {
    private static final long PAGE = 500;

    static ResourceDefinitionContext kind(String kind, String plural, boolean namespaced) {
        return kind(Names.GROUP, Names.VERSION, kind, plural, namespaced);
    }

    static ResourceDefinitionContext kind(
            String group, String version, String kind, String plural, boolean namespaced) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(namespaced)
                .build();
    }

    /** Returns where the API server is, for people. */
    String address() {
        return client.getConfiguration().getMasterUrl();
    }

    /**
     * Creates what an earlier attempt, whose answer was lost on the way, may have created: an answer that comes too late, or never,
     * is asked for again, and then there is one of that name already.
     */
    <T extends HasMetadata> T createOnce(String what, T wanted, Supplier<T> create, Supplier<T> get) {
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

    /** Marks a resource as this attempt's. */
    static <T extends HasMetadata> T mark(T resource) {
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

    /** Returns all resources of a kind, read page by page. */
    <T extends HasMetadata, L extends KubernetesResourceList<T>> List<T> pages(String what, Listable<L> listable) {
        return ask("list", what, () -> fetch(listable));
    }

    /** As {@link #pages}, but throws the client's own errors. */
    static <T extends HasMetadata, L extends KubernetesResourceList<T>> List<T> fetch(Listable<L> listable) {
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

    /** Asks, and tells errors in the words for users. */
    <T> T ask(String verb, String what, Supplier<T> question) {
        try {
            return question.get();
        } catch (KubernetesClientException e) {
            throw Refusal.of(e, verb, what, namespace, address());
        }
    }

    /** The most of it are maps and lists already. */
    static Tree tree(GenericKubernetesResource resource) {
        Map<String, Object> all = new LinkedHashMap<>(resource.getAdditionalProperties());
        all.put("metadata", Serialization.unmarshal(Serialization.asJson(resource.getMetadata()), Map.class));
        return new Tree(all);
    }
}
