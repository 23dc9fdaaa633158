package io.github.trainer4j.local;

import java.nio.file.Path;

/**
 * Where everything of one job lies. Logs lie apart from the state, so that a chatty node does not wake those who watch
 * the state.
 *
 * @param root the job's directory, which has its name
 */
record JobDirectory(Path root) {
    String name() {
        return root.getFileName().toString();
    }

    /** What was asked for; written once, before the job exists. */
    Path record() {
        return root.resolve("job.json");
    }

    /** The script that runs a node. */
    Path script() {
        return root.resolve("run.sh");
    }

    Path state() {
        return root.resolve("state");
    }

    /** Where a step stands that the launching JVM runs itself. */
    Path step(String step) {
        return state().resolve(step + ".json");
    }

    /** Which process runs a step; written by the script before the step's program runs. */
    Path process(String step) {
        return state().resolve(step + ".process");
    }

    /** How a step's process ended; written by the script, into a place that is there before, so that it needs no space. */
    Path exit(String step) {
        return state().resolve(step + ".exit");
    }

    /** What the script is told: the paths above without their endings. */
    Path scriptState(String step) {
        return state().resolve(step);
    }

    /** Why the job is being ended as failed; written once, before anything is stopped. */
    Path cause() {
        return state().resolve("cause.json");
    }

    /** How the job ended; written once, when nothing of it runs any more. */
    Path outcome() {
        return state().resolve("final.json");
    }

    /** Says that the deadline has passed; written by the script. */
    Path deadline() {
        return state().resolve("deadline");
    }

    /** Says that the launching JVM has nothing more to do for the job. */
    Path launched() {
        return state().resolve("launched");
    }

    Path logs() {
        return root.resolve("logs");
    }

    Path log(String step) {
        return logs().resolve(step + ".log");
    }

    /** How long a log was at what time. */
    Path times(String step) {
        return logs().resolve(step + ".times");
    }

    Path workspace() {
        return root.resolve("workspace");
    }

    Path pythonEnvironment() {
        return root.resolve("python");
    }
}
