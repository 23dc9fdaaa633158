package io.github.trainer4j.testkit;

/**
 * What a backend may lack without breaking the contract. For a feature that a request asks for, the contract then expects
 * that the request is refused: nothing given is ever silently ignored.
 */
public enum Feature {
    /** Fetches datasets and models before the nodes start. */
    INITIALIZERS,
    /** Ends an initializer that takes longer than its timeout. */
    INITIALIZER_TIMEOUT,
    /** Starts a failed initializer again. */
    INITIALIZER_RETRIES,
    /** Tells the listener how far initializers are. Nothing to refuse: a backend without it never calls. */
    INITIALIZER_PROGRESS,
    /** Runs more than one node. */
    SEVERAL_NODES,
    /** Has a Python interpreter on its nodes, so that scripts run. Nothing to refuse: an image may have one or not. */
    PYTHON,
    /** Has a JVM on its nodes and brings a class path of this machine there. Nothing to refuse: an image may have one or not. */
    JAVA,
    /** Ends a job at its deadline. */
    DEADLINE,
    /** Keeps the logs of failed steps until the job is deleted. Nothing to refuse: a cluster may delete failed pods. */
    LOGS_OF_FAILED_STEPS,
    /** Knows when a line was written, and so can answer {@code since}. */
    LOG_TIMES,
    /** Finds processes that have left the process that started them. Nothing to refuse: they go on then. */
    ORPHANS,
    /** Calls back when something about a job may have changed. Nothing to refuse: a backend without it never calls. */
    WATCH,
    /** Reads back what nodes write into their progress file. Nothing to refuse: a cluster may have a server for it. */
    PROGRESS_FILE
}
