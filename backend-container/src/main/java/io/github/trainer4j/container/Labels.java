package io.github.trainer4j.container;

/**
 * The labels on what belongs to a job. Those under {@code trainer.kubeflow.org/} are Kubeflow's Python SDK's, which so reads
 * jobs of ours as we read its; the others are ours alone.
 */
final class Labels {
    private static final String KUBEFLOW = "trainer.kubeflow.org/";
    private static final String OWN = "io.github.trainer4j.";

    /** The job's name; on everything. */
    static final String JOB = KUBEFLOW + "trainjob-name";
    /** The step; on containers. */
    static final String STEP = KUBEFLOW + "step";
    /** The name of the job's network; on containers. */
    static final String NETWORK = KUBEFLOW + "network-id";
    /** The name of the runtime; on the network. */
    static final String RUNTIME = KUBEFLOW + "runtime-name";
    /** The work directory on the machine of the client; on the network. */
    static final String WORK_DIRECTORY = KUBEFLOW + "workdir";

    /** What no two jobs share, not even two of one name; on everything. */
    static final String UID = OWN + "uid";
    /** What is written down about the job, as JSON; on the network. */
    static final String RECORD = OWN + "record";

    private Labels() {}

    /** Whether a label is one of these, or may become one. */
    static boolean isReserved(String label) {
        return label.startsWith(KUBEFLOW) || label.startsWith(OWN);
    }
}
