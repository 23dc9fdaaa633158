package io.github.trainer4j.api.launch;

import io.github.trainer4j.api.Secret;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A command of pip with the addresses of its package indexes in the environment: an address may hold a password, and
 * arguments are there for all to see.
 *
 * @param command the command, without the addresses
 * @param secretEnv the variables that pip reads them from
 */
public record PipCommand(List<String> command, Map<String, Secret> secretEnv) {
    private static final String INDEX = "--index-url";
    private static final String FURTHER_INDEX = "--extra-index-url";

    /** Copies everything. */
    public PipCommand {
        command = List.copyOf(command);
        secretEnv = Collections.unmodifiableMap(new LinkedHashMap<>(secretEnv));
    }

    /**
     * Takes the addresses out of a command.
     *
     * @param install a command as {@link NodeLaunch#install()} has it
     */
    public static PipCommand of(List<String> install) {
        List<String> command = new ArrayList<>();
        List<String> further = new ArrayList<>();
        Map<String, Secret> secretEnv = new LinkedHashMap<>();
        for (int i = 0; i < install.size(); i++) {
            switch (install.get(i)) {
                case INDEX -> secretEnv.put("PIP_INDEX_URL", Secret.of(install.get(++i)));
                case FURTHER_INDEX -> further.add(install.get(++i));
                default -> command.add(install.get(i));
            }
        }
        if (!further.isEmpty()) {
            secretEnv.put("PIP_EXTRA_INDEX_URL", Secret.of(String.join(" ", further)));
        }
        return new PipCommand(command, secretEnv);
    }
}
