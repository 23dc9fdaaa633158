package io.github.trainer4j.container;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.NotModifiedException;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.Network;
import com.github.dockerjava.api.model.Version;
import com.github.dockerjava.api.model.Volume;
import io.github.trainer4j.container.EngineException.Kind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What this module asks of an engine, in its own words. Safe for several threads. */
final class Engine implements AutoCloseable {
    private static final Duration PING_LIMIT = Duration.ofSeconds(20);

    private final EngineConnection connection;
    private final EngineStreams streams;
    private final EngineFacts facts;

    private Engine(EngineConnection connection, EngineFacts facts) {
        this.connection = connection;
        this.facts = facts;
        this.streams = new EngineStreams(connection);
    }

    /**
     * Asks an engine who it is.
     *
     * @throws EngineException if nobody answers; the connection is closed then
     */
    static Engine open(EngineConnection connection) {
        try {
            DockerClient client = connection.client();
            Version version = connection.call(
                    "say its version", PING_LIMIT, () -> client.versionCmd().exec());
            Info info = connection.call(
                    "say what it can do", PING_LIMIT, () -> client.infoCmd().exec());
            boolean podman = version.getComponents() != null
                    && version.getComponents().stream()
                            .anyMatch(component ->
                                    String.valueOf(component.getName()).startsWith("Podman"));
            Long memory = info.getMemTotal();
            return new Engine(
                    connection,
                    new EngineFacts(
                            podman ? Dialect.PODMAN : Dialect.DOCKER,
                            String.valueOf(version.getVersion()),
                            memory == null || memory <= 0 ? OptionalLong.empty() : OptionalLong.of(memory)));
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    EngineFacts facts() {
        return facts;
    }

    EngineAddress address() {
        return connection.address();
    }

    EngineStreams streams() {
        return streams;
    }

    // ---- networks

    /** Makes a network and returns its id. Several of one name are possible: what is ours is told by its id. */
    String createNetwork(String name, Map<String, String> labels) {
        return connection.complete(
                "create the network " + name,
                () -> present(connection
                        .client()
                        .createNetworkCmd()
                        .withName(name)
                        .withDriver("bridge")
                        .withCheckDuplicate(true)
                        .withLabels(labels)
                        .exec()
                        .getId()));
    }

    /** Returns the networks with a label, which may be a key, or a key, {@code =} and a value. */
    List<NetworkFacts> networks(String label) {
        return connection.call(
                "list networks",
                () -> connection.client().listNetworksCmd().withFilter("label", List.of(label)).exec().stream()
                        .map(Engine::facts)
                        .toList());
    }

    /** Removes a network, if it is there. */
    void removeNetwork(String id) {
        ifThere(() -> connection.call(
                "remove the network " + id,
                () -> connection.client().removeNetworkCmd(id).exec()));
    }

    // ---- containers

    /**
     * Makes a container in a network and returns its id.
     *
     * @throws EngineException of kind CONFLICT if the name is taken, NOT_FOUND if the image is not there
     */
    String create(ContainerSpec spec, String network) {
        return connection.complete("create the container " + spec.name(), () -> {
            CreateContainerCmd command = connection
                    .client()
                    .createContainerCmd(spec.image())
                    .withName(spec.name())
                    .withEnv(spec.wireEnvironment())
                    .withLabels(spec.labels())
                    .withWorkingDir(spec.workingDirectory())
                    .withHostConfig(hostConfig(spec, network));
            if (!spec.command().isEmpty()) {
                // The command stands in place of the image's entry point, as it does in a pod.
                command.withEntrypoint(spec.command().get(0));
                command.withCmd(spec.command().subList(1, spec.command().size()));
            }
            return present(command.exec().getId());
        });
    }

    private HostConfig hostConfig(ContainerSpec spec, String network) {
        HostConfig config = HostConfig.newHostConfig()
                .withNetworkMode(network)
                .withBinds(spec.mounts().stream()
                        .map(mount -> new Bind(
                                mount.source(),
                                new Volume(mount.target()),
                                mount.readOnly() ? AccessMode.ro : AccessMode.rw))
                        .toList());
        Limits limits = spec.limits();
        limits.memory().ifPresent(config::withMemory);
        limits.nanoCpus().ifPresent(config::withNanoCPUs);
        limits.shm().ifPresent(config::withShmSize);
        return config;
    }

    void start(String id) {
        connection.complete("start the container " + id, () -> {
            try {
                connection.client().startContainerCmd(id).exec();
            } catch (NotModifiedException e) {
                // It runs already.
            }
            return true;
        });
    }

    /** Asks a container to end, and ends it when the grace is over. Returns when it has ended, or is not there. */
    void stop(String id, Duration grace) {
        int seconds = (int) Math.min(Integer.MAX_VALUE, (grace.toMillis() + 999) / 1000);
        ifThere(() -> connection.call("stop the container " + id, grace.plus(Duration.ofSeconds(60)), () -> {
            try {
                connection.client().stopContainerCmd(id).withTimeout(seconds).exec();
            } catch (NotModifiedException e) {
                // It had ended already.
            }
            return true;
        }));
    }

    /** Ends a container at once and removes it, if it is there. */
    void remove(String id) {
        ifThere(() -> connection.call(
                "remove the container " + id,
                () -> connection
                        .client()
                        .removeContainerCmd(id)
                        .withForce(true)
                        .withRemoveVolumes(true)
                        .exec()));
    }

    /** Returns the containers, also those that do not run, with a label. */
    List<ContainerFacts> containers(String label) {
        return connection.call(
                "list containers",
                () ->
                        connection
                                .client()
                                .listContainersCmd()
                                .withShowAll(true)
                                .withLabelFilter(List.of(label))
                                .exec()
                                .stream()
                                .map(Engine::facts)
                                .toList());
    }

    /** Returns the names of all containers that have this within their names. */
    List<String> containerNames(String part) {
        return connection.call(
                "list containers",
                () ->
                        connection
                                .client()
                                .listContainersCmd()
                                .withShowAll(true)
                                .withNameFilter(List.of(part))
                                .exec()
                                .stream()
                                .map(Engine::name)
                                .toList());
    }

    /** Returns a container with all that is known of it; empty if there is none. */
    Optional<ContainerFacts> inspect(String id) {
        try {
            return Optional.of(connection.call(
                    "inspect the container " + id,
                    () -> facts(connection.client().inspectContainerCmd(id).exec())));
        } catch (EngineException e) {
            if (e.isNotFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    // ---- images

    boolean hasImage(String image) {
        try {
            connection.call(
                    "inspect the image " + image,
                    () -> connection.client().inspectImageCmd(image).exec());
            return true;
        } catch (EngineException e) {
            if (e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    // ---- reading answers

    private static ContainerFacts facts(Container container) {
        String status = text(container.getStatus());
        return new ContainerFacts(
                text(container.getId()),
                name(container),
                labels(container.getLabels()),
                ContainerFacts.state(text(container.getState())),
                ContainerFacts.exitCode(status),
                false,
                container.getCreated() == null ? Instant.EPOCH : Instant.ofEpochSecond(container.getCreated()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                text(container.getImage()));
    }

    private static String name(Container container) {
        String[] names = container.getNames();
        return names == null
                ? ""
                : Arrays.stream(names).findFirst().map(Engine::bare).orElse("");
    }

    private static ContainerFacts facts(InspectContainerResponse container) {
        InspectContainerResponse.ContainerState state = container.getState();
        ContainerFacts.State stands = ContainerFacts.state(text(state.getStatus()));
        Long code = state.getExitCodeLong();
        String error = text(state.getError());
        boolean exited = stands == ContainerFacts.State.EXITED && code != null;
        return new ContainerFacts(
                text(container.getId()),
                bare(text(container.getName())),
                container.getConfig() == null
                        ? Map.of()
                        : labels(container.getConfig().getLabels()),
                stands,
                exited ? OptionalInt.of(code.intValue()) : OptionalInt.empty(),
                Boolean.TRUE.equals(state.getOOMKilled()),
                time(container.getCreated()).orElse(Instant.EPOCH),
                time(state.getStartedAt()),
                time(state.getFinishedAt()),
                error.isBlank() ? Optional.empty() : Optional.of(error),
                text(container.getImageId()));
    }

    private static NetworkFacts facts(Network network) {
        return new NetworkFacts(text(network.getId()), text(network.getName()), labels(network.getLabels()));
    }

    private static Map<String, String> labels(@Nullable Map<String, String> labels) {
        return labels == null ? Map.of() : labels;
    }

    /** Reads a time; engines write year 1 for one that is not known. */
    private static Optional<Instant> time(@Nullable String text) {
        try {
            return Optional.ofNullable(text)
                    .filter(known -> !known.isBlank() && !known.startsWith("0001-"))
                    .map(known -> java.time.OffsetDateTime.parse(known).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static String bare(String name) {
        return name.startsWith("/") ? name.substring(1) : name;
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static String present(@Nullable String id) {
        if (id == null) {
            throw new EngineException(Kind.FAILED, "the engine made something but did not say its id", null);
        }
        return id;
    }

    private static void ifThere(Runnable removal) {
        try {
            removal.run();
        } catch (EngineException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
