package io.github.trainer4j.container;

import io.github.trainer4j.api.ConfigurationException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows where an engine may listen: by setting, by environment, by what the products' own clients are told, by the places
 * where engines listen by default. It looks at no socket; whoever connects tries the addresses in turn.
 *
 * <p>The backend docker looks in Docker's places, podman in Podman's. Which product answers there is asked of it: a Podman
 * that stands in for Docker is as good.
 */
final class EngineLocator {
    private final Product product;
    private final EngineSettings settings;
    private final Map<String, String> environment;
    private final Path home;
    private final Optional<Integer> user;

    /**
     * Makes a locator.
     *
     * @param product whose engine is looked for
     * @param settings what is configured
     * @param environment the environment of this process
     * @param home the user's home directory
     * @param user the number of the user, where users have one
     */
    EngineLocator(
            Product product,
            EngineSettings settings,
            Map<String, String> environment,
            Path home,
            Optional<Integer> user) {
        this.product = product;
        this.settings = settings;
        this.environment = Map.copyOf(environment);
        this.home = home;
        this.user = user;
    }

    /** Returns the number of the user that this process runs as. */
    static Optional<Integer> thisUser() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer number
                    ? Optional.of(number)
                    : Optional.empty();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // Other systems have no directory named after the number either.
            return Optional.empty();
        }
    }

    /**
     * Returns what to try, in order. Where somebody said which engine to use it is the only one.
     *
     * @throws ConfigurationException if an address is malformed
     */
    List<EngineCandidate> candidates() {
        if (settings.host().isPresent()) {
            return List.of(chosen(settings.host().get(), "setting " + product.backend() + ".host"));
        }
        String variable = product.hostVariable();
        String said = environment.getOrDefault(variable, "");
        if (!said.isBlank()) {
            return List.of(chosen(said, "environment variable " + variable));
        }
        Optional<EngineCandidate> current = product == Product.DOCKER
                ? DockerContext.current(environment, home).map(DockerContext::candidate)
                : PodmanConnections.current(environment, home);
        // Docker's current context was chosen; Podman's default connection is often nobody's choice.
        if (current.isPresent()
                && (product == Product.DOCKER
                        || !variable("CONTAINER_CONNECTION").isBlank())) {
            return List.of(current.get());
        }
        Map<URI, EngineCandidate> found = new LinkedHashMap<>();
        Optional<EngineCandidate> unusable = Optional.empty();
        if (current.isPresent()) {
            if (current.get() instanceof EngineCandidate.Listed listed) {
                found.put(listed.address().uri(), listed);
            } else {
                unusable = current;
            }
        }
        sockets().forEach((path, source) -> {
            URI uri = EngineUri.ofSocket(path);
            found.putIfAbsent(uri, new EngineCandidate.Listed(new EngineAddress(uri, Optional.empty(), source), false));
        });
        List<EngineCandidate> all = new java.util.ArrayList<>(unusable.stream().toList());
        all.addAll(found.values());
        return all;
    }

    private Map<Path, String> sockets() {
        Map<Path, String> sockets = new LinkedHashMap<>();
        String runtime = variable("XDG_RUNTIME_DIR");
        if (!runtime.isBlank()) {
            sockets.put(Path.of(runtime).resolve(product.rootlessSocket()), "rootless, in XDG_RUNTIME_DIR");
        }
        user.ifPresent(number -> sockets.putIfAbsent(
                Path.of("/run/user/" + number).resolve(product.rootlessSocket()), "rootless, of this user"));
        if (product == Product.DOCKER) {
            String colima = variable("COLIMA_HOME");
            if (!colima.isBlank()) {
                sockets.put(Path.of(colima).resolve("default/docker.sock"), "Colima, in COLIMA_HOME");
            }
            sockets.putIfAbsent(home.resolve(".colima/default/docker.sock"), "Colima");
            sockets.putIfAbsent(
                    directory("XDG_CONFIG_HOME", ".config").resolve("colima/default/docker.sock"), "Colima");
            sockets.putIfAbsent(home.resolve(".docker/run/docker.sock"), "Docker Desktop");
            sockets.putIfAbsent(home.resolve(".docker/desktop/docker.sock"), "Docker Desktop");
        } else {
            if (!runtime.isBlank()) {
                sockets.put(Path.of(runtime).resolve("podman/podman-machine-default-api.sock"), "Podman machine");
            }
            String temporary = variable("TMPDIR");
            if (!temporary.isBlank()) {
                sockets.put(Path.of(temporary).resolve("podman/podman-machine-default-api.sock"), "Podman machine");
            }
            Path machines = directory("XDG_DATA_HOME", ".local/share").resolve("containers/podman/machine");
            for (String name : List.of("podman.sock", "podman-machine-default/podman.sock", "qemu/podman.sock")) {
                sockets.put(machines.resolve(name), "Podman machine");
            }
        }
        sockets.put(Path.of(product.rootfulSocket()), "the system's engine");
        return sockets;
    }

    private EngineCandidate chosen(String text, String source) {
        boolean tls = wantsTls();
        try {
            URI uri = EngineUri.parse(text, tls);
            boolean encrypted = tls && !uri.getScheme().equals("unix");
            return new EngineCandidate.Listed(
                    new EngineAddress(uri, encrypted ? Optional.of(certificates()) : Optional.empty(), source), true);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of(source + ": " + e.getMessage()));
        }
    }

    private boolean wantsTls() {
        return settings.tlsVerify()
                .orElseGet(() -> settings.certificates().isPresent()
                        // Docker's own client asks only whether there is something in it.
                        || (product == Product.DOCKER
                                && !variable("DOCKER_TLS_VERIFY").isEmpty()));
    }

    private Path certificates() {
        return settings.certificates().orElseGet(() -> {
            String said = variable("DOCKER_CERT_PATH");
            return said.isBlank() ? DockerContext.configDirectory(environment, home) : Path.of(said);
        });
    }

    private Path directory(String variable, String fallback) {
        String said = variable(variable);
        return said.isBlank() ? home.resolve(fallback) : Path.of(said);
    }

    private String variable(String name) {
        return environment.getOrDefault(name, "");
    }
}
