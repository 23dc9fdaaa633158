package io.github.trainer4j.local;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.JobPlan.PlannedStep;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.launch.NodeLaunch;
import io.github.trainer4j.api.launch.Placement;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.local.JobRecord.Kind;
import io.github.trainer4j.local.JobRecord.StepRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that will be done for a job, checked.
 *
 * @param name the job's name
 * @param request what was asked for
 * @param runtime its runtime
 * @param launch what its nodes are given
 * @param directory where it will lie
 * @param initializers what is fetched first
 * @param interpreters the programs that its nodes may need
 * @param deviceEnv for each rank the variables that give it its devices
 * @param notes what people should know
 */
record LocalPlan(
        String name,
        TrainJobRequest request,
        TrainingRuntime runtime,
        Launch launch,
        JobDirectory directory,
        List<PlannedInitializer> initializers,
        Interpreters interpreters,
        List<Map<String, String>> deviceEnv,
        List<String> notes) {
    /** The name of the step that builds the nodes' Python environment. */
    static final String ENVIRONMENT_STEP = "python-environment";
    /** What the nodes' port is until they start, when a free one is chosen. */
    static final int PORT_TO_COME = 0;

    /**
     * Something to fetch.
     *
     * @param spec what was asked for
     * @param fetcher what fetches it
     */
    record PlannedInitializer(InitializerSpec spec, Fetcher fetcher) {
        String step() {
            return spec.target().step();
        }
    }

    /**
     * The programs that run scripts and classes.
     *
     * @param hostPython the interpreter of this host; empty where no step needs one
     * @param python the interpreter of the nodes: that of the host, or of an environment made for the job
     * @param java the launcher of the JVM
     */
    record Interpreters(Optional<Path> hostPython, Path python, Path java) {}

    LocalPlan {
        initializers = List.copyOf(initializers);
        deviceEnv = List.copyOf(deviceEnv);
        notes = List.copyOf(notes);
    }

    /** Returns what the node of this rank is given, when the nodes meet at this port. */
    NodeLaunch node(int rank, int port) {
        return launch.node(rank, placement(port));
    }

    private Placement placement(int port) {
        return new Placement(
                name,
                directory.workspace().toString(),
                interpreters.python().toString(),
                interpreters.java().toString(),
                ":",
                entry -> entry.toAbsolutePath().toString(),
                "127.0.0.1",
                port);
    }

    /** Returns the command that installs packages; empty: none are asked for. */
    List<String> install() {
        return node(0, PORT_TO_COME).install();
    }

    private List<String> visibleInstall() {
        return install().stream().map(Redaction::withoutUserInfo).toList();
    }

    /** Returns what a node's environment has on top of that of this process. */
    Map<String, String> env(int rank, NodeLaunch node) {
        Map<String, String> env = new LinkedHashMap<>();
        // Python holds back what it prints when nobody is at a terminal; a log that is followed wants it at once.
        env.put("PYTHONUNBUFFERED", "1");
        env.putAll(deviceEnv.get(rank));
        env.putAll(node.env());
        return env;
    }

    static String nodeStep(int rank) {
        return "node-" + rank;
    }

    List<StepRecord> steps() {
        List<StepRecord> steps = new ArrayList<>();
        for (PlannedInitializer initializer : initializers) {
            steps.add(new StepRecord(
                    initializer.step(), Kind.INITIALIZER, List.of(), Optional.empty(), Optional.empty()));
        }
        if (!install().isEmpty()) {
            steps.add(new StepRecord(
                    ENVIRONMENT_STEP, Kind.ENVIRONMENT, visibleInstall(), Optional.empty(), Optional.empty()));
        }
        Optional<String> device = launch.resources().gpus().isPresent()
                ? Optional.of("gpu")
                : launch.resources().get("cpu").map(cores -> "cpu");
        Optional<String> count = launch.resources().gpus().isPresent()
                ? Optional.of(Integer.toString(launch.resources().gpus().getAsInt()))
                : launch.resources().get("cpu").map(Object::toString);
        for (int rank = 0; rank < launch.numNodes(); rank++) {
            List<String> command = node(rank, PORT_TO_COME).command();
            steps.add(new StepRecord(nodeStep(rank), Kind.NODE, command, device, count));
        }
        return steps;
    }

    JobPlan toJobPlan() {
        List<PlannedStep> steps = new ArrayList<>();
        for (PlannedInitializer initializer : initializers) {
            steps.add(new PlannedStep(
                    initializer.step(),
                    List.of(),
                    Optional.empty(),
                    Map.of(),
                    Set.of(),
                    List.of(),
                    List.of("fetches " + initializer.spec().storageUri() + " within this process into "
                            + directory
                                    .workspace()
                                    .resolve(initializer.spec().target().directory()))));
        }
        if (!install().isEmpty()) {
            steps.add(new PlannedStep(
                    ENVIRONMENT_STEP,
                    visibleInstall(),
                    Optional.empty(),
                    Map.of(),
                    Set.of(),
                    List.of(),
                    List.of("in an environment of the job's own, which also sees the packages of "
                            + interpreters.hostPython().map(Path::toString).orElse("Python"))));
        }
        for (int rank = 0; rank < launch.numNodes(); rank++) {
            NodeLaunch node = node(rank, PORT_TO_COME);
            List<String> nodeNotes = new ArrayList<>();
            nodeNotes.add("runs in " + directory.workspace() + "; port 0 stands for a free one, chosen at the start");
            nodeNotes.addAll(notes);
            steps.add(new PlannedStep(
                    nodeStep(rank),
                    node.command(),
                    Optional.empty(),
                    env(rank, node),
                    node.secretEnv().keySet(),
                    node.files().stream().map(LaunchFile::path).toList(),
                    nodeNotes));
        }
        return new JobPlan(
                LocalBackend.NAME, name, runtime.name() + " (" + runtime.source() + ")", steps, Optional.empty());
    }
}
