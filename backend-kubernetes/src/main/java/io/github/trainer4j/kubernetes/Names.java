package io.github.trainer4j.kubernetes;

/**
 * The names that clusters with Kubeflow Trainer use. (Sources: the Go module {@code github.com/kubeflow/trainer/v2},
 * packages {@code pkg/apis/trainer/v1alpha1} and {@code pkg/constants}; {@code sigs.k8s.io/jobset/api}; the Kubernetes API
 * reference.)
 */
final class Names {
    static final String GROUP = "trainer.kubeflow.org";
    static final String VERSION = "v1alpha1";
    static final String API_VERSION = GROUP + "/" + VERSION;
    static final String TRAIN_JOB = "TrainJob";

    /** The group of resources by which Trainer runs its jobs. */
    static final String JOBSET_GROUP = "jobset.x-k8s.io";

    /** Who our part of a TrainJob's patches belongs to: the same as the Python SDK's. */
    static final String MANAGER = GROUP + "/kubeflow-sdk";

    static final String FRAMEWORK_LABEL = GROUP + "/framework";
    static final String ANCESTOR_LABEL = GROUP + "/trainjob-ancestor-step";
    static final String TRAINER_ANCESTOR = "trainer";

    /** Marks what we made beside a TrainJob, with the TrainJob's name. */
    static final String JOB_LABEL = GROUP + "/trainjob-name";

    static final String JOBSET_LABEL = "jobset.sigs.k8s.io/jobset-name";
    static final String REPLICATED_JOB_LABEL = "jobset.sigs.k8s.io/replicatedjob-name";
    static final String INDEX_LABEL = "batch.kubernetes.io/job-completion-index";

    /** Tells what one call has created from what others have, should the answer be lost. */
    static final String ATTEMPT = "trainer4j.github.io/attempt";

    static final String NODE = "node";
    static final String LAUNCHER = "launcher";

    private Names() {}

    /** Returns the name of what holds a job's secrets, or its files. */
    static String companion(String job) {
        return job + "-trainer4j";
    }

    static String nodeStep(int index) {
        return NODE + "-" + index;
    }

    /** Returns the key in a job's secret for a variable of a step. */
    static String secretKey(String step, String variable) {
        return step + "." + variable;
    }
}
