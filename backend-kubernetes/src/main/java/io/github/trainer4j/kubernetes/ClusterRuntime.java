package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.launch.Placement;
import io.github.trainer4j.api.launch.ResourceNames;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A training runtime as a cluster has it.
 *
 * @param runtime what clients know of it
 * @param resource all of it
 */
record ClusterRuntime(TrainingRuntime runtime, Tree resource) {
    /**
     * Reads a resource.
     *
     * @param source the cluster, in words
     * @throws InvalidJobException if it lacks what every runtime has
     */
    static ClusterRuntime read(Tree resource, TrainingRuntime.Scope scope, String source) {
        String name = resource.at("metadata", "name").text().orElse("");
        String framework = resource.at("metadata", "labels").strings().getOrDefault(Names.FRAMEWORK_LABEL, "");
        if (framework.isEmpty()) {
            throw new InvalidJobException("the " + scope.kind() + " " + name + " has no label " + Names.FRAMEWORK_LABEL
                    + "; ask whoever keeps it to add it");
        }
        Tree policy = resource.at("spec", "mlPolicy");
        Tree jobs = jobs(resource);
        Tree container = container(trainer(jobs), Names.NODE);
        Map<InitializerTarget, String> images = new EnumMap<>(InitializerTarget.class);
        for (InitializerTarget target : InitializerTarget.values()) {
            container(jobs.find("name", target.step()), target.step())
                    .at("image")
                    .text()
                    .ifPresent(image -> images.put(target, image));
        }
        return new ClusterRuntime(
                new TrainingRuntime(
                        name,
                        scope,
                        framework,
                        policy.at("numNodes").number().orElse(1),
                        processes(policy),
                        container.at("image").text(),
                        container.at("command").texts(),
                        container.at("args").texts(),
                        environment(container),
                        resources(container),
                        images,
                        source),
                resource);
    }

    private static Tree jobs(Tree resource) {
        return resource.at("spec", "template", "spec", "replicatedJobs");
    }

    /** Returns the replicated jobs whose container {@code node} runs the trainer: one, or launcher and nodes of MPI. */
    List<String> trainerJobs() {
        List<String> names = new ArrayList<>();
        for (Tree job : jobs(resource).list()) {
            String name = job.at("name").text().orElse("");
            if (isTrainer(job) || name.equals(Names.NODE)) {
                names.add(name);
            }
        }
        return names;
    }

    /** Returns the specification of the pods of each replicated job. */
    Map<String, Tree> pods() {
        Map<String, Tree> pods = new LinkedHashMap<>();
        for (Tree job : jobs(resource).list()) {
            pods.put(job.at("name").text().orElse(""), job.at("template", "spec", "template", "spec"));
        }
        return pods;
    }

    /** Returns the names of the containers that pods of a replicated job have, those that run first among them. */
    Set<String> containers(String job) {
        Set<String> names = new LinkedHashSet<>();
        Tree pod = pods().getOrDefault(job, Tree.EMPTY);
        for (String list : List.of("containers", "initContainers")) {
            pod.at(list).list().forEach(container -> container.at("name").text().ifPresent(names::add));
        }
        return names;
    }

    /** Returns whether nodes have a volume of the runtime's where their workspace is. */
    boolean hasWorkspace() {
        return trainerJobs().stream()
                .allMatch(job -> mount(job, Placement.CONTAINER_WORKSPACE).isPresent());
    }

    /** Returns what the container that does the work of a replicated job mounts at a path. */
    Tree mount(String job, String path) {
        Tree containers = pods().getOrDefault(job, Tree.EMPTY).at("containers");
        return containers
                .find("name", trainerJobs().contains(job) ? Names.NODE : job)
                .at("volumeMounts")
                .find("mountPath", path);
    }

    private static Tree trainer(Tree jobs) {
        return jobs.list().stream()
                .filter(ClusterRuntime::isTrainer)
                .findFirst()
                .orElseGet(() -> jobs.find("name", Names.NODE));
    }

    private static boolean isTrainer(Tree job) {
        return job.at("template", "metadata", "labels")
                .strings()
                .getOrDefault(Names.ANCESTOR_LABEL, "")
                .equals(Names.TRAINER_ANCESTOR);
    }

    private static Tree container(Tree job, String name) {
        Tree containers = job.at("template", "spec", "template", "spec", "containers");
        Tree named = containers.find("name", name);
        return named.isPresent()
                ? named
                : containers.list().stream().findFirst().orElse(Tree.EMPTY);
    }

    private static OptionalInt processes(Tree policy) {
        for (String plugin : List.of("torch", "mpi")) {
            OptionalInt number = policy.at(plugin, "numProcPerNode").number();
            if (number.isPresent()) {
                return number;
            }
        }
        return OptionalInt.empty();
    }

    private static Map<String, String> environment(Tree container) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (Tree variable : container.at("env").list()) {
            Optional<String> name = variable.at("name").text();
            if (name.isPresent() && !variable.at("valueFrom").isPresent()) {
                environment.put(name.get(), variable.at("value").text().orElse(""));
            }
        }
        return environment;
    }

    private static Resources resources(Tree container) {
        Map<String, String> amounts =
                new LinkedHashMap<>(container.at("resources", "requests").strings());
        amounts.putAll(container.at("resources", "limits").strings());
        Map<String, Quantity> quantities = new LinkedHashMap<>();
        amounts.forEach((name, amount) -> quantities.put(ResourceNames.inJob(name), new Quantity(amount)));
        return new Resources(quantities);
    }
}
