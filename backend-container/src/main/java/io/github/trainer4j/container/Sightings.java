package io.github.trainer4j.container;

import io.github.trainer4j.api.state.StateFiles;
import io.github.trainer4j.container.JobRecord.StepRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs: by the labels of containers and networks, and by the files of this machine's clients. It asks the engine the
 * same two questions, however many jobs there are.
 */
final class Sightings {
    private static final Logger LOG = LoggerFactory.getLogger(Sightings.class);
    private static final LauncherIdentity NOBODY = new LauncherIdentity(0, Instant.EPOCH, "");

    private final Product product;
    private final JobStore store;

    Sightings(Product product, JobStore store) {
        this.product = product;
        this.store = store;
    }

    /** Finds one job. */
    Optional<Sighted> find(Engine engine, String name) {
        return look(engine, name, true).job(name);
    }

    /** Finds one job; of one that has files here the network is left out, for the price of half the questions. */
    Optional<Sighted> glance(Engine engine, String name) {
        Optional<Sighted> job = look(engine, name, false).job(name);
        return job.flatMap(Sighted::directory).isPresent() ? job : find(engine, name);
    }

    private Look look(Engine engine, String name, boolean networks) {
        String label = Labels.JOB + "=" + name;
        return new Look(engine, label, networks, store.find(name).map(List::of).orElse(List.of()));
    }

    /** Finds all jobs, in no order. */
    List<Sighted> all(Engine engine) {
        Look look = new Look(engine, Labels.JOB, true, store.all());
        List<Sighted> jobs = new ArrayList<>();
        for (String name : look.names()) {
            look.job(name).ifPresent(jobs::add);
        }
        return jobs;
    }

    /** Returns what is written down about a job that has files here; empty if that cannot be read. */
    static Optional<JobRecord> record(JobDirectory directory) {
        try {
            return StateFiles.read(directory.record()).map(JobRecord::fromJson);
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("the record of job {} in {} cannot be read", directory.name(), directory.record(), e);
            return Optional.empty();
        }
    }

    /** One look at everything, sorted by job. */
    private final class Look {
        private final String engine;
        private final Map<String, List<ContainerFacts>> containers = new LinkedHashMap<>();
        private final Map<String, List<NetworkFacts>> networks = new LinkedHashMap<>();
        private final Map<String, JobDirectory> directories = new LinkedHashMap<>();

        Look(Engine engine, String label, boolean withNetworks, List<JobDirectory> files) {
            this.engine = engine.address().uri().toString();
            // The network is made before the containers and removed after them: in this order none is seen without it.
            for (ContainerFacts container : engine.containers(label)) {
                containers
                        .computeIfAbsent(container.job(), job -> new ArrayList<>())
                        .add(container);
            }
            for (NetworkFacts network : withNetworks ? engine.networks(label) : List.<NetworkFacts>of()) {
                networks.computeIfAbsent(network.job(), job -> new ArrayList<>())
                        .add(network);
            }
            files.forEach(directory -> directories.put(directory.name(), directory));
        }

        Set<String> names() {
            Set<String> names = new LinkedHashSet<>(directories.keySet());
            names.addAll(containers.keySet());
            names.addAll(networks.keySet());
            return names;
        }

        Optional<Sighted> job(String name) {
            Optional<JobDirectory> directory = Optional.ofNullable(directories.get(name));
            Optional<JobRecord> record = directory.flatMap(Sightings::record).filter(this::isHere);
            if (record.isPresent()) {
                return Optional.of(ours(record.get(), directory));
            }
            for (NetworkFacts network : networks.getOrDefault(name, List.of())) {
                Optional<JobRecord> labelled = labelled(network);
                if (labelled.isPresent()) {
                    return Optional.of(ours(labelled.get(), Optional.empty()));
                }
            }
            return foreign(name);
        }

        /** Whether a job with files here is one of this backend and engine. */
        private boolean isHere(JobRecord record) {
            if (!record.backend().equals(product.backend())) {
                return false;
            }
            return record.engine().equals(engine)
                    || containers.getOrDefault(record.name(), List.of()).stream()
                            .anyMatch(container -> uid(container.labels()).equals(record.uid()));
        }

        private Sighted ours(JobRecord record, Optional<JobDirectory> directory) {
            Map<String, ContainerFacts> steps = new LinkedHashMap<>();
            for (ContainerFacts container : containers.getOrDefault(record.name(), List.of())) {
                if (uid(container.labels()).equals(record.uid())) {
                    steps.put(container.step(), container);
                }
            }
            Optional<String> network = networks.getOrDefault(record.name(), List.of()).stream()
                    .filter(candidate -> uid(candidate.labels()).equals(record.uid()))
                    .map(NetworkFacts::id)
                    .findFirst();
            return new Sighted(record, directory, steps, Set.of(), network, false);
        }

        private Optional<JobRecord> labelled(NetworkFacts network) {
            String json = network.labels().get(Labels.RECORD);
            if (json == null) {
                return Optional.empty();
            }
            try {
                return Optional.of(JobRecord.fromJson(json));
            } catch (IllegalArgumentException e) {
                LOG.warn("the network {} has a label {} that cannot be read", network.name(), Labels.RECORD, e);
                return Optional.empty();
            }
        }

        /** A job that the Python SDK made, or one of ours whose record is lost. */
        private Optional<Sighted> foreign(String name) {
            List<ContainerFacts> all = containers.getOrDefault(name, List.of());
            if (all.isEmpty()) {
                return Optional.empty();
            }
            Map<String, ContainerFacts> steps = new LinkedHashMap<>();
            all.forEach(container -> steps.put(container.step(), container));
            Optional<NetworkFacts> network =
                    networks.getOrDefault(name, List.of()).stream().findFirst();
            Map<String, String> labels = network.map(NetworkFacts::labels).orElse(Map.of());
            List<StepRecord> initializers = new ArrayList<>();
            int nodes = 0;
            Optional<String> image = Optional.empty();
            Instant created = all.get(0).created();
            for (ContainerFacts container : all) {
                created = container.created().isBefore(created) ? container.created() : created;
                if (container.step().startsWith("node-")) {
                    nodes++;
                    image = Optional.of(container.image());
                } else {
                    initializers.add(step(container.step(), Optional.of(container.image())));
                }
            }
            JobRecord record = new JobRecord(
                    name,
                    uid(all.get(0).labels()),
                    product.backend(),
                    engine,
                    labels.getOrDefault(Labels.RUNTIME, ""),
                    created,
                    Optional.empty(),
                    Duration.ofSeconds(10),
                    nodes,
                    Map.of(),
                    Map.of(),
                    labels.getOrDefault(Labels.WORK_DIRECTORY, ""),
                    Optional.empty(),
                    NOBODY,
                    initializers,
                    step("node", image));
            return Optional.of(
                    new Sighted(record, Optional.empty(), steps, Set.of(), network.map(NetworkFacts::id), true));
        }

        private static StepRecord step(String name, Optional<String> image) {
            return new StepRecord(name, image, List.of(), Optional.empty(), Optional.empty());
        }
    }

    private static String uid(Map<String, String> labels) {
        return labels.getOrDefault(Labels.UID, "");
    }
}
