package io.github.trainer4j.container;

import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.state.FileTree;
import io.github.trainer4j.api.state.StateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Removes a job: first what runs, then what it ran in, last what is written down about it, so that a removal that was cut
 * short can be done again.
 */
final class Removal {
    private final Product product;
    private final JobStore store;
    private final Sightings sightings;
    private final String threadPrefix;

    Removal(Product product, JobStore store, Sightings sightings, String threadPrefix) {
        this.product = product;
        this.store = store;
        this.sightings = sightings;
        this.threadPrefix = threadPrefix;
    }

    /**
     * Stops and removes all of a job.
     *
     * @throws JobNotFoundException if there is no such job
     * @throws TrainerException if something is left, with a list of it
     * @throws EngineException of kind INTERRUPTED if the thread is interrupted
     */
    void remove(Engine engine, Sighted job, Duration grace) {
        JobRecord record = job.record();
        List<String> problems = Collections.synchronizedList(new ArrayList<>());
        job.directory().ifPresent(directory -> announce(directory, problems));
        // Looked for again: what a launch made before it saw the announcement is there by now.
        Sighted now = sightings
                .find(engine, record.name())
                .filter(found -> found.record().uid().equals(record.uid()))
                .orElse(job);
        List<ContainerFacts> containers = new ArrayList<>(now.containers().values());
        while (!containers.isEmpty()) {
            Parallel.each(
                    containers, threadPrefix + "remove-", container -> remove(engine, container, grace, problems));
            // And again: an engine that was asked to make one goes on when the process that asked was killed.
            containers = problems.isEmpty() ? late(engine, record) : List.of();
        }
        now.network()
                .ifPresent(network ->
                        attempt("network " + record.networkName(), problems, () -> engine.removeNetwork(network)));
        record.volume()
                .ifPresent(volume -> attempt(
                        "volume " + volume, problems, () -> Workspace.of(record).remove(engine)));
        if (problems.isEmpty()) {
            removeFiles(engine, now, problems);
        }
        if (!problems.isEmpty()) {
            throw new TrainerException(
                    "job " + record.name() + " is not removed, because this could not be: "
                            + String.join("; ", problems) + "; mend that and delete the job again",
                    null,
                    record.name(),
                    null,
                    null);
        }
    }

    private static List<ContainerFacts> late(Engine engine, JobRecord record) {
        return record.uid().isBlank() ? List.of() : engine.containers(Labels.UID + "=" + record.uid());
    }

    private static void announce(JobDirectory directory, List<String> problems) {
        try {
            StateFiles.mark(directory.deleting());
        } catch (IOException e) {
            problems.add(directory.deleting() + ": " + e);
        }
    }

    private static void remove(Engine engine, ContainerFacts container, Duration grace, List<String> problems) {
        attempt("container " + container.name(), problems, () -> {
            if (container.state() == ContainerFacts.State.RUNNING) {
                // Initializers hold nothing worth a farewell, and Python as a first process is deaf to one.
                engine.stop(container.id(), container.step().startsWith("node-") ? grace : Duration.ZERO);
            }
            engine.remove(container.id());
        });
    }

    private static void attempt(String what, List<String> problems, Runnable removal) {
        try {
            removal.run();
        } catch (EngineException e) {
            if (e.kind() == EngineException.Kind.INTERRUPTED) {
                throw e;
            }
            problems.add(what + ": " + e.getMessage());
        }
    }

    private void removeFiles(Engine engine, Sighted job, List<String> problems) {
        workspace(job).ifPresent(path -> removeWorkspace(engine, job, path, problems));
        if (problems.isEmpty()) {
            job.directory().ifPresent(directory -> store.removeState(directory, problems));
        }
    }

    private static void removeWorkspace(Engine engine, Sighted job, Path path, List<String> problems) {
        List<String> first = new ArrayList<>();
        FileTree.remove(path, first);
        if (first.isEmpty()) {
            return;
        }
        attempt("files of " + path, problems, () -> new EngineSweep(engine).empty(path, job.record()));
        FileTree.remove(path, problems);
    }

    /** The workspace, if it is sure that it lies on this machine and is this job's. */
    private Optional<Path> workspace(Sighted job) {
        if (job.directory().isPresent()) {
            return Optional.of(job.directory().get().workspace());
        }
        Path path = store.directory(job.record().name()).workspace();
        return Optional.of(path)
                .filter(own -> own.toString().equals(job.record().workDirectory()))
                .filter(Files::isDirectory);
    }

    JobNotFoundException missing(String name) {
        return JobNotFoundException.noJob(name, product.backend());
    }
}
