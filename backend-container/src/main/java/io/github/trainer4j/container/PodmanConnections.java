package io.github.trainer4j.container;

import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Podman's connections: services with a name, one of which is the default. Newer versions keep them in
 * {@code podman-connections.json}, older ones in {@code containers.conf}.
 *
 * @param source the file, for people
 * @param byDefault the name of the default connection, blank if there is none
 * @param addresses the address of each connection
 */
record PodmanConnections(String source, String byDefault, Map<String, String> addresses) {
    private static final Pattern TABLE = Pattern.compile("\\[([^\\[\\]]+)]\\s*(#.*)?");
    private static final Pattern TEXT =
            Pattern.compile("([A-Za-z0-9_-]+)\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')\\s*(#.*)?");
    private static final String DESTINATIONS = "engine.service_destinations.";

    /** Returns the connection that is to be used, if there is one. */
    static Optional<EngineCandidate> current(Map<String, String> environment, Path home) {
        String named = environment.getOrDefault("CONTAINER_CONNECTION", "");
        boolean chosen = !named.isBlank();
        Map<String, PodmanConnections> found = new LinkedHashMap<>();
        for (PodmanConnections connections : read(environment, home)) {
            String name = chosen ? named : connections.byDefault;
            if (connections.addresses.containsKey(name)) {
                found.putIfAbsent(name, connections);
            }
        }
        if (found.isEmpty()) {
            return chosen
                    ? Optional.of(new EngineCandidate.Unusable(
                            "podman connection '" + named + "', environment variable CONTAINER_CONNECTION",
                            "there is no such connection; choose one of 'podman system connection list'"))
                    : Optional.empty();
        }
        Map.Entry<String, PodmanConnections> first = found.entrySet().iterator().next();
        return Optional.of(first.getValue().candidate(first.getKey(), chosen));
    }

    private EngineCandidate candidate(String name, boolean chosen) {
        String where = "podman connection '" + name + "', "
                + (chosen ? "environment variable CONTAINER_CONNECTION, " : "") + "in " + source;
        try {
            return new EngineCandidate.Listed(
                    new EngineAddress(
                            EngineUri.parse(addresses.getOrDefault(name, ""), false), Optional.empty(), where),
                    chosen);
        } catch (IllegalArgumentException e) {
            return new EngineCandidate.Unusable(where, String.valueOf(e.getMessage()));
        }
    }

    private static Iterable<PodmanConnections> read(Map<String, String> environment, Path home) {
        String configured = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path directory = (configured.isBlank() ? home.resolve(".config") : Path.of(configured)).resolve("containers");
        Path json = path(environment, "PODMAN_CONNECTIONS_CONF", directory.resolve("podman-connections.json"));
        Path conf = path(environment, "CONTAINERS_CONF", directory.resolve("containers.conf"));
        return java.util.List.of(ofJson(json), ofConf(conf));
    }

    private static Path path(Map<String, String> environment, String variable, Path fallback) {
        String text = environment.getOrDefault(variable, "");
        return text.isBlank() ? fallback : Path.of(text);
    }

    private static PodmanConnections ofJson(Path file) {
        Map<String, String> addresses = new LinkedHashMap<>();
        String byDefault = "";
        try {
            if (Json.parseObject(Files.readString(file)).get("Connection") instanceof Map<?, ?> connection) {
                byDefault = connection.get("Default") instanceof String text ? text : "";
                if (connection.get("Connections") instanceof Map<?, ?> all) {
                    all.forEach((name, entry) -> {
                        if (entry instanceof Map<?, ?> fields && fields.get("URI") instanceof String uri) {
                            addresses.put(String.valueOf(name), uri);
                        }
                    });
                }
            }
        } catch (IOException | Json.MalformedJsonException e) {
            // What cannot be read names nothing; most machines have no such file.
            return new PodmanConnections(file.toString(), "", Map.of());
        }
        return new PodmanConnections(file.toString(), byDefault, addresses);
    }

    /** Reads the few lines of the TOML file that matter: tables, and texts in them. */
    private static PodmanConnections ofConf(Path file) {
        Map<String, String> addresses = new LinkedHashMap<>();
        String byDefault = "";
        String table = "";
        try {
            for (String line : Files.readAllLines(file)) {
                Matcher header = TABLE.matcher(line.strip());
                Matcher text = TEXT.matcher(line.strip());
                if (header.matches()) {
                    table = header.group(1).strip().replace("\"", "");
                } else if (text.matches()) {
                    String value = text.group(2) == null ? String.valueOf(text.group(3)) : text.group(2);
                    if (table.equals("engine") && text.group(1).equals("active_service")) {
                        byDefault = value;
                    } else if (table.startsWith(DESTINATIONS) && text.group(1).equals("uri")) {
                        addresses.put(table.substring(DESTINATIONS.length()), value);
                    }
                }
            }
        } catch (IOException e) {
            // As above.
            return new PodmanConnections(file.toString(), "", Map.of());
        }
        return new PodmanConnections(file.toString(), byDefault, addresses);
    }
}
