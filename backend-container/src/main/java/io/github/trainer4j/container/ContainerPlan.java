package io.github.trainer4j.container;

import io.github.trainer4j.api.ImagePullPolicy;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.JobPlan.PlannedStep;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.spi.Fetcher;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that will be done for a job, checked.
 *
 * @param record what will be written down
 * @param runtime the runtime's name and where it was found
 * @param imageSource who chose the nodes' image
 * @param pullPolicy when images are pulled
 * @param files what is placed in the workspace before the nodes start
 * @param initializers what is fetched first
 * @param nodes the nodes, by rank
 * @param copies what is copied into a workspace that is not on this machine, by where it is wanted there
 * @param notes what people should know
 */
record ContainerPlan(
        JobRecord record,
        String runtime,
        String imageSource,
        ImagePullPolicy pullPolicy,
        List<LaunchFile> files,
        List<PlannedInitializer> initializers,
        List<ContainerSpec> nodes,
        Map<String, Path> copies,
        List<String> notes) {
    /**
     * Something to fetch.
     *
     * @param spec what was asked for
     * @param container the container that fetches it; empty: the fetcher does
     * @param fetcher what fetches it within this process
     */
    record PlannedInitializer(InitializerSpec spec, Optional<ContainerSpec> container, Optional<Fetcher> fetcher) {
        String step() {
            return spec.target().step();
        }
    }

    ContainerPlan {
        files = List.copyOf(files);
        initializers = List.copyOf(initializers);
        nodes = List.copyOf(nodes);
        copies = Collections.unmodifiableMap(new LinkedHashMap<>(copies));
        notes = List.copyOf(notes);
    }

    String image() {
        return nodes.get(0).image();
    }

    Map<String, String> networkLabels() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(Labels.JOB, record.name());
        labels.put(Labels.RUNTIME, record.runtime());
        labels.put(Labels.WORK_DIRECTORY, record.workDirectory());
        labels.put(Labels.UID, record.uid());
        labels.put(Labels.RECORD, record.toJson());
        return labels;
    }

    JobPlan toJobPlan() {
        List<PlannedStep> steps = new ArrayList<>();
        for (PlannedInitializer initializer : initializers) {
            steps.add(initializer
                    .container()
                    .map(container -> step(container, container.image(), List.of(), List.of()))
                    .orElseGet(() -> new PlannedStep(
                            initializer.step(),
                            List.of(),
                            Optional.empty(),
                            Map.of(),
                            Set.of(),
                            List.of(),
                            List.of("fetches " + initializer.spec().storageUri() + " within this process into "
                                    + record.workDirectory() + "/"
                                    + initializer.spec().target().directory()))));
        }
        List<String> paths = files.stream().map(LaunchFile::path).toList();
        for (ContainerSpec node : nodes) {
            steps.add(step(node, node.image() + " (chosen by " + imageSource + ")", paths, notes));
        }
        return new JobPlan(record.backend(), record.name(), runtime, steps, Optional.empty());
    }

    private static PlannedStep step(ContainerSpec spec, String image, List<String> files, List<String> notes) {
        return new PlannedStep(
                spec.step(),
                spec.command(),
                Optional.of(image),
                spec.env(),
                spec.secretEnv().keySet(),
                files,
                notes);
    }
}
