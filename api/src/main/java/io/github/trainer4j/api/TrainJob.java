package io.github.trainer4j.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as it was read: an immutable picture of one moment.
 *
 * @param name the job's name
 * @param status where it stands
 * @param runtime the name of its runtime; empty: its backend no longer knows
 * @param steps its initializers and nodes, in that order
 * @param numNodes the number of nodes
 * @param creationTime when it was created
 * @param labels its labels
 * @param annotations its annotations
 * @param workspace where its workspace (with {@code dataset} and {@code model}) lies on this machine, if it does
 * @param failure why it failed, if it did
 * @param progress what the training code reported last, if it did
 */
public record TrainJob(
        String name,
        JobStatus status,
        Optional<String> runtime,
        List<Step> steps,
        int numNodes,
        Instant creationTime,
        Map<String, String> labels,
        Map<String, String> annotations,
        Optional<java.nio.file.Path> workspace,
        Optional<Failure> failure,
        Optional<TrainingProgress> progress) {

    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if a part is null
     */
    public TrainJob {
        Check.text(name, "the job's name");
        Check.present(status, "the job's status");
        Check.present(runtime, "the job's runtime");
        steps = Check.list(steps, "the job's steps");
        Check.atLeast(numNodes, 0, "the job's numNodes");
        Check.present(creationTime, "the job's creation time");
        labels = Check.map(labels, "the job's labels", (key, value) -> {});
        annotations = Check.map(annotations, "the job's annotations", (key, value) -> {});
        Check.present(workspace, "the job's workspace");
        Check.present(failure, "the job's failure");
        Check.present(progress, "the job's progress");
    }

    /** Returns the step of this name, if the job has it. */
    public Optional<Step> step(String name) {
        return steps.stream().filter(step -> step.name().equals(name)).findFirst();
    }
}
