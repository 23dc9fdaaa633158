package io.github.trainer4j.container;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the files of one job lie. The state lies apart from the workspace, which the job's containers see and may write.
 *
 * @param state the directory with the state, which has the job's name
 * @param workspace the directory that the containers see as their workspace
 */
record JobDirectory(Path state, Path workspace) {
    String name() {
        return state.getFileName().toString();
    }

    /** What was asked for; written once, before the job exists. */
    Path record() {
        return state.resolve("job.json");
    }

    /** Says that the workspace was made: when it is gone all the same, somebody has removed the job. */
    Path workspaceMade() {
        return state.resolve("workspace-made");
    }

    Path steps() {
        return state.resolve("steps");
    }

    /** What is known of a step that the engine does not tell, or no longer. */
    Path step(String step) {
        return steps().resolve(step + ".json");
    }

    /** Why the job is being ended as failed; written once, before anything is stopped. */
    Path cause() {
        return state.resolve("cause.json");
    }

    /** How the job ended; written once, when nothing of it runs any more. */
    Path outcome() {
        return state.resolve("final.json");
    }

    /** Says that the launching process has nothing more to do for the job. */
    Path launched() {
        return state.resolve("launched");
    }

    /** Says that the job is being deleted: whoever makes something for it has to remove it again. */
    Path deleting() {
        return state.resolve("deleting");
    }

    /** Says that what the job left in a volume has been copied to this machine, or that this is given up. */
    Path results() {
        return state.resolve("results");
    }

    /** Whether a job is being deleted, or is deleted already, so that a later one of the same name may lie in its place. */
    boolean isDeleted(JobRecord job) {
        return Files.exists(deleting())
                || !Sightings.record(this).map(JobRecord::uid).equals(Optional.of(job.uid()));
    }

    /** What happened, one event a line. */
    Path events() {
        return state.resolve("events");
    }

    Path logs() {
        return state.resolve("logs");
    }

    /** The log of a step whose container may be gone: a time, a blank and the text in each line. */
    Path log(String step) {
        return logs().resolve(step + ".log");
    }

    /** Which container of a step is in the step's log, or is being added to it. */
    Path collected(String step) {
        return logs().resolve(step + ".collected");
    }
}
