package io.github.trainer4j.api;

/** Where a job, or one of its steps, stands. The texts are Kubeflow's. */
public enum JobStatus {
    /** Recorded; its nodes do not run yet: initializers may be running, or pods may be waiting. */
    CREATED("Created"),
    /** Known to run. */
    RUNNING("Running"),
    /** Over, every node known to have exited with 0. Final. */
    COMPLETE("Complete"),
    /** Over, and not well. Final. */
    FAILED("Failed"),
    /** Contact to where it runs was lost, so nobody can say. Not final, and never taken for success. */
    UNKNOWN("Unknown");

    private final String text;

    JobStatus(String text) {
        this.text = text;
    }

    /** Returns Kubeflow's word for it, such as {@code Complete}. */
    public String text() {
        return text;
    }

    /** Returns whether it is final: a job in it never changes any more. */
    public boolean isFinal() {
        return this == COMPLETE || this == FAILED;
    }

    /** Returns the text, for people. */
    @Override
    public String toString() {
        return text;
    }
}
