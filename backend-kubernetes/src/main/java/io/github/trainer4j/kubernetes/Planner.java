package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.JobPlan.PlannedStep;
import io.github.trainer4j.api.ReadOnlyInputs;
import io.github.trainer4j.api.RuntimeField;
import io.github.trainer4j.api.RuntimePatch;
import io.github.trainer4j.api.RuntimeRef;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.WorkspaceClaim;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.launch.NodeLaunch;
import io.github.trainer4j.api.launch.PipCommand;
import io.github.trainer4j.api.launch.Placement;
import io.github.trainer4j.api.launch.PythonPackages;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.InitializerPlan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Turns requests into plans, and refuses what a TrainJob cannot say before anything is created. */
final class Planner {
    /** A ConfigMap holds at most 1 MiB; some of it goes to keys and metadata. */
    private static final int LARGEST_FILES = 1_000_000;

    private static final int LONGEST_POD_NAME = 63;
    /** All nodes have the same specification, so the name is the same for all; nothing here reads what they write. */
    private static final String PROGRESS_FILE = Placement.CONTAINER_WORKSPACE + "/.trainjob-progress.json";

    private static final Set<Class<? extends JobOption>> OPTIONS = Set.of(
            RuntimePatch.class, TrainJobField.class, RuntimeField.class, WorkspaceClaim.class, ReadOnlyInputs.class);

    private final BackendContext context;

    Planner(BackendContext context) {
        this.context = context;
    }

    /**
     * Returns what is to be created for a request.
     *
     * @param runtimes finds a runtime of the cluster
     * @param namespace where it will be created
     * @param fit says a TrainJob with the fields that the cluster's version has
     */
    KubernetesPlan plan(
            TrainJobRequest request,
            Function<RuntimeRef, ClusterRuntime> runtimes,
            String namespace,
            UnaryOperator<Map<String, Object>> fit) {
        refuse(request);
        ClusterRuntime runtime = runtimes.apply(reference(request));
        refuseOther(request, runtime);
        String name = request.name().orElseGet(JobName::generate);
        Launch launch = Launch.of(request, runtime.runtime(), context.environment());
        refuseLongName(name, runtime, launch.numNodes());
        NodeLaunch node = node(launch, name, request, runtime);
        List<InitializerPlan> initializers = request.initializers().stream()
                .map(spec -> initializer(spec, runtime))
                .toList();
        Manifest manifest = new Manifest(request, name, runtime, launch, node, initializers);
        refuseLarge(manifest.contents());
        Map<String, Object> trainJob = fit.apply(manifest.toMap());
        return new KubernetesPlan(
                name,
                trainJob,
                manifest.secrets(),
                manifest.contents(),
                claim(request),
                shown(name, namespace, runtime, launch, node, initializers, trainJob));
    }

    private RuntimeRef reference(TrainJobRequest request) {
        return request.runtime()
                .orElseGet(() -> RuntimeRef.named(context.runtimes().defaultName()));
    }

    private static void refuse(TrainJobRequest request) {
        JobOption.check(KubernetesBackendProvider.NAME, request.options(), OPTIONS);
        request.trainer()
                .filter(JavaTrainer.class::isInstance)
                .map(JavaTrainer.class::cast)
                .ifPresent(java -> {
                    if (!java.classPath().isEmpty()) {
                        throw new UnsupportedFeatureException("backend kubernetes cannot bring the class path "
                                + java.classPath()
                                + " of this machine to a cluster; build an image that has it, leave classPath"
                                + " empty, and name the path within the image by the JVM option --class-path=…"
                                + " or the variable CLASSPATH");
                    }
                });
    }

    /** A runtime that was given whole is only good if the cluster has the same: a TrainJob can only name one. */
    private static void refuseOther(TrainJobRequest request, ClusterRuntime runtime) {
        request.runtime().flatMap(reference -> reference.value()).ifPresent(given -> {
            if (!given.equals(from(given.source(), runtime.runtime()))) {
                throw differs(given.name() + " (" + given.source() + ")", "");
            }
        });
        List<String> others = new ArrayList<>();
        for (JobOption option : request.options()) {
            if (option instanceof RuntimeField field
                    && !field.isIn(runtime.resource().map())) {
                others.add(field.path());
            }
        }
        if (!others.isEmpty()) {
            throw differs(runtime.runtime().name(), " in " + String.join(", ", others));
        }
    }

    private static UnsupportedFeatureException differs(String runtime, String where) {
        return new UnsupportedFeatureException("the runtime " + runtime + " differs from the cluster's own of that name"
                + where
                + ", and a TrainJob can only name what the cluster has; give its name alone, or apply yours to the"
                + " cluster first");
    }

    /** The same runtime with the word that it comes from somewhere else, as from a file. */
    private static TrainingRuntime from(String source, TrainingRuntime runtime) {
        return new TrainingRuntime(
                runtime.name(),
                runtime.scope(),
                runtime.framework(),
                runtime.numNodes(),
                runtime.numProcPerNode(),
                runtime.image(),
                runtime.command(),
                runtime.args(),
                runtime.env(),
                runtime.resourcesPerNode(),
                runtime.initializerImages(),
                source);
    }

    /**
     * The cluster would take a TrainJob whose pods' names become too long, and then never make its JobSet. (Source: the
     * validating webhook of JobSet 0.12.)
     */
    private static void refuseLongName(String name, ClusterRuntime runtime, int numNodes) {
        List<String> tails = new ArrayList<>();
        runtime.trainerJobs().forEach(job -> tails.add("-" + job + "-0-" + (numNodes - 1) + "-abcde"));
        runtime.runtime().initializerImages().keySet().forEach(target -> tails.add("-" + target.step() + "-0-0-abcde"));
        String longest =
                tails.stream().max(Comparator.comparingInt(String::length)).orElse("");
        int room = LONGEST_POD_NAME - longest.length();
        if (name.length() > room) {
            throw new InvalidJobException("the job's name " + name + " has " + name.length()
                    + " characters, but the pods of runtime "
                    + runtime.runtime().name() + " will be named like "
                    + name + longest + ", which may have " + LONGEST_POD_NAME + "; give a name of at most " + room);
        }
    }

    private static NodeLaunch node(Launch launch, String name, TrainJobRequest request, ClusterRuntime runtime) {
        NodeLaunch node = launch.node(0, Placement.container(name, name + "-node-0-0." + name, Object::toString));
        if (node.command().isEmpty()
                && request.trainer().isEmpty()
                && runtime.runtime().command().isEmpty()) {
            throw new InvalidJobException("there is nothing to run: the job has no trainer, and the runtime "
                    + runtime.runtime().name() + " has no command; give a trainer, for example a CommandTrainer");
        }
        // What differs from node to node, and what the runtime says, the cluster itself gives.
        Map<String, String> env = new LinkedHashMap<>();
        env.put(Launch.JOB_NAME, name);
        env.put(Launch.WORKSPACE, Placement.CONTAINER_WORKSPACE);
        env.put(Launch.PROGRESS_FILE, PROGRESS_FILE);
        env.putAll(request.nodes().env());
        if (node.install().isEmpty()) {
            return new NodeLaunch(node.files(), List.of(), node.command(), env, node.secretEnv());
        }
        List<LaunchFile> files = new ArrayList<>(node.files());
        files.add(PythonPackages.installer());
        PipCommand pip = PipCommand.of(node.install());
        Map<String, Secret> secretEnv = new LinkedHashMap<>(node.secretEnv());
        secretEnv.putAll(pip.secretEnv());
        return new NodeLaunch(
                files, List.of(), PythonPackages.installing(pip.command(), node.command()), env, secretEnv);
    }

    private InitializerPlan initializer(InitializerSpec spec, ClusterRuntime runtime) {
        String step = spec.target().step();
        String what = spec.image().isPresent()
                ? "an image"
                : spec.timeout().isPresent()
                        ? "a timeout"
                        : spec.retries() > 0 ? "retries" : !spec.resources().isEmpty() ? "resources" : "";
        if (!what.isEmpty()) {
            throw new UnsupportedFeatureException("backend kubernetes cannot give the " + step + " " + what
                    + ": a TrainJob has no field for it; remove it, or say it in the training runtime "
                    + runtime.runtime().name());
        }
        if (!runtime.containers(step).contains(step)) {
            throw new InvalidJobException("the runtime " + runtime.runtime().name() + " has no job " + step
                    + (runtime.pods().containsKey(step) ? " with a container of that name" : "")
                    + ", so the cluster cannot fetch " + spec.storageUri()
                    + "; choose a runtime that has one, or leave the initializer out");
        }
        return context.initializers().create(spec).plan();
    }

    private static void refuseLarge(Map<String, String> files) {
        long bytes = files.values().stream()
                .mapToLong(content -> content.getBytes(StandardCharsets.UTF_8).length)
                .sum();
        if (bytes > LARGEST_FILES) {
            throw new InvalidJobException("the training script has " + bytes + " bytes, but a cluster takes at most "
                    + LARGEST_FILES + " that way; put it into the image, and run it by a CommandTrainer");
        }
    }

    private static Map<String, Object> claim(TrainJobRequest request) {
        Map<String, Object> spec = new LinkedHashMap<>();
        for (JobOption option : request.options()) {
            if (option instanceof WorkspaceClaim claim) {
                spec.put("accessModes", List.of(claim.accessMode().text()));
                claim.storageClass().ifPresent(name -> spec.put("storageClassName", name));
                spec.put(
                        "resources",
                        Map.of("requests", Map.of("storage", claim.size().text())));
            }
        }
        return spec;
    }

    private static JobPlan shown(
            String name,
            String namespace,
            ClusterRuntime runtime,
            Launch launch,
            NodeLaunch node,
            List<InitializerPlan> initializers,
            Map<String, Object> trainJob) {
        List<PlannedStep> steps = new ArrayList<>();
        for (InitializerPlan plan : initializers) {
            steps.add(new PlannedStep(
                    plan.target().step(),
                    List.of(),
                    Optional.ofNullable(runtime.runtime().initializerImages().get(plan.target())),
                    plan.environment(),
                    plan.secretEnvironment().keySet(),
                    List.of(),
                    List.of()));
        }
        for (int index = 0; index < launch.numNodes(); index++) {
            steps.add(new PlannedStep(
                    Names.nodeStep(index),
                    node.command(),
                    launch.image().map(image -> image.image() + " (chosen by " + image.chosenBy() + ")"),
                    node.env(),
                    node.secretEnv().keySet(),
                    node.files().stream().map(LaunchFile::path).toList(),
                    List.of()));
        }
        return new JobPlan(
                KubernetesBackendProvider.NAME,
                name,
                runtime.runtime().name() + " (" + runtime.runtime().scope().kind() + ", "
                        + runtime.runtime().source() + "), namespace " + namespace,
                steps,
                Optional.of(Serialization.asYaml(trainJob)));
    }
}
