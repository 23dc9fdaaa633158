package io.github.trainer4j.container;

import io.github.trainer4j.api.Secret;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A container that is to be.
 *
 * @param name its name
 * @param step the step it runs
 * @param image its image
 * @param command the program and its arguments; empty: the image's own
 * @param env the variables to add
 * @param secretEnv the variables whose values are secrets
 * @param labels its labels
 * @param mounts what it sees of the engine's machine
 * @param workingDirectory where its program starts
 * @param limits what it may use
 * @param surroundings what it is given as all containers are; environment, labels and volumes of these are in the parts
 *     above already
 */
record ContainerSpec(
        String name,
        String step,
        String image,
        List<String> command,
        Map<String, String> env,
        Map<String, Secret> secretEnv,
        Map<String, String> labels,
        List<Mount> mounts,
        String workingDirectory,
        Limits limits,
        Surroundings surroundings) {
    ContainerSpec {
        command = List.copyOf(command);
        env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
        secretEnv = Collections.unmodifiableMap(new LinkedHashMap<>(secretEnv));
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        mounts = List.copyOf(mounts);
    }

    /** Returns the environment as the engine is given it, secrets among it. */
    List<String> wireEnvironment() {
        List<String> wire = new ArrayList<>();
        env.forEach((key, value) -> wire.add(key + "=" + value));
        secretEnv.forEach((key, value) -> wire.add(key + "=" + value.reveal()));
        return wire;
    }

    /** Returns the specification with what all containers are given; its own variables and labels win. */
    ContainerSpec within(Surroundings around) {
        Map<String, String> variables = new LinkedHashMap<>(around.env());
        variables.keySet().removeAll(secretEnv.keySet());
        variables.putAll(env);
        Map<String, Secret> secrets = new LinkedHashMap<>(around.secretEnv());
        secrets.keySet().removeAll(env.keySet());
        secrets.putAll(secretEnv);
        Map<String, String> marks = new LinkedHashMap<>(around.labels());
        marks.putAll(labels);
        List<Mount> all = new ArrayList<>(mounts);
        all.addAll(around.volumes());
        return new ContainerSpec(
                name, step, image, command, variables, secrets, marks, all, workingDirectory, limits, around);
    }
}
