package io.github.trainer4j.local;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.NodeLaunch;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.local.LocalPlan.Interpreters;
import io.github.trainer4j.local.LocalPlan.PlannedInitializer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/** Turns requests into plans, and refuses what this backend cannot do before anything of it is started. */
final class Planner {
    private static final Set<String> NOT_ENFORCED = Set.of("cpu", "memory", "shm", "storage");
    private static final int MOST_NODES = 1000;
    private static final Set<String> GPUS = Set.of("gpu", "nvidia.com/gpu");

    private final BackendContext context;
    private final LocalSettings settings;
    private final Host host;

    Planner(BackendContext context, LocalSettings settings, Host host) {
        this.context = context;
        this.settings = settings;
        this.host = host;
    }

    /**
     * Returns the plan of a job that this host can run.
     *
     * @throws InvalidJobException if a program or a class that it needs is not there
     * @throws UnsupportedFeatureException if it asks for what this backend cannot do
     */
    LocalPlan plan(TrainJobRequest request, JobStore store) {
        LocalPlan plan = draft(request, store);
        check(plan);
        return plan;
    }

    /** Returns a plan without a look at whether its programs and classes are there. */
    LocalPlan draft(TrainJobRequest request, JobStore store) {
        TrainingRuntime runtime = context.runtimes().of(request);
        Launch launch = Launch.of(request, runtime, context.environment());
        if (launch.needsCluster()) {
            throw UnsupportedFeatureException.needsCluster(runtime, LocalBackend.NAME);
        }
        refuse(request);
        if (launch.numNodes() > MOST_NODES) {
            throw new UnsupportedFeatureException(
                    "the job has " + launch.numNodes() + " nodes, and backend local runs at most " + MOST_NODES
                            + " on one host; ask for fewer, or use backend kubernetes");
        }
        List<PlannedInitializer> initializers =
                request.initializers().stream().map(this::initializer).toList();
        List<String> notes = notes(launch);
        List<Map<String, String>> deviceEnv = deviceEnv(launch);
        String name = request.name().orElseGet(JobName::generate);
        JobDirectory directory = store.directory(name);
        return new LocalPlan(
                name,
                request,
                runtime,
                launch,
                directory,
                initializers,
                interpreters(request.trainer(), directory),
                deviceEnv,
                notes);
    }

    private static void refuse(TrainJobRequest request) {
        JobOption.check(LocalBackend.NAME, request.options(), Set.of());
        if (request.trainer().filter(CustomTrainerContainer.class::isInstance).isPresent()) {
            throw new UnsupportedFeatureException("backend local runs processes and no images, so it cannot run a"
                    + " CustomTrainerContainer; use backend docker, podman or kubernetes, or a CommandTrainer");
        }
        if (request.nodes().image().isPresent()) {
            throw new UnsupportedFeatureException("backend local runs processes and no images, but the trainer has the"
                    + " image " + request.nodes().image().get()
                    + "; remove it, or use backend docker, podman or kubernetes");
        }
        for (Map.Entry<String, Secret> secret : request.nodes().secretEnv().entrySet()) {
            refuseReference(secret.getValue(), "the variable " + secret.getKey());
        }
        for (InitializerSpec initializer : request.initializers()) {
            String step = initializer.target().step();
            if (initializer.image().isPresent()) {
                throw new UnsupportedFeatureException("backend local fetches within this process, but the " + step
                        + " has the image " + initializer.image().get()
                        + "; remove it, or use backend docker, podman or kubernetes");
            }
            if (!initializer.resources().isEmpty()) {
                throw new UnsupportedFeatureException("backend local fetches within this process, and cannot limit the "
                        + step + " to " + initializer.resources().amounts()
                        + "; remove its resources, or use backend docker, podman or kubernetes");
            }
            initializer.secrets().forEach((name, secret) -> refuseReference(secret, "the " + step + "'s " + name));
        }
    }

    private static void refuseReference(Secret secret, String what) {
        secret.reference().ifPresent(reference -> {
            throw new UnsupportedFeatureException(what + " is the reference " + secret
                    + ", but backend local keeps no secrets; give the value with Secret.of, or use backend kubernetes");
        });
    }

    private PlannedInitializer initializer(InitializerSpec spec) {
        Initializer initializer = context.initializers().create(spec);
        if (initializer.needsCluster()) {
            throw UnsupportedFeatureException.needsCluster(spec, "local");
        }
        Fetcher fetcher = initializer
                .fetcher()
                .orElseThrow(() -> new UnsupportedFeatureException("backend local fetches within this process, but "
                        + spec.scheme() + ":// of the " + spec.target().step()
                        + " cannot be fetched so; use backend docker, podman or kubernetes"));
        return new PlannedInitializer(spec, fetcher);
    }

    private List<String> notes(Launch launch) {
        List<String> unlimited = new ArrayList<>();
        launch.resources().amounts().forEach((name, amount) -> {
            if (NOT_ENFORCED.contains(name)) {
                unlimited.add(name + " " + amount);
            } else if (!GPUS.contains(name)) {
                throw new UnsupportedFeatureException("backend local cannot give a node the resource " + name
                        + "; remove it, or use backend kubernetes");
            }
        });
        if (unlimited.isEmpty()) {
            return List.of();
        }
        String limits = String.join(", ", unlimited);
        if (settings.strict()) {
            throw new UnsupportedFeatureException("backend local cannot hold a process to its limits (" + limits
                    + "), and the setting local.strict is true; remove them, or use backend docker, podman or"
                    + " kubernetes");
        }
        return List.of("limits are not enforced by backend local: " + limits);
    }

    private List<Map<String, String>> deviceEnv(Launch launch) {
        int nodes = launch.numNodes();
        OptionalInt wanted = launch.resources().gpus();
        if (wanted.isEmpty()) {
            return IntStream.range(0, nodes)
                    .mapToObj(rank -> Map.<String, String>of())
                    .toList();
        }
        int each = wanted.getAsInt();
        List<String> gpus = host.gpus();
        if ((long) each * nodes > gpus.size()) {
            throw new UnsupportedFeatureException(
                    nodes + " nodes with " + each + " GPUs each need " + (long) each * nodes
                            + ", but backend local sees " + gpus.size()
                            + " on this host; ask for fewer, or use backend kubernetes");
        }
        return IntStream.range(0, nodes)
                .mapToObj(rank ->
                        Map.of("CUDA_VISIBLE_DEVICES", String.join(",", gpus.subList(rank * each, (rank + 1) * each))))
                .toList();
    }

    private Interpreters interpreters(Optional<Trainer> trainer, JobDirectory directory) {
        if (trainer.orElse(null) instanceof CustomTrainer custom) {
            Path python = host.python();
            Path own = custom.packagesToInstall().isEmpty()
                    ? python
                    : directory.pythonEnvironment().resolve("bin").resolve("python");
            return new Interpreters(Optional.of(python), own, host.java());
        }
        return new Interpreters(Optional.empty(), Path.of("python3"), host.java());
    }

    private void check(LocalPlan plan) {
        NodeSettings nodes = plan.request().nodes();
        NodeLaunch node = plan.node(0, LocalPlan.PORT_TO_COME);
        List<String> variables = new ArrayList<>(node.env().keySet());
        variables.addAll(node.secretEnv().keySet());
        host.checkVariables(variables);
        Trainer trainer = plan.request().trainer().orElse(null);
        if (trainer instanceof CustomTrainer) {
            return;
        }
        if (trainer instanceof JavaTrainer java) {
            JavaClassPath.check(java, nodes.env().containsKey("CLASSPATH"));
            return;
        }
        if (node.command().isEmpty()) {
            throw new InvalidJobException("there is nothing to run: the job has no trainer, and the runtime "
                    + plan.runtime().name() + " has no command; give a trainer, for example a CommandTrainer");
        }
        String program = node.command().get(0);
        String what = trainer instanceof CommandTrainer ? "the command's program" : "the runtime's program";
        Map<String, String> env = new LinkedHashMap<>(host.environment());
        env.putAll(node.env());
        if (program.contains("/") && !program.startsWith("/")) {
            if (plan.initializers().isEmpty()) {
                throw new InvalidJobException(what + " '" + program
                        + "' is relative to the job's own directory, which is empty at first; give an absolute path, or"
                        + " the name of a program on PATH");
            }
        } else if (host.find(program, env).isEmpty()) {
            throw new InvalidJobException(what + " '" + program + "' "
                    + (program.startsWith("/")
                            ? "does not exist or cannot be executed"
                            : "is not on PATH (" + env.getOrDefault("PATH", "") + ")")
                    + "; install it on this host, or give its absolute path");
        }
    }
}
