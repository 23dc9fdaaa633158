package io.github.trainer4j.api.launch;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.RuntimeTrainer;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the nodes of one job are given. Pure: reads no file, clock or environment but what it is handed.
 *
 * <p>A script and a Java program are started on every node, by {@code mpirun} on an MPI runtime; the command of a
 * {@link CommandTrainer} runs as it is, on an MPI runtime once. Beside the variables of the framework, every node gets {@value #JOB_NAME}, {@value #WORKSPACE} (the directory with
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
    private static final List<String> MPIRUN = List.of("mpirun", "--hostfile", "/etc/mpi/hostfile");

    private final TrainJobRequest request;
    private final TrainingRuntime runtime;
    private final Map<String, String> clientEnvironment;

    private Launch(TrainJobRequest request, TrainingRuntime runtime, Map<String, String> clientEnvironment) {
        this.request = request;
        this.runtime = runtime;
        this.clientEnvironment = clientEnvironment;
    }

    /**
     * Checks that trainer, runtime and initializers fit, and returns the launch.
     *
     * @param clientEnvironment the environment of the client, for {@code DEFAULT_PIP_INDEX_URLS}
     * @throws InvalidJobException if the runtime is of the wrong kind for the trainer, there is nothing to run, a
     *     BuiltinTrainer cannot do what it is asked for, or the job sets a variable that belongs to the framework
     */
    public static Launch of(TrainJobRequest request, TrainingRuntime runtime, Map<String, String> clientEnvironment) {
        Launch launch = new Launch(request, runtime, Map.copyOf(clientEnvironment));
        launch.checkTrainer();
        launch.checkVariables();
        return launch;
    }

    private void checkTrainer() {
        Trainer trainer = request.trainer().orElse(null);
        if (trainer instanceof BuiltinTrainer builtin) {
            if (!runtime.isBuiltin()) {
                throw new InvalidJobException(
                        "a BuiltinTrainer needs a runtime with a training program of its own, but "
                                + runtime.name() + " is a " + runtime.framework()
                                + " runtime; choose a torchtune runtime, or another trainer");
            }
            torchtune(builtin).check(numNodes());
        }
        if (trainer instanceof CustomTrainer && runtime.isBuiltin()) {
            throw new InvalidJobException("the runtime " + runtime.name()
                    + " brings its own training program and runs no script; choose a runtime such as torch-distributed, or"
                    + " a BuiltinTrainer");
        }
        boolean byRuntime = trainer == null || trainer instanceof RuntimeTrainer;
        if (byRuntime && runtime.command().isEmpty() && image().isEmpty()) {
            throw new InvalidJobException("there is nothing to run: the job has no trainer, and the runtime "
                    + runtime.name()
                    + " has neither a command nor an image; give a trainer, for example a CommandTrainer");
        }
        if (trainer instanceof RuntimeTrainer own
                && own.args().isPresent()
                && runtime.command().isEmpty()) {
            throw new InvalidJobException("the job gives arguments (spec.trainer.args) but no command, and the runtime "
                    + runtime.name() + " has no command that could take them; give the command with them");
        }
    }

    private void checkVariables() {
        NodeSettings nodes = request.nodes();
        for (Set<String> names : List.of(nodes.env().keySet(), nodes.secretEnv().keySet())) {
            for (String name : names) {
                if (OWN.contains(name) || reservedVariables().contains(name)) {
                    throw new InvalidJobException("the variable " + name
                            + " is set for each node by the launch itself; remove it from the job");
                }
            }
        }
    }

    /**
     * Returns whether the nodes can only meet where a cluster prepares it: those of MPI runtimes, which one step starts
     * over hostfile and keys. Backends without a cluster refuse such a launch.
     */
    public boolean needsCluster() {
        return Rendezvous.needsCluster(runtime.framework());
    }

    /** Returns the variables that the framework's own way to meet sets; a cluster refuses a job that gives them. */
    public Set<String> reservedVariables() {
        return Rendezvous.reserved(runtime.framework());
    }

    /**
     * Returns the arguments {@code key=value} of a BuiltinTrainer as a TrainJob resource carries them beside the command
     * {@code tune run}, which the cluster completes; empty for other trainers. {@link #node} has the whole command.
     *
     * @param workspace the path of the workspace as the node sees it
     */
    public List<String> builtinArgs(String workspace) {
        return request.trainer().orElse(null) instanceof BuiltinTrainer builtin
                ? torchtune(builtin).args(workspace)
                : List.of();
    }

    private Torchtune torchtune(BuiltinTrainer trainer) {
        return new Torchtune(runtime, trainer.config(), request.initializers());
    }

    boolean isBuiltin() {
        return request.trainer().orElse(null) instanceof BuiltinTrainer;
    }

    String framework() {
        return runtime.framework();
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

    /**
     * Returns the processes on each node: as said, else one for each GPU, else one for each requested core (a part of one
     * counts as a whole), else one.
     */
    public int numProcPerNode() {
        if (request.nodes().numProcPerNode().isPresent()) {
            return request.nodes().numProcPerNode().getAsInt();
        }
        if (runtime.numProcPerNode().isPresent()) {
            return runtime.numProcPerNode().getAsInt();
        }
        if (gpus() > 0) {
            return gpus();
        }
        return resources()
                .get("cpu")
                .map(Launch::whole)
                .filter(cores -> cores > 0)
                .orElse(1);
    }

    /** The GPUs of a node, whoever makes them: a cluster counts the resource that has {@code gpu} in its name. */
    int gpus() {
        return resources().amounts().entrySet().stream()
                .filter(amount -> amount.getKey().toLowerCase(Locale.ROOT).contains("gpu"))
                .findFirst()
                .map(amount -> whole(amount.getValue()))
                .orElse(0);
    }

    private static int whole(Quantity amount) {
        return (int) Math.min(Integer.MAX_VALUE, amount.toLong());
    }

    /**
     * Returns what the node of this rank is given.
     *
     * @throws IllegalArgumentException if there is no such rank
     */
    public NodeLaunch node(int rank, Placement placement) {
        if (rank < 0 || rank >= numNodes()) {
            throw new IllegalArgumentException("rank " + rank + " of " + numNodes() + " nodes");
        }
        List<LaunchFile> files = new ArrayList<>();
        List<String> install = List.of();
        List<String> command = new ArrayList<>();
        Trainer trainer = request.trainer().orElse(null);
        if ((trainer instanceof CustomTrainer || trainer instanceof JavaTrainer)
                && Rendezvous.isMpi(runtime.framework())) {
            command.addAll(MPIRUN);
        }
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
            command.addAll(java(java, placement));
        } else if (trainer instanceof BuiltinTrainer builtin) {
            command.addAll(torchtune(builtin).command(this, placement));
        } else if (trainer instanceof RuntimeTrainer own && own.args().isPresent()) {
            command.addAll(runtime.command());
            command.addAll(own.args().get());
        } else if (!(trainer instanceof CustomTrainerContainer)) {
            command.addAll(runtime.command());
            command.addAll(runtime.args());
        }
        return new NodeLaunch(
                files, install, command, env(rank, placement), request.nodes().secretEnv());
    }

    private Map<String, String> env(int rank, Placement placement) {
        Map<String, String> env = new LinkedHashMap<>(runtime.env());
        env.put(JOB_NAME, placement.job());
        env.put(WORKSPACE, placement.workspace());
        env.put(PROGRESS_FILE, placement.workspace() + "/" + progressFile(rank));
        env.putAll(Rendezvous.env(this, rank, placement));
        env.putAll(request.nodes().env());
        env.keySet().removeAll(request.nodes().secretEnv().keySet());
        return env;
    }

    /** Returns the path of a node's progress file, relative to the workspace. */
    public static String progressFile(int rank) {
        return DIRECTORY + "/progress-" + rank + ".json";
    }

    private static List<String> java(JavaTrainer trainer, Placement placement) {
        List<String> command = new ArrayList<>();
        command.add(placement.java());
        command.addAll(trainer.jvmOptions());
        if (!trainer.classPath().isEmpty()) {
            command.add("-cp");
            command.add(String.join(
                    placement.classPathSeparator(),
                    trainer.classPath().stream().map(placement.classPathEntry()).toList()));
        }
        command.add(trainer.mainClass());
        command.addAll(trainer.args());
        return command;
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
}
