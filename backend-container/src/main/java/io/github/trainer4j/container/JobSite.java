package io.github.trainer4j.container;

import io.github.trainer4j.api.state.Cause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place where a launch builds: makes containers of one job, and none that a deletion going on at the same time would
 * miss. Safe for several threads.
 */
final class JobSite {
    private static final Logger LOG = LoggerFactory.getLogger(JobSite.class);

    /** Networks that give containers no addresses of their own. */
    private static final Set<String> SELF_CONTAINED = Set.of("host", "none");

    private final Engine engine;
    private final NetworkReserve networks;
    private final JobDirectory directory;
    private final JobEvents events;
    private final JobRecord record;
    private final Workspace workspace;
    private volatile JobNetwork network = JobNetwork.of("");
    private boolean workspaceIsOpen;

    JobSite(Engine engine, NetworkReserve networks, JobDirectory directory, JobEvents events, JobRecord record) {
        this.engine = engine;
        this.networks = networks;
        this.directory = directory;
        this.events = events;
        this.record = record;
        this.workspace = Workspace.of(record);
    }

    Engine engine() {
        return engine;
    }

    JobDirectory directory() {
        return directory;
    }

    JobEvents events() {
        return events;
    }

    /**
     * Makes the job's network.
     *
     * @throws CancellationException if the job is being deleted
     * @throws EngineException of kind INTERRUPTED if the thread is interrupted
     */
    void makeNetwork(ContainerPlan plan) {
        check();
        String id = networks.make(engine, plan.record().networkName(), plan.networkLabels());
        if (isCancelled()) {
            Uninterrupted.run(() -> engine.removeNetwork(id));
        }
        check();
        checkRoom(plan, id);
        network = new JobNetwork(id, master(plan, id));
    }

    private Optional<JobNetwork.Master> master(ContainerPlan plan, String id) {
        ContainerSpec first = plan.nodes().get(0);
        if (plan.nodes().size() == 1
                || first.surroundings().network().isPresent()
                || engine.version().dialect().servesNames()) {
            return Optional.empty();
        }
        return engine.highestAddress(id).map(address -> new JobNetwork.Master(first.name(), address));
    }

    /** An engine that runs out of addresses says so only when it starts the first node that has none. */
    private void checkRoom(ContainerPlan plan, String own) {
        Optional<String> shared = plan.nodes().get(0).surroundings().network();
        if (shared.filter(SELF_CONTAINED::contains).isPresent()) {
            return;
        }
        int nodes = plan.nodes().size();
        // What the engine says of a single one is clear enough.
        OptionalLong left = nodes == 1 ? OptionalLong.empty() : addressesLeft(shared.orElse(own));
        if (left.isPresent() && left.getAsLong() < nodes) {
            throw new StepFailedException(
                    "the network " + shared.orElse(plan.record().networkName()) + " has addresses for "
                            + left.getAsLong() + " more containers, but the job has " + nodes
                            + " nodes; give it fewer nodes, "
                            + (shared.isPresent()
                                    ? "or configure a larger network"
                                    : "give the engine larger address pools, or configure a network of your own"),
                    plan.record().name(),
                    null,
                    Cause.START_FAILED,
                    OptionalInt.empty(),
                    null);
        }
    }

    private OptionalLong addressesLeft(String network) {
        try {
            return engine.addressesLeft(network);
        } catch (EngineException e) {
            if (e.isNotFound()) {
                // Not every word that an engine takes for a network is one.
                return OptionalLong.empty();
            }
            throw e;
        }
    }

    /**
     * Makes the job's workspace, where that is not on this machine.
     *
     * @throws CancellationException if the job is being deleted
     * @throws EngineException of kind INTERRUPTED if the thread is interrupted
     */
    void makeWorkspace() {
        check();
        workspace.make(engine);
        if (isCancelled()) {
            Uninterrupted.run(() -> workspace.remove(engine));
        }
        check();
    }

    /** Puts into the workspace what the nodes need, before any of them is started. */
    void fillWorkspace(String node, Map<String, Path> further) {
        try {
            workspace.fill(engine, node, directory, further);
        } catch (IOException e) {
            throw new EngineException(EngineException.Kind.FAILED, "what the nodes need could not be copied: " + e, e);
        }
        check();
    }

    private synchronized void openWorkspace(String image) {
        if (!workspaceIsOpen) {
            workspace.open(engine, image, directory);
            workspaceIsOpen = true;
        }
    }

    /**
     * Makes a container and returns its id.
     *
     * @throws CancellationException if the job is being deleted
     * @throws EngineException of kind INTERRUPTED if the thread is interrupted
     */
    String make(ContainerSpec spec) {
        check();
        openWorkspace(spec.image());
        String id = engine.create(spec, network);
        if (isCancelled()) {
            // Whoever cancelled may have looked before this one was there.
            Uninterrupted.run(() -> remove(id));
        }
        check();
        return id;
    }

    void start(String id) {
        check();
        engine.start(id);
        check();
    }

    /** Removes a container; if that fails, whoever cleans up the job finds it by its labels. */
    void remove(String id) {
        try {
            engine.remove(id);
        } catch (EngineException e) {
            LOG.warn("job {}: the container {} is not removed yet: {}", directory.name(), id, e.getMessage());
        }
    }

    /** Removes all containers of the job that are there, and its network and volume: kept logs and files stay. */
    void clear() {
        try {
            List<ContainerFacts> containers = engine.containers(Labels.UID + "=" + record.uid());
            Parallel.each(containers, Thread.currentThread().getName() + "-clear-", container -> {
                keepLog(container);
                remove(container.id());
            });
            for (NetworkFacts found : engine.networks(Labels.UID + "=" + record.uid())) {
                engine.removeNetwork(found.id());
            }
            workspace.remove(engine);
        } catch (EngineException e) {
            LOG.warn("job {}: not all of it is removed yet: {}", record.name(), e.getMessage());
        }
    }

    /** Keeps the log of a node that ran already when the launch failed; an initializer's is kept when it ends. */
    private void keepLog(ContainerFacts container) {
        if (container.state() == ContainerFacts.State.CREATED
                || !container.step().startsWith("node-")) {
            return;
        }
        try {
            engine.stop(container.id(), Duration.ZERO);
            KeptLog.collect(engine, container.id(), directory, container.step());
        } catch (IOException | EngineException e) {
            LOG.warn("job {}: the log of {} is not kept: {}", directory.name(), container.step(), e.toString());
        }
    }

    private boolean isCancelled() {
        return Thread.currentThread().isInterrupted() || isBeingDeleted();
    }

    boolean isBeingDeleted() {
        return directory.isDeleted(record);
    }

    private void check() {
        if (isBeingDeleted()) {
            throw new CancellationException("the job is being deleted");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new EngineException(
                    EngineException.Kind.INTERRUPTED,
                    "interrupted while the job was launched",
                    new InterruptedException());
        }
    }
}
