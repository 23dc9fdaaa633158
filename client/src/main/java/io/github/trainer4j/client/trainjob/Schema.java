package io.github.trainer4j.client.trainjob;

import java.util.List;
import java.util.Set;

/** The words of the TrainJob resource. */
final class Schema {
    static final String GROUP = "trainer.kubeflow.org";
    static final String VERSION = GROUP + "/v1alpha1";
    static final String KIND = "TrainJob";
    static final List<String> RUNTIME_KINDS = List.of("TrainingRuntime", "ClusterTrainingRuntime");
    /** The manager of patches that come from a client. */
    static final String MANAGER = GROUP + "/kubeflow-sdk";

    static final String CONTROLLER = GROUP + "/trainjob-controller";
    /** What kubectl keeps for itself. */
    static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    /** What the cluster itself writes into a resource, and takes no notice of when it comes back. */
    static final Set<String> METADATA_OF_CLUSTER =
            Set.of("creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid");
    /** Fields of metadata that only a cluster has a use for. */
    static final Set<String> METADATA_FOR_CLUSTER = Set.of("namespace", "finalizers", "ownerReferences");

    static final Set<String> VALUE_SOURCES =
            Set.of("secretKeyRef", "configMapKeyRef", "fieldRef", "resourceFieldRef", "fileKeyRef");

    private static final List<String> SECRET_PARTS = List.of("TOKEN", "SECRET", "PASSWORD");

    private Schema() {}

    /** Returns whether an initializer's variable has a value that must not be seen. */
    static boolean isSecret(String variable) {
        return variable.equals("ACCESS_KEY_ID") || SECRET_PARTS.stream().anyMatch(variable::contains);
    }
}
