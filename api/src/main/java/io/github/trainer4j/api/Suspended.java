package io.github.trainer4j.api;

/**
 * Has a cluster record the job and start nothing of it, until somebody sets the TrainJob's {@code spec.suspend} to
 * false: a queueing system, or a person.
 */
public record Suspended() implements JobOption {
    @Override
    public String optionName() {
        return "suspend";
    }
}
