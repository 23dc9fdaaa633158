package io.github.trainer4j.api;

/** What an initializer fetches, and so where it lands and what its step is called. */
public enum InitializerTarget {
    /** The training data. */
    DATASET("dataset"),
    /** The base model. */
    MODEL("model");

    private final String directory;

    InitializerTarget(String directory) {
        this.directory = directory;
    }

    /** Returns the name of the directory in the job's workspace: {@code dataset} or {@code model}. */
    public String directory() {
        return directory;
    }

    /** Returns the name of the step: {@code dataset-initializer} or {@code model-initializer}. */
    public String step() {
        return directory + "-initializer";
    }
}
