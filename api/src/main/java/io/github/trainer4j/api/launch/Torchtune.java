package io.github.trainer4j.api.launch;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainingRuntime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What torchtune is told. A cluster's torch plug-in makes recipe, configuration and rendezvous out of a TrainJob's
 * arguments; where there is no cluster, the same is made here.
 */
final class Torchtune {
    private static final List<String> ENTRYPOINT = List.of("tune", "run");
    private static final String CHECKPOINT_DIR = "checkpointer.checkpoint_dir";

    private final TrainingRuntime runtime;
    private final Map<String, String> overrides;
    private final List<InitializerSpec> initializers;

    Torchtune(TrainingRuntime runtime, TorchTuneConfig config, List<InitializerSpec> initializers) {
        this.runtime = runtime;
        this.overrides = config.overrides();
        this.initializers = initializers;
    }

    /** Refuses what torchtune cannot do. */
    void check(int numNodes) {
        if (model().isEmpty() && !bringsRecipe()) {
            throw new InvalidJobException(
                    "the runtime " + runtime.name() + " does not say which model it tunes; name it"
                            + " torchtune-<model>-<size>, as in torchtune-llama3.2-1b, or give it the whole command");
        }
        if (numNodes > 1 && (isLora() || isQlora())) {
            throw new InvalidJobException("torchtune has no LoRA over several nodes, but the job has " + numNodes
                    + "; use numNodes(1), or leave LoRA out");
        }
        for (InitializerSpec spec : initializers) {
            if (spec.target() == InitializerTarget.DATASET && spec.scheme().equals("cache")) {
                throw new InvalidJobException("a BuiltinTrainer reads its dataset from files, but " + spec.storageUri()
                        + " is served over the network; use an hf:// or s3:// dataset, or a CustomTrainer");
            }
        }
    }

    /** The arguments of a TrainJob: what the job changes, and where its dataset is. */
    List<String> args(String workspace) {
        List<String> args = new ArrayList<>();
        overrides.forEach((key, value) -> args.add(key + "=" + value));
        if (!overrides.containsKey("dataset.data_dir") && !overrides.containsKey("dataset.data_files")) {
            dataset(workspace).ifPresent(args::add);
        }
        return args;
    }

    /** The whole command, for where there is no cluster to complete it. */
    List<String> command(Launch launch, Placement placement) {
        List<String> command = new ArrayList<>();
        Optional<String> model = model();
        if (model.isPresent()) {
            command.addAll(ENTRYPOINT);
            if (launch.numNodes() > 1 || launch.numProcPerNode() > 1) {
                command.add("--rdzv_endpoint=" + placement.masterAddress() + ":" + placement.masterPort());
            }
            boolean one = launch.numNodes() == 1 && (launch.numProcPerNode() == 1 || launch.gpus() == 1);
            command.add(recipe(launch.numNodes(), one));
            command.add("--config");
            command.add(model.get() + config(launch.numNodes(), one));
            runtimeCommand().stream().filter(Torchtune::isOfTheRuntime).forEach(command::add);
        } else {
            command.addAll(runtimeCommand());
        }
        command.replaceAll(arg -> moved(arg, placement.workspace()));
        if (has(InitializerTarget.MODEL) && command.stream().noneMatch(arg -> arg.startsWith(CHECKPOINT_DIR + "="))) {
            command.add(CHECKPOINT_DIR + "=" + placement.workspace() + "/" + InitializerTarget.MODEL.directory());
        }
        command.addAll(args(placement.workspace()));
        return command;
    }

    private String recipe(int numNodes, boolean oneDevice) {
        String method = numNodes == 1 && (isLora() || isQlora()) ? "lora_finetune" : "full_finetune";
        return method + (oneDevice ? "_single_device" : "_distributed");
    }

    private String config(int numNodes, boolean oneDevice) {
        if (numNodes > 1) {
            return "_full_multinode";
        }
        String method = isQlora() ? "_qlora" : isLora() ? "_lora" : "_full";
        return method + (oneDevice ? "_single_device" : "");
    }

    private boolean isLora() {
        return overrides.containsKey("model.lora_attn_modules");
    }

    private boolean isQlora() {
        return isTrue("model.quantize_base") && !isTrue("model.use_dora");
    }

    private boolean isTrue(String key) {
        return overrides.getOrDefault(key, "").strip().equalsIgnoreCase("true");
    }

    private boolean bringsRecipe() {
        return !runtimeCommand().isEmpty() && !runtimeCommand().equals(ENTRYPOINT);
    }

    private List<String> runtimeCommand() {
        List<String> command = new ArrayList<>(runtime.command());
        command.addAll(runtime.args());
        return command;
    }

    /** The model as torchtune calls it, from the runtime's name: {@code llama3_2/1B} of {@code torchtune-llama3.2-1b}. */
    private Optional<String> model() {
        List<String> parts = Arrays.asList(runtime.name().split("-", -1));
        return parts.size() == 3
                ? Optional.of(
                        parts.get(1).replace('.', '_') + "/" + parts.get(2).toUpperCase(Locale.ROOT))
                : Optional.empty();
    }

    private static boolean isOfTheRuntime(String arg) {
        int equals = arg.indexOf('=');
        return equals > 0 && TorchTuneConfig.RUNTIME_KEYS.contains(arg.substring(0, equals));
    }

    /** Runtimes name paths as pods see them; elsewhere the workspace is elsewhere. */
    private static String moved(String arg, String workspace) {
        int value = arg.indexOf('=') + 1;
        String path = arg.substring(value);
        boolean inside =
                path.equals(Placement.CONTAINER_WORKSPACE) || path.startsWith(Placement.CONTAINER_WORKSPACE + "/");
        return inside
                ? arg.substring(0, value) + workspace + path.substring(Placement.CONTAINER_WORKSPACE.length())
                : arg;
    }

    private boolean has(InitializerTarget target) {
        return initializers.stream().anyMatch(spec -> spec.target() == target);
    }

    private Optional<String> dataset(String workspace) {
        return initializers.stream()
                .filter(spec -> spec.target() == InitializerTarget.DATASET)
                .findFirst()
                .map(spec -> {
                    String directory = workspace + "/" + spec.target().directory();
                    List<String> inside = pathInRepository(spec);
                    if (inside.isEmpty()) {
                        return "dataset.data_dir=" + directory;
                    }
                    boolean file = inside.get(inside.size() - 1).indexOf('.') > 0;
                    return (file ? "dataset.data_files=" : "dataset.data_dir=") + directory + "/"
                            + String.join("/", inside);
                });
    }

    /** What follows {@code hf://owner/name}: a Hub initializer fetches the repository as it is, this part among it. */
    private static List<String> pathInRepository(InitializerSpec spec) {
        if (!spec.scheme().equals("hf")) {
            return List.of();
        }
        return Arrays.stream(spec.location().split("/"))
                .filter(part -> !part.isEmpty())
                .skip(2)
                .toList();
    }
}
