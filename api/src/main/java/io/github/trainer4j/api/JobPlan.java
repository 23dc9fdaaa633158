package io.github.trainer4j.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a backend would do for a request; the result of a dry run. Its text form is for people and has no secret in it.
 *
 * @param backend the backend's name
 * @param job the job's name
 * @param runtime the runtime's name and where it was found
 * @param steps what would run, in order
 * @param manifest the resource that would be created, where the backend creates one
 */
public record JobPlan(String backend, String job, String runtime, List<PlannedStep> steps, Optional<String> manifest) {

    /**
     * One process or container of a plan.
     *
     * @param name the step's name
     * @param command the program and its arguments; empty: the image's own
     * @param image the image, with where it was chosen
     * @param env the environment that is added, secrets left out
     * @param secretEnv the names of the variables whose values are secrets
     * @param files the files that are placed for it, relative to the workspace
     * @param notes what else is worth knowing, such as limits that cannot be enforced
     */
    public record PlannedStep(
            String name,
            List<String> command,
            Optional<String> image,
            Map<String, String> env,
            Set<String> secretEnv,
            List<String> files,
            List<String> notes) {
        /** Copies everything. */
        public PlannedStep {
            Check.text(name, "the step's name");
            command = Check.list(command, "command");
            Check.present(image, "image");
            env = Check.map(env, "env", (key, value) -> {});
            secretEnv = Collections.unmodifiableSet(new LinkedHashSet<>(
                    Check.list(new ArrayList<>(Check.present(secretEnv, "secretEnv")), "secretEnv")));
            files = Check.list(files, "files");
            notes = Check.list(notes, "notes");
        }
    }

    /** Copies everything. */
    public JobPlan {
        Check.text(backend, "the backend's name");
        Check.text(job, "the job's name");
        Check.text(runtime, "the runtime");
        steps = Check.list(steps, "steps");
        Check.present(manifest, "manifest");
    }

    /** Returns the plan as lines for people. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("job " + job + " on backend " + backend + ", runtime " + runtime + "\n");
        for (PlannedStep step : steps) {
            text.append(step.name()).append('\n');
            step.image()
                    .ifPresent(image -> text.append("  image:   ").append(image).append('\n'));
            text.append("  command: ").append(step.command().isEmpty() ? "(the image's own)" : step.command());
            text.append('\n');
            step.env()
                    .forEach((name, value) -> text.append("  env:     ")
                            .append(name)
                            .append('=')
                            .append(value)
                            .append('\n'));
            step.secretEnv().stream()
                    .sorted()
                    .forEach(name -> text.append("  secret:  ").append(name).append('\n'));
            step.files().forEach(file -> text.append("  file:    ").append(file).append('\n'));
            step.notes().forEach(note -> text.append("  note:    ").append(note).append('\n'));
        }
        manifest.ifPresent(yaml -> text.append(yaml).append('\n'));
        return text.toString();
    }
}
