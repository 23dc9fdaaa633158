package io.github.trainer4j.container;

import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.ImagePullPolicy;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.RuntimeTrainer;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.launch.NodeLaunch;
import io.github.trainer4j.api.launch.PipCommand;
import io.github.trainer4j.api.launch.Placement;
import io.github.trainer4j.api.launch.PythonPackages;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.container.ContainerPlan.PlannedInitializer;
import io.github.trainer4j.container.ContainerSettings.InitializerCommand;
import io.github.trainer4j.container.JobRecord.StepRecord;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Turns requests into plans, and refuses what this backend cannot do before anything of it is started. */
final class Planner {
    private static final String INITIALIZER_DIRECTORY = "/app";
    private static final String DEFAULT_IMAGES = "ghcr.io/kubeflow/trainer/";
    private static final String DEFAULT_TAG = ":v2.3.0";

    private final Product product;
    private final BackendContext context;
    private final ContainerSettings settings;

    Planner(Product product, BackendContext context, ContainerSettings settings) {
        this.product = product;
        this.context = context;
        this.settings = settings;
    }

    /**
     * Returns what is to be done for a request.
     *
     * @param engine the address of the engine
     * @param inVolume whether the workspace is a volume of the engine
     */
    ContainerPlan plan(TrainJobRequest request, JobStore store, String engine, boolean inVolume) {
        TrainingRuntime runtime = context.runtimes().of(request);
        Launch launch = Launch.of(request, runtime, context.environment());
        if (launch.needsCluster()) {
            throw UnsupportedFeatureException.needsCluster(runtime, product.backend());
        }
        refuse(request);
        Launch.ChosenImage image = launch.image()
                .orElseThrow(
                        () -> new InvalidJobException("there is no image to run: neither the trainer nor the runtime "
                                + runtime.name() + " names one; give the trainer an image"));
        Limits limits = ResourceLimits.of(product, launch.resources(), "a node");
        String name = request.name().orElseGet(JobName::generate);
        JobDirectory directory = store.directory(name);
        String uid = UUID.randomUUID().toString();
        Assembly assembly = new Assembly(
                name,
                uid,
                directory,
                inVolume ? Optional.of(Workspace.volumeName(name)) : Optional.empty(),
                request.trainer().filter(JavaTrainer.class::isInstance).isPresent());

        ClassPath classPath = ClassPath.of(request.trainer(), inVolume);
        refuseColon(assembly, classPath);
        Placement placement = Placement.container(name, master(name), classPath::inContainer);
        List<PlannedInitializer> initializers = request.initializers().stream()
                .map(spec -> initializer(spec, runtime, assembly))
                .toList();
        List<ContainerSpec> nodes = new ArrayList<>();
        List<LaunchFile> files = new ArrayList<>();
        for (int rank = 0; rank < launch.numNodes(); rank++) {
            NodeLaunch node = launch.node(rank, placement);
            if (rank == 0) {
                files.addAll(node.files());
                if (!node.install().isEmpty()) {
                    files.add(PythonPackages.installer());
                }
                check(request, runtime, node);
            }
            nodes.add(assembly.node(rank, image.image(), node, classPath.mounts(), gpus(limits, rank, launch))
                    .within(settings.surroundings()));
        }
        JobRecord record = record(request, runtime, launch, engine, assembly, initializers, nodes.get(0));
        return new ContainerPlan(
                record,
                runtime.name() + " (" + runtime.source() + ")",
                image.chosenBy(),
                pullPolicy(request),
                files,
                initializers,
                nodes,
                classPath.copies(),
                List.of());
    }

    /** On the network of the engine's machine all nodes are one another's neighbours, and have no names. */
    private String master(String job) {
        return settings.surroundings().network().filter("host"::equals).isPresent()
                ? "127.0.0.1"
                : ContainerBody.neighbourName(job + "-" + JobRecord.nodeStep(0), JobRecord.nodeStep(0));
    }

    /** Gives each node devices of its own: an engine that is asked for a number gives all nodes the same ones. */
    private Limits gpus(Limits limits, int rank, Launch launch) {
        int each = limits.gpus().orElse(0);
        int nodes = launch.numNodes();
        List<String> ids = settings.gpuIds();
        if (each == 0 || (ids.isEmpty() && nodes == 1)) {
            return limits;
        }
        if (!ids.isEmpty() && (long) each * nodes > ids.size()) {
            throw new UnsupportedFeatureException(nodes + " nodes with " + each + " GPUs each need "
                    + (long) each * nodes + ", but the setting " + product.backend() + ".gpu-ids has " + ids.size()
                    + "; ask for fewer, or set more");
        }
        List<String> own = new ArrayList<>();
        for (int i = rank * each; i < (rank + 1) * each; i++) {
            own.add(ids.isEmpty() ? Integer.toString(i) : ids.get(i));
        }
        return limits.withGpuIds(own);
    }

    /** An engine is told of a mount in one text with colons between its parts. */
    private void refuseColon(Assembly assembly, ClassPath classPath) {
        List<String> sources =
                new ArrayList<>(classPath.mounts().stream().map(Mount::source).toList());
        sources.add(assembly.workspace().source());
        for (String source : sources) {
            if (source.indexOf(':') >= 0) {
                throw new UnsupportedFeatureException("backend " + product.backend() + " cannot mount " + source
                        + ", because there is a colon in its path; move it, or configure another work directory");
            }
        }
    }

    private void refuse(TrainJobRequest request) {
        JobOption.check(product.backend(), request.options(), Set.of(ImagePullPolicy.class));
        for (Map.Entry<String, Secret> secret : request.nodes().secretEnv().entrySet()) {
            refuseReference(secret.getValue(), "the variable " + secret.getKey());
        }
        for (InitializerSpec initializer : request.initializers()) {
            initializer
                    .secrets()
                    .forEach((name, secret) -> refuseReference(
                            secret, "the " + initializer.target().step() + "'s " + name));
        }
    }

    private void refuseReference(Secret secret, String what) {
        secret.reference().ifPresent(reference -> {
            throw new UnsupportedFeatureException(what + " is the reference " + secret + ", but backend "
                    + product.backend()
                    + " keeps no secrets; give the value with Secret.of, or use backend kubernetes");
        });
    }

    private ImagePullPolicy pullPolicy(TrainJobRequest request) {
        return request.options().stream()
                .filter(ImagePullPolicy.class::isInstance)
                .map(ImagePullPolicy.class::cast)
                .findFirst()
                .orElse(settings.pullPolicy());
    }

    private static void check(TrainJobRequest request, TrainingRuntime runtime, NodeLaunch node) {
        boolean ownProgram = request.trainer()
                .filter(trainer -> trainer instanceof CustomTrainerContainer
                        || (trainer instanceof RuntimeTrainer
                                && trainer.nodes().image().isPresent()))
                .isPresent();
        if (node.command().isEmpty() && !ownProgram) {
            throw new InvalidJobException("there is nothing to run: the job has no trainer, and the runtime "
                    + runtime.name() + " has no command; give a trainer, for example a CommandTrainer, or a"
                    + " CustomTrainerContainer to run what the image does by itself");
        }
    }

    private PlannedInitializer initializer(InitializerSpec spec, TrainingRuntime runtime, Assembly assembly) {
        Initializer initializer = context.initializers().create(spec);
        if (initializer.needsCluster()) {
            throw UnsupportedFeatureException.needsCluster(spec, product.backend());
        }
        if (settings.initializersOnHost()) {
            return onHost(spec, initializer);
        }
        InitializerTarget target = spec.target();
        String image = spec.image()
                .or(() -> Optional.ofNullable(settings.initializerImages().get(target)))
                .or(() -> Optional.ofNullable(runtime.initializerImages().get(target)))
                .orElseGet(() -> defaultImage(target));
        Limits limits = ResourceLimits.of(product, spec.resources(), "the " + target.step());
        InitializerPlan plan = initializer.plan();
        Map<String, String> env = new LinkedHashMap<>(plan.environment());
        env.putIfAbsent("OUTPUT_PATH", Placement.CONTAINER_WORKSPACE + "/" + target.directory());
        return new PlannedInitializer(
                spec,
                Optional.of(new ContainerSpec(
                                assembly.containerName(target.step()),
                                target.step(),
                                image,
                                settings.initializerCommand() == InitializerCommand.IMAGE
                                        ? List.of()
                                        : List.of("python", "-m", "pkg.initializers." + target.directory()),
                                env,
                                plan.secretEnvironment(),
                                assembly.labels(target.step()),
                                List.of(assembly.workspace()),
                                INITIALIZER_DIRECTORY,
                                limits,
                                Surroundings.NONE)
                        .within(settings.surroundings())),
                Optional.empty());
    }

    /** Returns the image of an initializer where nobody names one. */
    static String defaultImage(InitializerTarget target) {
        return DEFAULT_IMAGES + target.step() + DEFAULT_TAG;
    }

    private PlannedInitializer onHost(InitializerSpec spec, Initializer initializer) {
        String step = spec.target().step();
        if (spec.image().isPresent() || !spec.resources().isEmpty()) {
            throw new UnsupportedFeatureException("the setting " + product.backend()
                    + ".initializers is host, so the " + step
                    + " runs within this process and in no container, but it has "
                    + (spec.image().isPresent() ? "an image" : "resources") + "; remove it, or change the setting");
        }
        return new PlannedInitializer(
                spec,
                Optional.empty(),
                Optional.of(initializer
                        .fetcher()
                        .orElseThrow(() -> new UnsupportedFeatureException("the setting " + product.backend()
                                + ".initializers is host, but " + spec.scheme()
                                + ":// cannot be fetched within this process; remove the"
                                + " setting, or use another backend"))));
    }

    private JobRecord record(
            TrainJobRequest request,
            TrainingRuntime runtime,
            Launch launch,
            String engine,
            Assembly assembly,
            List<PlannedInitializer> initializers,
            ContainerSpec node) {
        Optional<String> device = launch.resources().gpus().isPresent()
                ? Optional.of("gpu")
                : launch.resources().get("cpu").map(cores -> "cpu");
        Optional<String> count = launch.resources().gpus().isPresent()
                ? Optional.of(Integer.toString(launch.resources().gpus().getAsInt()))
                : launch.resources().get("cpu").map(Object::toString);
        var created = context.clock().instant().truncatedTo(ChronoUnit.MILLIS);
        return new JobRecord(
                assembly.job(),
                assembly.uid(),
                product.backend(),
                engine,
                runtime.name(),
                created,
                request.deadline().map(created::plus),
                settings.grace(),
                launch.numNodes(),
                request.labels(),
                request.annotations(),
                assembly.directory().workspace().toString(),
                assembly.volume(),
                LauncherIdentity.self(),
                initializers.stream()
                        .map(initializer -> new StepRecord(
                                initializer.step(),
                                initializer.container().map(ContainerSpec::image),
                                initializer
                                        .container()
                                        .map(ContainerSpec::command)
                                        .orElse(List.of()),
                                Optional.empty(),
                                Optional.empty()))
                        .toList(),
                new StepRecord("node", Optional.of(node.image()), node.command(), device, count));
    }

    /** What the containers of one job have in common. */
    private record Assembly(String job, String uid, JobDirectory directory, Optional<String> volume, boolean java) {
        String containerName(String step) {
            return job + "-" + step;
        }

        Mount workspace() {
            return Workspace.mount(directory, volume);
        }

        Map<String, String> labels(String step) {
            Map<String, String> labels = new LinkedHashMap<>();
            labels.put(Labels.JOB, job);
            labels.put(Labels.STEP, step);
            labels.put(Labels.NETWORK, job + "-net");
            labels.put(Labels.UID, uid);
            return labels;
        }

        ContainerSpec node(int rank, String image, NodeLaunch node, List<Mount> mounts, Limits limits) {
            String step = JobRecord.nodeStep(rank);
            Map<String, String> env = new LinkedHashMap<>();
            // Python holds back what it prints when nobody is at a terminal; a log that is followed wants it at once.
            env.put("PYTHONUNBUFFERED", "1");
            if (java) {
                // Without it a JVM takes its arguments for ASCII; an image that sets LC_ALL is not overruled by it.
                env.put("LC_CTYPE", "C.UTF-8");
            }
            env.putAll(node.env());
            PipCommand pip = PipCommand.of(node.install());
            Map<String, Secret> secretEnv = new LinkedHashMap<>(node.secretEnv());
            secretEnv.putAll(pip.secretEnv());
            env.keySet().removeAll(secretEnv.keySet());
            List<Mount> all = new ArrayList<>(List.of(workspace()));
            all.addAll(mounts);
            return new ContainerSpec(
                    containerName(step),
                    step,
                    image,
                    node.install().isEmpty()
                            ? node.command()
                            : PythonPackages.installing(pip.command(), node.command()),
                    env,
                    secretEnv,
                    labels(step),
                    all,
                    Placement.CONTAINER_WORKSPACE,
                    limits,
                    Surroundings.NONE);
        }
    }
}
