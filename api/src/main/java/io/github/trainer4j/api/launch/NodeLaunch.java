package io.github.trainer4j.api.launch;

import io.github.trainer4j.api.Secret;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one node is given.
 *
 * @param files files to place before it starts; the same for all nodes of a job
 * @param install a command that installs packages before the node's own; empty: none is needed
 * @param command the program and its arguments; empty: what the image does by itself
 * @param env the environment to add, the user's variables among them
 * @param secretEnv the variables whose values are secrets
 */
public record NodeLaunch(
        List<LaunchFile> files,
        List<String> install,
        List<String> command,
        Map<String, String> env,
        Map<String, Secret> secretEnv) {
    /** Copies everything. */
    public NodeLaunch {
        files = List.copyOf(files);
        install = List.copyOf(install);
        command = List.copyOf(command);
        env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
        secretEnv = Collections.unmodifiableMap(new LinkedHashMap<>(secretEnv));
    }
}
