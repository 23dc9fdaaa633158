package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.ReadOnlyInputs;
import io.github.trainer4j.api.RuntimePatch;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.WorkspaceClaim;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.launch.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a job changes of its runtime: what its files, workspace and shared memory need, and what its options say. Pure. */
final class RuntimePatches {
    private static final String FILES = "trainer4j-files";
    private static final String WORKSPACE = "trainer4j-workspace";
    /** The cluster's webhook wants the volume that initializers fill to have this name. */
    private static final String INITIALIZER = "initializer";

    private static final String SHARED_MEMORY = "trainer4j-shm";

    private final ClusterRuntime runtime;

    RuntimePatches(ClusterRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * Returns all changes in one patch, which is empty if there are none.
     *
     * @param job the job's name
     * @param files what is mounted into the nodes
     * @throws InvalidJobException if an option changes what the runtime does not have, or two differ on one place
     */
    Map<String, Object> of(TrainJobRequest request, String job, List<LaunchFile> files) {
        Map<String, Object> wishes = wishes(request);
        Map<String, Object> patch = Patches.merge(workspace(request, job, wishes), files(job, files));
        if (request.options().contains(new ReadOnlyInputs())) {
            patch = Patches.merge(patch, readOnlyInputs(request, job));
        }
        Quantity sharedMemory = request.nodes().resourcesPerNode().amounts().get("shm");
        if (sharedMemory != null) {
            patch = Patches.merge(patch, sharedMemory(sharedMemory));
        }
        patch = Patches.merge(patch, wishes);
        refuseSecondMounts(new Tree(patch));
        return patch;
    }

    private Map<String, Object> wishes(TrainJobRequest request) {
        Map<String, Object> wishes = Map.of();
        for (JobOption option : request.options()) {
            if (option instanceof RuntimePatch wish) {
                check(new Tree(wish.trainingRuntimeSpec()));
                wishes = Patches.merge(wishes, wish.trainingRuntimeSpec());
            }
        }
        return wishes;
    }

    private boolean mountsWorkspace(Tree patch) {
        return runtime.trainerJobs().stream()
                .allMatch(job -> patch.at("template", "spec", "replicatedJobs")
                        .find("name", job)
                        .at("template", "spec", "template", "spec", "containers")
                        .find("name", Names.NODE)
                        .at("volumeMounts")
                        .find("mountPath", Placement.CONTAINER_WORKSPACE)
                        .isPresent());
    }

    private static void refuseSecondMounts(Tree patch) {
        for (Tree job : patch.at("template", "spec", "replicatedJobs").list()) {
            Tree pod = job.at("template", "spec", "template", "spec");
            for (Tree container : pod.at("containers").list()) {
                Set<String> volumes = new HashSet<>();
                for (Tree mount : container.at("volumeMounts").list()) {
                    String volume = mount.at("name").text().orElse("");
                    if (!volumes.add(volume)) {
                        throw new UnsupportedFeatureException("the job mounts the volume " + volume + " of "
                                + job.at("name").text().orElse("")
                                + " twice, but a TrainJob takes one mount of each volume; give the claim or directory"
                                + " a second time as a volume of another name, and mount that");
                    }
                }
            }
        }
    }

    /** Of a job or container that is not there, a cluster says only that there is one. */
    private void check(Tree patch) {
        for (Tree job : patch.at("template", "spec", "replicatedJobs").list()) {
            String name = job.at("name").text().orElse("");
            if (!runtime.pods().containsKey(name)) {
                throw new InvalidJobException("a runtime patch of the job is for the step '" + name
                        + "', but the runtime " + runtime.runtime().name() + " has only "
                        + String.join(", ", runtime.pods().keySet())
                        + "; patch one of those, or choose another runtime");
            }
            Tree pod = job.at("template", "spec", "template", "spec");
            Set<String> known = runtime.containers(name);
            for (String list : List.of("containers", "initContainers")) {
                for (Tree container : pod.at(list).list()) {
                    String wanted = container.at("name").text().orElse("");
                    if (!known.contains(wanted)) {
                        throw new InvalidJobException("a runtime patch of the job is for the container '" + wanted
                                + "' of " + name + ", but the runtime "
                                + runtime.runtime().name() + " has only "
                                + String.join(", ", known) + " there; patch one of those");
                    }
                }
            }
        }
    }

    /**
     * The user's code is mounted from a ConfigMap: no command line has to carry it, and no shell has to unpack it. Each
     * file has a volume of its own, because a volume can be mounted once.
     */
    private Map<String, Object> files(String job, List<LaunchFile> files) {
        Map<String, Object> patch = Map.of();
        for (LaunchFile file : files) {
            String volume = patch.isEmpty() ? FILES : FILES + "-" + (files.indexOf(file) + 1);
            Map<String, Object> mount = mount(volume, Placement.CONTAINER_WORKSPACE + "/" + file.path());
            mount.put("subPath", Manifest.key(file));
            mount.put("readOnly", true);
            Map<String, Object> source = Map.of("configMap", Map.of("name", Names.companion(job)));
            patch = Patches.merge(patch, nodes(source, volume, List.of(mount)));
        }
        return patch;
    }

    /** A volume of the job's own for all steps, or, where neither runtime nor options mount any, one for each node. */
    private Map<String, Object> workspace(TrainJobRequest request, String job, Map<String, Object> wishes) {
        if (claims(request)) {
            List<String> steps = new ArrayList<>(runtime.pods().keySet());
            steps.removeIf(step -> !runtime.trainerJobs().contains(step) && !isInitializer(step));
            for (String step : steps) {
                if (runtime.mount(step, Placement.CONTAINER_WORKSPACE).isPresent()) {
                    throw new InvalidJobException(
                            "the runtime " + runtime.runtime().name()
                                    + " brings a volume of its own for the workspace of " + step
                                    + "; leave the option workspaceClaim out, or choose a runtime without one");
                }
            }
            return pods(
                    steps,
                    claim(Names.companion(job)),
                    INITIALIZER,
                    List.of(mount(INITIALIZER, Placement.CONTAINER_WORKSPACE)));
        }
        if (runtime.hasWorkspace() || mountsWorkspace(new Tree(wishes))) {
            return Map.of();
        }
        return nodes(Map.of("emptyDir", Map.of()), WORKSPACE, List.of(mount(WORKSPACE, Placement.CONTAINER_WORKSPACE)));
    }

    private static boolean claims(TrainJobRequest request) {
        return request.options().stream().anyMatch(WorkspaceClaim.class::isInstance);
    }

    private static boolean isInitializer(String step) {
        return Arrays.stream(InitializerTarget.values())
                .anyMatch(target -> target.step().equals(step));
    }

    private static Map<String, Object> claim(String name) {
        return Map.of("persistentVolumeClaim", Map.of("claimName", name));
    }

    /**
     * Shows what was fetched a second time, where it is, so that it cannot be written there. A volume can be mounted once,
     * so that the same storage is given as a volume of another name.
     */
    private Map<String, Object> readOnlyInputs(TrainJobRequest request, String job) {
        if (request.initializers().isEmpty()) {
            throw new InvalidJobException(
                    "the job has the option readOnlyInputs, but no initializer; leave it out, or fetch something");
        }
        Map<String, Object> patch = Map.of();
        for (InitializerSpec spec : request.initializers()) {
            String directory = spec.target().directory();
            String volume = "trainer4j-" + directory;
            Map<String, Object> mount = mount(volume, Placement.CONTAINER_WORKSPACE + "/" + directory);
            mount.put("readOnly", true);
            Map<String, Object> source;
            if (claims(request)) {
                source = claim(Names.companion(job));
                mount.put("subPath", directory);
            } else {
                Tree shared = runtime.mount(runtime.trainerJobs().get(0), Placement.CONTAINER_WORKSPACE);
                source = shared(shared, job);
                String kind = shared.at("subPathExpr").isPresent() ? "subPathExpr" : "subPath";
                mount.put(kind, shared.at(kind).text().map(path -> path + "/").orElse("") + directory);
            }
            patch = Patches.merge(patch, nodes(source, volume, List.of(mount)));
        }
        return patch;
    }

    private Map<String, Object> shared(Tree mount, String job) {
        String name = mount.at("name").text().orElse("");
        Tree volume = runtime.pods()
                .getOrDefault(runtime.trainerJobs().get(0), Tree.EMPTY)
                .at("volumes")
                .find("name", name);
        if (name.isEmpty()
                || volume.at("emptyDir").isPresent()
                || volume.at("ephemeral").isPresent()) {
            throw new InvalidJobException("the runtime " + runtime.runtime().name()
                    + " has no volume at /workspace that nodes share with initializers, so that readOnlyInputs has"
                    + " nothing to show; leave it out, or give the job a workspaceClaim");
        }
        if (!volume.isPresent()) {
            // Made for each job by the runtime's volumeClaimPolicies.
            return claim(name + "-" + job);
        }
        Map<String, Object> source = new LinkedHashMap<>();
        volume.entries().forEach((field, value) -> {
            if (!field.equals("name") && value.value() != null) {
                source.put(field, value.value());
            }
        });
        return source;
    }

    private Map<String, Object> sharedMemory(Quantity size) {
        Map<String, Object> directory = new LinkedHashMap<>();
        directory.put("medium", "Memory");
        directory.put("sizeLimit", size.text());
        return nodes(Map.of("emptyDir", directory), SHARED_MEMORY, List.of(mount(SHARED_MEMORY, "/dev/shm")));
    }

    private static Map<String, Object> mount(String volume, String path) {
        Map<String, Object> mount = new LinkedHashMap<>();
        mount.put("name", volume);
        mount.put("mountPath", path);
        return mount;
    }

    private Map<String, Object> nodes(Map<String, Object> source, String name, List<Object> mounts) {
        return pods(runtime.trainerJobs(), source, name, mounts);
    }

    private static Map<String, Object> pods(
            List<String> steps, Map<String, Object> source, String name, List<Object> mounts) {
        Map<String, Object> volume = new LinkedHashMap<>();
        volume.put("name", name);
        volume.putAll(source);
        List<Object> jobs = new ArrayList<>();
        for (String step : steps) {
            Map<String, Object> container = new LinkedHashMap<>();
            container.put("name", isInitializer(step) ? step : Names.NODE);
            container.put("volumeMounts", mounts);
            Map<String, Object> pod = new LinkedHashMap<>();
            pod.put("volumes", List.of(volume));
            pod.put("containers", List.of(container));
            Map<String, Object> patched = new LinkedHashMap<>();
            patched.put("name", step);
            patched.put("template", Map.of("spec", Map.of("template", Map.of("spec", pod))));
            jobs.add(patched);
        }
        return Map.of("template", Map.of("spec", Map.of("replicatedJobs", jobs)));
    }
}
