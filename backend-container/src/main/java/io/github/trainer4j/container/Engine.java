package io.github.trainer4j.container;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.NotModifiedException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.Network;
import io.github.trainer4j.container.ContainerFacts.OutOfMemory;
import io.github.trainer4j.container.EngineException.Kind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this module asks of an engine, in its own words. Safe for several threads. */
final class Engine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final int KILLED = 128 + 9;
    private static final Duration ABOUT_LIMIT = Duration.ofSeconds(20);

    private final EngineConnection connection;
    private final EngineStreams streams;
    private final EngineFiles files;
    private final EngineVersion version;
    private volatile @Nullable EngineFacts facts;

    private Engine(EngineConnection connection, EngineVersion version) {
        this.connection = connection;
        this.version = version;
        this.streams = new EngineStreams(connection);
        this.files = new EngineFiles(connection);
    }

    /**
     * Asks an engine who it is.
     *
     * @param limit how long it may take to answer
     * @throws EngineException if nobody answers; the connection is closed then
     */
    static Engine open(EngineConnection connection, Duration limit) {
        try {
            EngineVersion version = connection
                    .ping(limit)
                    .orElseGet(() -> EngineVersion.of(connection.call(
                            "say its version",
                            ABOUT_LIMIT,
                            () -> connection.client().versionCmd().exec())));
            return new Engine(connection, version);
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    EngineVersion version() {
        return version;
    }

    /** Returns what the engine says it can do; it is asked when that is first needed. */
    EngineFacts facts() {
        EngineFacts known = facts;
        if (known == null) {
            Info info = connection.call(
                    "say what it can do",
                    ABOUT_LIMIT,
                    () -> connection.client().infoCmd().exec());
            known = EngineFacts.of(version, info);
            facts = known;
        }
        return known;
    }

    EngineAddress address() {
        return connection.address();
    }

    EngineStreams streams() {
        return streams;
    }

    EngineFiles files() {
        return files;
    }

    // ---- networks

    /** Makes a network and returns its id. Several of one name are possible: what is ours is told by its id. */
    String createNetwork(String name, Map<String, String> labels) {
        return Retry.ofPassing(
                version.dialect(),
                () -> connection.complete(
                        "create the network " + name,
                        () -> present(connection
                                .client()
                                .createNetworkCmd()
                                .withName(name)
                                .withDriver("bridge")
                                .withCheckDuplicate(true)
                                .withLabels(labels)
                                .exec()
                                .getId())));
    }

    /** Returns the networks with a label, which may be a key, or a key, {@code =} and a value. */
    List<NetworkFacts> networks(String label) {
        return connection.call(
                "list networks",
                () -> connection.client().listNetworksCmd().withFilter("label", List.of(label)).exec().stream()
                        .map(Engine::facts)
                        .toList());
    }

    /** Whether there is a network of this name, whoever made it. */
    boolean hasNetwork(String name) {
        return connection
                .call(
                        "list networks",
                        () -> connection
                                .client()
                                .listNetworksCmd()
                                .withNameFilter(name)
                                .exec())
                .stream()
                .anyMatch(network -> name.equals(network.getName()));
    }

    /** Returns how many more containers a network has addresses for; empty if it does not say. */
    OptionalLong addressesLeft(String network) {
        return NetworkRoom.left(inspectNetwork(network));
    }

    /** Returns the highest address that can be given to a container in a network; empty if that cannot be told. */
    Optional<String> highestAddress(String network) {
        Network found = inspectNetwork(network);
        return Optional.ofNullable(found.getIpam()).map(Network.Ipam::getConfig).orElse(List.of()).stream()
                .flatMap(subnet -> Subnet.highest(text(subnet.getSubnet())).stream())
                .findFirst();
    }

    private Network inspectNetwork(String network) {
        return connection.call(
                "inspect the network " + network,
                () -> connection
                        .client()
                        .inspectNetworkCmd()
                        .withNetworkId(network)
                        .exec());
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
        return create(spec, JobNetwork.of(network));
    }

    /**
     * Makes a container in the network of its job and returns its id.
     *
     * @throws EngineException of kind CONFLICT if the name is taken, NOT_FOUND if the image is not there
     */
    String create(ContainerSpec spec, JobNetwork network) {
        String path = "/containers/create?name=" + URLEncoder.encode(spec.name(), StandardCharsets.UTF_8);
        String what = "create the container " + spec.name();
        // Not by the library's own command, which writes the whole of itself into its log, secrets and all.
        Map<String, @Nullable Object> answer = connection.complete(
                what, () -> connection.post(what, path, new ContainerBody(facts()).of(spec, network)));
        if (answer.get("Warnings") instanceof List<?> warnings && !warnings.isEmpty()) {
            LOG.warn("the engine warns of the container {}: {}", spec.name(), warnings);
        }
        return present(answer.get("Id") instanceof String id ? id : null);
    }

    void start(String id) {
        boolean unused = Retry.ofPassing(
                version.dialect(),
                () -> connection.complete("start the container " + id, () -> {
                    try {
                        connection.client().startContainerCmd(id).exec();
                    } catch (NotModifiedException e) {
                        // It runs already.
                    }
                    return true;
                }));
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

    /** Returns an image; empty if the engine does not have it. */
    Optional<ImageFacts> image(String image) {
        try {
            InspectImageResponse found = connection.call(
                    "inspect the image " + image,
                    () -> connection.client().inspectImageCmd(image).exec());
            return Optional.of(new ImageFacts(foreignPlatform(found)));
        } catch (EngineException e) {
            if (e.isNotFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<String> foreignPlatform(InspectImageResponse found) {
        String architecture = text(found.getArch());
        return architecture.isBlank()
                        || facts().architecture().isBlank()
                        || EngineFacts.architecture(architecture).equals(facts().architecture())
                ? Optional.empty()
                : Optional.of(text(found.getOs()) + "/" + architecture);
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
                OutOfMemory.NO,
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

    private ContainerFacts facts(InspectContainerResponse container) {
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
                outOfMemory(container, exited && code == KILLED),
                time(container.getCreated()).orElse(Instant.EPOCH),
                time(state.getStartedAt()),
                time(state.getFinishedAt()),
                error.isBlank() ? Optional.empty() : Optional.of(error),
                text(container.getImageId()));
    }

    private OutOfMemory outOfMemory(InspectContainerResponse container, boolean killed) {
        if (Boolean.TRUE.equals(container.getState().getOOMKilled())) {
            return OutOfMemory.YES;
        }
        Long limit = container.getHostConfig() == null
                ? null
                : container.getHostConfig().getMemory();
        return killed && limit != null && limit > 0 && !version.tellsOutOfMemory()
                ? OutOfMemory.LIKELY
                : OutOfMemory.NO;
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

    /** Ends or removes something, if it is there, again for as long as it is only others' removals that hinder it. */
    private void ifThere(Runnable removal) {
        try {
            boolean unused = Retry.ofPassing(version.dialect(), () -> {
                removal.run();
                return true;
            });
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
