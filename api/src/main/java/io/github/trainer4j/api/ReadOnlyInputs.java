package io.github.trainer4j.api;

/** Lets the nodes of a job on a cluster read what its initializers fetched, and not change it. */
public record ReadOnlyInputs() implements JobOption {
    @Override
    public String optionName() {
        return "readOnlyInputs";
    }
}
