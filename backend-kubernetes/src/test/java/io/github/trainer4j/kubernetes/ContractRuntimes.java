package io.github.trainer4j.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.RuntimeRef;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The runtimes that jobs of the contract need, in the namespace of the tests, each made when it is first asked for; all of
 * them are gone when this is closed. A runtime runs all of its initializers for every job, so there is one for each choice.
 */
final class ContractRuntimes implements Closeable {
    private static final String IMAGE = "trainer4j-test/torch:1";

    private final KubernetesClient client;
    private final String namespace;
    /** Several may test on one cluster. */
    private final String prefix = JobName.generate() + "-";

    private final Map<String, HasMetadata> made = new LinkedHashMap<>();

    ContractRuntimes() {
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(
                        Path.of(System.getenv("TRAINER4J_TEST_KUBECONFIG")).toFile()))
                .build();
        namespace = System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE");
    }

    private static ResourceDefinitionContext resource(String kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(Names.GROUP)
                .withVersion(Names.VERSION)
                .withKind(kind)
                .withPlural(kind.toLowerCase(Locale.ROOT) + "s")
                .withNamespaced(!kind.startsWith("Cluster"))
                .build();
    }

    /** Returns the runtime for a framework and for what a job fetches. */
    synchronized RuntimeRef of(String framework, Set<InitializerTarget> targets) {
        StringBuilder name = new StringBuilder(prefix + framework);
        targets.stream().sorted().forEach(target -> name.append('-').append(target.directory()));
        made.computeIfAbsent(name.toString(), key -> create(key, framework, targets));
        return RuntimeRef.named(name.toString());
    }

    /** From the cluster's runtime with both initializers, without what the job does not fetch. */
    private HasMetadata create(String name, String framework, Set<InitializerTarget> targets) {
        ObjectNode runtime = client.getKubernetesSerialization()
                .convertValue(
                        client.genericKubernetesResources(resource("ClusterTrainingRuntime"))
                                .withName("trainer4j-initializers")
                                .require(),
                        ObjectNode.class);
        runtime.put("kind", "TrainingRuntime");
        ObjectNode metadata = runtime.putObject("metadata");
        metadata.put("name", name).put("namespace", namespace);
        metadata.putObject("labels").put(Names.FRAMEWORK_LABEL, framework);
        if (!framework.equals("plain")) {
            ((ObjectNode) runtime.at("/spec/mlPolicy")).putObject(framework);
        }
        List<String> unwanted = Stream.of(InitializerTarget.values())
                .filter(target -> !targets.contains(target))
                .map(InitializerTarget::step)
                .toList();
        ArrayNode jobs = (ArrayNode) runtime.at("/spec/template/spec/replicatedJobs");
        removeNamed(jobs, unwanted);
        for (JsonNode job : jobs) {
            if (job.path("name").asText().equals(Names.NODE)) {
                removeNamed((ArrayNode) job.path("dependsOn"), unwanted);
                ObjectNode pod = (ObjectNode) job.at("/template/spec/template/spec");
                ((ObjectNode) pod.at("/containers/0")).put("image", IMAGE);
                if (targets.isEmpty()) {
                    // Nodes without a common volume, each with room of its own.
                    ((ObjectNode) pod.at("/containers/0")).remove("volumeMounts");
                    pod.remove("volumes");
                }
            }
        }
        return client.resource(
                        client.getKubernetesSerialization().convertValue(runtime, GenericKubernetesResource.class))
                .inNamespace(namespace)
                .serverSideApply();
    }

    private static void removeNamed(ArrayNode list, List<String> names) {
        for (Iterator<JsonNode> each = list.iterator(); each.hasNext(); ) {
            if (names.contains(each.next().path("name").asText())) {
                each.remove();
            }
        }
    }

    /** Returns what the cluster has of a job. */
    List<String> traces(String job) {
        List<String> traces = new ArrayList<>();
        Stream.of(
                        client.genericKubernetesResources(resource(Names.TRAIN_JOB))
                                .inNamespace(namespace)
                                .list(),
                        client.genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
                                .inNamespace(namespace)
                                .list(),
                        client.pods().inNamespace(namespace).list(),
                        client.batch().v1().jobs().inNamespace(namespace).list(),
                        client.secrets().inNamespace(namespace).list(),
                        client.configMaps().inNamespace(namespace).list())
                .flatMap(list -> list.getItems().stream())
                .map(HasMetadata.class::cast)
                .filter(item -> item.getMetadata().getName().equals(job)
                        || item.getMetadata().getName().startsWith(job + "-"))
                .forEach(item ->
                        traces.add(item.getKind() + " " + item.getMetadata().getName()));
        return traces;
    }

    @Override
    public void close() {
        for (HasMetadata runtime : made.values()) {
            client.resource(runtime).delete();
        }
        client.close();
    }
}
