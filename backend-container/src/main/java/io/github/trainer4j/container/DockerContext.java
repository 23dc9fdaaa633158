package io.github.trainer4j.container;

import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Docker's contexts: engines with a name, one of which the user has made the current one. Read as Docker's own client does. */
final class DockerContext {
    private final Path directory;
    private final String name;
    private final String source;

    private DockerContext(Path directory, String name, String source) {
        this.directory = directory;
        this.name = name;
        this.source = source;
    }

    /** Returns the directory in which Docker's client keeps its configuration. */
    static Path configDirectory(Map<String, String> environment, Path home) {
        String configured = environment.getOrDefault("DOCKER_CONFIG", "");
        return configured.isBlank() ? home.resolve(".docker") : Path.of(configured);
    }

    /** Returns the context that was chosen, unless it is the default one, which is no context. */
    static Optional<DockerContext> current(Map<String, String> environment, Path home) {
        Path directory = configDirectory(environment, home);
        String named = environment.getOrDefault("DOCKER_CONTEXT", "");
        if (!named.isBlank()) {
            return of(directory, named, "environment variable DOCKER_CONTEXT");
        }
        Path file = directory.resolve("config.json");
        try {
            if (Json.parseObject(Files.readString(file)).get("currentContext") instanceof String text
                    && !text.isBlank()) {
                return of(directory, text, "current one in " + file);
            }
            return Optional.empty();
        } catch (IOException | Json.MalformedJsonException e) {
            // What cannot be read chooses nothing; most machines have no such file.
            return Optional.empty();
        }
    }

    private static Optional<DockerContext> of(Path directory, String name, String source) {
        return name.equals("default") ? Optional.empty() : Optional.of(new DockerContext(directory, name, source));
    }

    /** Returns the context's engine. */
    EngineCandidate candidate() {
        String where = "docker context '" + name + "', " + source;
        String id = id(name);
        Path file = directory.resolve("contexts/meta").resolve(id).resolve("meta.json");
        Map<?, ?> endpoint;
        try {
            endpoint = Json.parseObject(Files.readString(file)).get("Endpoints") instanceof Map<?, ?> endpoints
                            && endpoints.get("docker") instanceof Map<?, ?> docker
                    ? docker
                    : Map.of();
        } catch (NoSuchFileException e) {
            return new EngineCandidate.Unusable(
                    where,
                    "there is no such context (no file " + file
                            + "); choose one of 'docker context ls' with 'docker context use NAME'");
        } catch (IOException | Json.MalformedJsonException e) {
            return new EngineCandidate.Unusable(where, "its file " + file + " cannot be read: " + e.getMessage());
        }
        Path certificates = directory.resolve("contexts/tls").resolve(id).resolve("docker");
        boolean tls = Files.isDirectory(certificates);
        String host = endpoint.get("Host") instanceof String text ? text : "";
        if (Boolean.TRUE.equals(endpoint.get("SkipTLSVerify")) && host.startsWith("tcp:")) {
            return new EngineCandidate.Unusable(
                    where,
                    "it does not verify the engine's certificate, which is not supported; give it the engine's ca.pem:"
                            + " 'docker context update " + name + " --docker host=" + host
                            + ",ca=FILE,cert=FILE,key=FILE'");
        }
        try {
            EngineAddress address = new EngineAddress(
                    EngineUri.parse(host, tls),
                    tls && host.startsWith("tcp:") ? Optional.of(certificates) : Optional.empty(),
                    where);
            return new EngineCandidate.Listed(address, true);
        } catch (IllegalArgumentException e) {
            return new EngineCandidate.Unusable(where, String.valueOf(e.getMessage()));
        }
    }

    private static String id(String name) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
