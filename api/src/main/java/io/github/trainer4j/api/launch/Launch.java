package io.github.trainer4j.api.launch;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the nodes of one job are given. Pure: reads no file, clock or environment but what it is handed.
 *
 * <p>Beside the variables of the framework, every node gets {@value #JOB_NAME}, {@value #WORKSPACE} (the directory with
 * {@code dataset} and {@code model}) and {@value #PROGRESS_FILE} (where it may report its progress).
 */
public final class Launch {
    /** The variable with the job's name. */
    public static final String JOB_NAME = "TRAINJOB_NAME";
    /** The variable with the path of the workspace. */
    public static final String WORKSPACE = "TRAINJOB_WORKSPACE";
    /** The variable with the path of the file that a node may report its progress in. */
    public static final String PROGRESS_FILE = "TRAINJOB_PROGRESS_FILE";
    /** The directory of the workspace in which files of the launch lie. */
    public static final String DIRECTORY = ".trainer4j";

    private static final Set<String> OWN = Set.of(JOB_NAME, WORKSPACE, PROGRESS_FILE);
    private static final Map<String, Set<String>> RESERVED = Map.of(
            "torch",
            Set.of("PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"),
            "torchtune",
            Set.of("PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"),
            "jax",
            Set.of("JAX_NUM_PROCESSES", "JAX_PROCESS_ID", "JAX_COORDINATOR_ADDRESS"),
            "xgboost",
            Set.of("DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER"));

    private final TrainJobRequest request;
    private final TrainingRuntime runtime;
    private final Map<String, String> clientEnvironment;

    private Launch(TrainJobRequest request, TrainingRuntime runtime, Map<String, String> clientEnvironment) {
        this.request = request;
        this.runtime = runtime;
        this.clientEnvironment = clientEnvironment;
    }

    /**
     * Checks that trainer and runtime fit, and returns the launch.
     *
     * @param clientEnvironment the environment of the client, for {@code DEFAULT_PIP_INDEX_URLS}
     * @throws InvalidJobException if the runtime is of the wrong kind for the trainer, there is nothing to run, or the
     *     job sets a variable that belongs to the framework
     */
    public static Launch of(TrainJobRequest request, TrainingRuntime runtime, Map<String, String> clientEnvironment) {
        Optional<Trainer> trainer = request.trainer();
        boolean builtin = trainer.filter(BuiltinTrainer.class::isInstance).isPresent();
        if (builtin && !runtime.isBuiltin()) {
            throw new InvalidJobException("a BuiltinTrainer needs a runtime with a training program of its own, but "
                    + runtime.name() + " is a " + runtime.framework()
                    + " runtime; choose a torchtune runtime, or another trainer");
        }
        if (trainer.filter(CustomTrainer.class::isInstance).isPresent() && runtime.isBuiltin()) {
            throw new InvalidJobException("the runtime " + runtime.name()
                    + " brings its own training program and runs no script; choose a runtime such as torch-distributed, or"
                    + " a BuiltinTrainer");
        }
        NodeSettings nodes = request.nodes();
        for (Set<String> names : List.of(nodes.env().keySet(), nodes.secretEnv().keySet())) {
            for (String name : names) {
                if (OWN.contains(name)
                        || RESERVED.getOrDefault(runtime.framework(), Set.of()).contains(name)) {
                    throw new InvalidJobException("the variable " + name
                            + " is set for each node by the launch itself; remove it from the job");
                }
            }
        }
        return new Launch(request, runtime, Map.copyOf(clientEnvironment));
    }

    /** Returns the number of nodes. */
    public int numNodes() {
        return request.nodes().numNodes().orElse(runtime.numNodes());
    }

    /** Returns the image that the nodes run, and in words where it was chosen; empty if nobody chose one. */
    public Optional<ChosenImage> image() {
        return request.nodes()
                .image()
                .map(image -> new ChosenImage(image, "the trainer"))
                .or(() -> runtime.image().map(image -> new ChosenImage(image, "runtime " + runtime.name())));
    }

    /**
     * An image and who chose it.
     *
     * @param image the image's name
     * @param chosenBy who chose it, in words
     */
    public record ChosenImage(String image, String chosenBy) {}

    /** Returns what each node may use: the job's wishes, else the runtime's. */
    public Resources resources() {
        Resources own = request.nodes().resourcesPerNode();
        return own.isEmpty() ? runtime.resourcesPerNode() : own;
    }

    /** Returns the processes on each node: as said, else one for each GPU, else for each requested core, else one. */
    public int numProcPerNode() {
        if (request.nodes().numProcPerNode().isPresent()) {
            return request.nodes().numProcPerNode().getAsInt();
        }
        if (runtime.numProcPerNode().isPresent()) {
            return runtime.numProcPerNode().getAsInt();
        }
        Resources resources = resources();
        if (resources.gpus().orElse(0) > 0) {
            return resources.gpus().getAsInt();
        }
        return resources
                .get("cpu")
                .map(Quantity::value)
                .map(cores -> Math.max(1, cores.setScale(0, RoundingMode.FLOOR).intValue()))
                .orElse(1);
    }

    /** Returns what the node of this rank is given. */
    public NodeLaunch node(int rank, Placement placement) {
        Map<String, String> env = new LinkedHashMap<>(runtime.env());
        env.put(JOB_NAME, placement.job());
        env.put(WORKSPACE, placement.workspace());
        env.put(PROGRESS_FILE, placement.workspace() + "/" + progressFile(rank));
        env.putAll(rendezvous(rank, placement));
        env.putAll(request.nodes().env());
        List<LaunchFile> files = new ArrayList<>();
        List<String> install = List.of();
        List<String> command = new ArrayList<>();
        Trainer trainer = request.trainer().orElse(null);
        if (trainer instanceof CustomTrainer custom) {
            LaunchFile script = new LaunchFile(DIRECTORY + "/code/" + custom.fileName(), custom.source());
            files.add(script);
            install = install(custom, placement);
            command.add(placement.python());
            if (runtime.framework().equals("torch")) {
                command.addAll(List.of("-m", "torch.distributed.run"));
            }
            command.add(placement.workspace() + "/" + script.path());
            command.addAll(custom.args());
        } else if (trainer instanceof CommandTrainer plain) {
            command.addAll(plain.command());
        } else if (trainer instanceof JavaTrainer java) {
            command.add(placement.java());
            command.addAll(java.jvmOptions());
            if (!java.classPath().isEmpty()) {
                command.add("-cp");
                command.add(String.join(
                        placement.classPathSeparator(),
                        java.classPath().stream()
                                .map(placement.classPathEntry())
                                .toList()));
            }
            command.add(java.mainClass());
            command.addAll(java.args());
        } else if (trainer instanceof BuiltinTrainer builtin) {
            command.addAll(runtime.command().isEmpty() ? List.of("tune", "run") : runtime.command());
            command.addAll(runtime.args());
            command.addAll(torchtune(builtin, placement));
        } else if (!(trainer instanceof CustomTrainerContainer)) {
            command.addAll(runtime.command());
            command.addAll(runtime.args());
        }
        return new NodeLaunch(files, install, command, env, request.nodes().secretEnv());
    }

    /** Returns the path of a node's progress file, relative to the workspace. */
    public static String progressFile(int rank) {
        return DIRECTORY + "/progress-" + rank + ".json";
    }

    private Map<String, String> rendezvous(int rank, Placement placement) {
        Map<String, String> env = new LinkedHashMap<>();
        String port = Integer.toString(placement.masterPort());
        switch (runtime.framework()) {
            case "torch", "torchtune" -> {
                env.put("PET_NNODES", Integer.toString(numNodes()));
                env.put("PET_NPROC_PER_NODE", Integer.toString(numProcPerNode()));
                env.put("PET_NODE_RANK", Integer.toString(rank));
                env.put("PET_MASTER_ADDR", placement.masterAddress());
                env.put("PET_MASTER_PORT", port);
            }
            case "jax" -> {
                env.put("JAX_NUM_PROCESSES", Integer.toString(numNodes()));
                env.put("JAX_PROCESS_ID", Integer.toString(rank));
                env.put("JAX_COORDINATOR_ADDRESS", placement.masterAddress() + ":" + port);
            }
            case "xgboost" -> {
                env.put("DMLC_TRACKER_URI", placement.masterAddress());
                env.put("DMLC_TRACKER_PORT", port);
                env.put("DMLC_TASK_ID", Integer.toString(rank));
                env.put("DMLC_NUM_WORKER", Integer.toString(numNodes()));
            }
            default -> {
                // Other frameworks bring their own way to meet.
            }
        }
        return env;
    }

    private List<String> install(CustomTrainer trainer, Placement placement) {
        if (trainer.packagesToInstall().isEmpty()) {
            return List.of();
        }
        List<String> indexes = trainer.pipIndexUrls();
        if (indexes.isEmpty()) {
            indexes = Arrays.stream(clientEnvironment
                            .getOrDefault("DEFAULT_PIP_INDEX_URLS", "")
                            .split(","))
                    .map(String::strip)
                    .filter(url -> !url.isEmpty())
                    .toList();
        }
        List<String> command = new ArrayList<>(List.of(
                placement.python(), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet"));
        for (int i = 0; i < indexes.size(); i++) {
            command.add(i == 0 ? "--index-url" : "--extra-index-url");
            command.add(indexes.get(i));
        }
        command.addAll(trainer.packagesToInstall());
        return command;
    }

    private List<String> torchtune(BuiltinTrainer trainer, Placement placement) {
        List<String> args = new ArrayList<>();
        Map<String, String> overrides = trainer.config().overrides();
        overrides.forEach((key, value) -> args.add(key + "=" + value));
        Optional<InitializerSpec> dataset = request.initializers().stream()
                .filter(spec -> spec.target() == InitializerTarget.DATASET)
                .findFirst();
        if (dataset.isPresent()
                && !overrides.containsKey("dataset.data_dir")
                && !overrides.containsKey("dataset.data_files")) {
            args.add("dataset.data_dir=" + placement.workspace() + "/" + InitializerTarget.DATASET.directory());
        }
        boolean model = request.initializers().stream().anyMatch(spec -> spec.target() == InitializerTarget.MODEL);
        if (model && !overrides.containsKey("checkpointer.checkpoint_dir")) {
            args.add(
                    "checkpointer.checkpoint_dir=" + placement.workspace() + "/" + InitializerTarget.MODEL.directory());
        }
        return args;
    }
}
