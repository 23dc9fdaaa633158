package io.github.trainer4j.container;

import io.github.trainer4j.api.state.Cause;
import java.util.Locale;
import java.util.OptionalInt;

/** Says of a container that could not be made or started what is wrong with it, and what to do. */
final class StartAdvice {
    private StartAdvice() {}

    /**
     * Returns the failure of the container's step.
     *
     * @param id the container's id, which people do not know; empty if it has none
     */
    static StepFailedException failure(String job, ContainerSpec spec, String id, EngineException e) {
        String said = String.valueOf(e.getMessage());
        return new StepFailedException(
                (id.isEmpty() ? said : said.replace(id, spec.name())) + "; " + advice(spec, said),
                job,
                spec.step(),
                Cause.START_FAILED,
                OptionalInt.empty(),
                e);
    }

    /** The words of engines differ, and nothing but this sentence depends on them. */
    private static String advice(ContainerSpec spec, String said) {
        String words = said.toLowerCase(Locale.ROOT);
        String program = spec.command().isEmpty() ? "" : "'" + spec.command().get(0) + "'";
        boolean runs = words.contains("exec: ");
        if (runs && (words.contains("not found") || words.contains("no such file or directory"))) {
            return program.isEmpty()
                    ? "the program that the image " + spec.image() + " starts is not in it: give a command of your own"
                            + " with a CommandTrainer, or choose another image"
                    : "the image " + spec.image() + " has no program " + program
                            + ": choose an image that has it, or give a program that the image has";
        }
        if (runs && words.contains("permission denied")) {
            return (program.isEmpty() ? "what the image " + spec.image() + " starts" : program)
                    + " may not be run there: give a file that is a program, or choose another user or image";
        }
        return "see that its image, program, volumes, devices and limits are what this engine has";
    }
}
