package io.github.trainer4j.api.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a BuiltinTrainer becomes: the same as what a cluster's torch plug-in makes of its TrainJob. */
class TorchtuneTest {
    private static final Placement POD = Placement.container("tune", "tune-node-0", Path::toString);
    private static final Placement HOST =
            new Placement("tune", "/jobs/tune", "python3", "java", ":", Path::toString, "127.0.0.1", 40001);
    private static final TorchTuneConfig DEFAULTS = TorchTuneConfig.defaults();
    private static final TorchTuneConfig LORA = DEFAULTS.lora(8, 16, List.of("q_proj", "v_proj"));
    private static final TorchTuneConfig QLORA = LORA.with("model.quantize_base", "True");

    private static final List<String> RUNTIME_COMMAND = List.of(
            "tune",
            "run",
            "--rdzv_endpoint=localhost:29500",
            "full_finetune_distributed",
            "--config",
            "llama3_2/1B_full",
            "dataset=torchtune.datasets.instruct_dataset",
            "dataset.data_dir=/workspace/dataset/data",
            "output_dir=/workspace/output",
            "tokenizer.path=/workspace/model/original/tokenizer.model",
            "checkpointer.checkpoint_dir=/workspace/model");

    @Test
    void theCommandIsWhatTheClustersPluginMakes() {
        BuiltinTrainer trainer = BuiltinTrainer.of(DEFAULTS.dtype(TorchTuneConfig.DataType.BF16)
                .batchSize(4)
                .instructDataset(TorchTuneConfig.DataFormat.PARQUET));
        TrainJobRequest request = TrainJobRequest.builder()
                .dataset("hf://tatsu-lab/alpaca")
                .model("hf://meta-llama/Llama-3.2-1B-Instruct")
                .trainer(trainer)
                .build();

        List<String> command = launch(request, llama(2)).node(0, POD).command();

        assertThat(command)
                .containsExactly(
                        "tune",
                        "run",
                        "--rdzv_endpoint=tune-node-0:29500",
                        "full_finetune_distributed",
                        "--config",
                        "llama3_2/1B_full",
                        "output_dir=/workspace/output",
                        "tokenizer.path=/workspace/model/original/tokenizer.model",
                        "checkpointer.checkpoint_dir=/workspace/model",
                        "dtype=bf16",
                        "batch_size=4",
                        "dataset=torchtune.datasets.instruct_dataset",
                        "dataset.source=parquet",
                        "dataset.data_dir=/workspace/dataset");
    }

    @Test
    void aTrainJobCarriesTheArgumentsThatTheClusterCompletes() {
        TrainJobRequest request = TrainJobRequest.builder()
                .dataset("hf://tatsu-lab/alpaca")
                .model("hf://meta-llama/Llama-3.2-1B-Instruct")
                .trainer(BuiltinTrainer.of(DEFAULTS.epochs(2)))
                .build();

        Launch launch = launch(request, llama(2));

        assertThat(launch.builtinArgs("/workspace")).containsExactly("epochs=2", "dataset.data_dir=/workspace/dataset");
        assertThat(launch.node(0, POD).command())
                .endsWith(launch.builtinArgs("/workspace").toArray(String[]::new));
        assertThat(launch(
                                TrainJobRequest.builder()
                                        .trainer(CommandTrainer.of("x"))
                                        .build(),
                                llama(2))
                        .builtinArgs("/workspace"))
                .isEmpty();
    }

    @Test
    void pathsOfTheRuntimeFollowTheWorkspace() {
        List<String> command = launch(request(BuiltinTrainer.of(DEFAULTS)), llama(1))
                .node(0, HOST)
                .command();

        assertThat(command)
                .contains("output_dir=/jobs/tune/output", "checkpointer.checkpoint_dir=/jobs/tune/model")
                .noneMatch(arg -> arg.contains("/workspace"));
    }

    @Test
    void theNodesMeetByTheCommandLineAndNotByVariables() {
        NodeLaunch node = launch(request(BuiltinTrainer.of(DEFAULTS).numNodes(2)), llama(1))
                .node(1, HOST);

        assertThat(node.command()).contains("--rdzv_endpoint=127.0.0.1:40001");
        assertThat(node.env())
                .containsEntry("PET_NNODES", "2")
                .containsEntry("PET_NODE_RANK", "1")
                .containsEntry("PET_NPROC_PER_NODE", "1")
                .doesNotContainKeys("PET_MASTER_ADDR", "PET_MASTER_PORT");
    }

    static List<Object[]> recipes() {
        return List.of(
                new Object[] {DEFAULTS, 1, 1, "full_finetune_single_device", "llama3_2/1B_full_single_device"},
                new Object[] {DEFAULTS, 1, 2, "full_finetune_distributed", "llama3_2/1B_full"},
                new Object[] {DEFAULTS, 2, 1, "full_finetune_distributed", "llama3_2/1B_full_multinode"},
                new Object[] {LORA, 1, 1, "lora_finetune_single_device", "llama3_2/1B_lora_single_device"},
                new Object[] {LORA, 1, 2, "lora_finetune_distributed", "llama3_2/1B_lora"},
                new Object[] {QLORA, 1, 1, "lora_finetune_single_device", "llama3_2/1B_qlora_single_device"},
                new Object[] {QLORA, 1, 2, "lora_finetune_distributed", "llama3_2/1B_qlora"},
                new Object[] {
                    QLORA.with("model.use_dora", "true"), 1, 2, "lora_finetune_distributed", "llama3_2/1B_lora"
                });
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void theRecipeFollowsMethodNodesAndDevices(
            TorchTuneConfig config, int nodes, int gpus, String recipe, String expectedConfig) {
        List<String> command = launch(request(BuiltinTrainer.of(config).numNodes(nodes)), llama(gpus))
                .node(0, POD)
                .command();

        assertThat(command).containsSubsequence("tune", "run", recipe, "--config", expectedConfig);
        assertThat(command.stream().anyMatch(arg -> arg.startsWith("--rdzv_endpoint=")))
                .isEqualTo(nodes > 1 || gpus > 1);
    }

    @ParameterizedTest
    @CsvSource({
        "torchtune-llama3.2-1b, llama3_2/1B_full_single_device",
        "torchtune-llama3.3-70b, llama3_3/70B_full_single_device",
        "torchtune-qwen2.5-1.5b, qwen2_5/1.5B_full_single_device"
    })
    void theRuntimesNameSaysTheModel(String runtime, String config) {
        assertThat(launch(request(BuiltinTrainer.of(DEFAULTS)), runtime(runtime, List.of("tune", "run"), 1))
                        .node(0, POD)
                        .command())
                .contains(config);
    }

    @Test
    void aRuntimeOfAnotherNameBringsItsWholeCommand() {
        TrainingRuntime own = runtime("mine", List.of("tune", "run", "my_recipe", "--config", "my.yaml"), 1);

        assertThat(launch(request(BuiltinTrainer.of(DEFAULTS.epochs(1))), own)
                        .node(0, POD)
                        .command())
                .containsExactly("tune", "run", "my_recipe", "--config", "my.yaml", "epochs=1");
        assertThatThrownBy(
                        () -> launch(request(BuiltinTrainer.of(DEFAULTS)), runtime("mine", List.of("tune", "run"), 1)))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("mine does not say which model it tunes");
    }

    @Test
    void aModelIsFoundThoughTheRuntimeDoesNotSayWhere() {
        TrainJobRequest request = TrainJobRequest.builder()
                .model("s3://models/llama")
                .trainer(BuiltinTrainer.of(DEFAULTS))
                .build();
        TrainingRuntime bare = runtime("torchtune-llama3.2-1b", List.of(), 1);

        assertThat(launch(request, bare).node(0, HOST).command())
                .contains("checkpointer.checkpoint_dir=/jobs/tune/model");
        assertThat(launch(request, llama(1)).node(0, HOST).command())
                .containsOnlyOnce("checkpointer.checkpoint_dir=/jobs/tune/model");
    }

    @ParameterizedTest
    @CsvSource({
        "hf://tatsu-lab/alpaca, dataset.data_dir=/workspace/dataset",
        "hf://tatsu-lab/alpaca/, dataset.data_dir=/workspace/dataset",
        "hf://tatsu-lab/alpaca@main, dataset.data_dir=/workspace/dataset",
        "hf://tatsu-lab/alpaca/data, dataset.data_dir=/workspace/dataset/data",
        "hf://tatsu-lab/alpaca/data/en/, dataset.data_dir=/workspace/dataset/data/en",
        "hf://tatsu-lab/alpaca/v1.0/train, dataset.data_dir=/workspace/dataset/v1.0/train",
        "hf://tatsu-lab/alpaca/data/train.parquet, dataset.data_files=/workspace/dataset/data/train.parquet",
        "s3://bucket, dataset.data_dir=/workspace/dataset",
        "s3://bucket/some/prefix/, dataset.data_dir=/workspace/dataset",
        "ftp://host/files, dataset.data_dir=/workspace/dataset"
    })
    void torchtuneIsToldWhereTheDatasetIs(String uri, String expected) {
        TrainJobRequest request = TrainJobRequest.builder()
                .dataset(uri)
                .trainer(BuiltinTrainer.of(DEFAULTS))
                .build();

        assertThat(launch(request, llama(1)).builtinArgs("/workspace")).containsExactly(expected);
    }

    @Test
    void whatTheJobSaysAboutItsDatasetWins() {
        TrainJobRequest request = TrainJobRequest.builder()
                .dataset("s3://bucket/all")
                .trainer(BuiltinTrainer.of(DEFAULTS.with("dataset.data_files", "/workspace/dataset/part.json")))
                .build();

        assertThat(launch(request, llama(1)).builtinArgs("/workspace"))
                .containsExactly("dataset.data_files=/workspace/dataset/part.json");
    }

    static List<Object[]> pairs() {
        List<Object[]> pairs = new ArrayList<>();
        List<Trainer> trainers = List.of(
                BuiltinTrainer.of(DEFAULTS),
                CustomTrainer.source("t.py", "x"),
                CommandTrainer.of("x"),
                JavaTrainer.mainClass("a.B"),
                CustomTrainerContainer.of("me/image"));
        for (String uri : List.of("hf://org/data", "s3://bucket/data", "cache://schema/table", "ftp://host/data")) {
            trainers.forEach(trainer -> pairs.add(new Object[] {uri, trainer}));
        }
        return pairs;
    }

    /** The row that a dataset was fetched and the trainer never told: it used its default dataset instead. */
    @ParameterizedTest
    @MethodSource("pairs")
    void everyTrainerIsToldWhereEveryDatasetIsOrThePairIsRefused(String uri, Trainer trainer) {
        TrainJobRequest request =
                TrainJobRequest.builder().dataset(uri).trainer(trainer).build();
        boolean builtin = trainer instanceof BuiltinTrainer;
        TrainingRuntime runtime = builtin ? llama(1) : TrainingRuntime.of("torch-distributed", "torch", "test");
        if (builtin && uri.startsWith("cache://")) {
            assertThatThrownBy(() -> launch(request, runtime))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("cache://schema/table is served over the network");
            return;
        }

        NodeLaunch node = launch(request, runtime).node(0, POD);

        assertThat(node.env()).containsEntry(Launch.WORKSPACE, "/workspace");
        if (builtin) {
            assertThat(node.command()).contains("dataset.data_dir=/workspace/dataset");
        }
    }

    @Test
    void loraOverSeveralNodesIsRefused() {
        assertThatThrownBy(() -> launch(request(BuiltinTrainer.of(LORA).numNodes(2)), llama(1)))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("no LoRA over several nodes")
                .hasMessageContaining("numNodes(1)");
    }

    private static Launch launch(TrainJobRequest request, TrainingRuntime runtime) {
        return Launch.of(request, runtime, Map.of());
    }

    private static TrainJobRequest request(Trainer trainer) {
        return TrainJobRequest.builder().trainer(trainer).build();
    }

    private static TrainingRuntime llama(int gpus) {
        return runtime("torchtune-llama3.2-1b", RUNTIME_COMMAND, gpus);
    }

    private static TrainingRuntime runtime(String name, List<String> command, int gpus) {
        return new TrainingRuntime(
                name,
                TrainingRuntime.Scope.CLUSTER,
                "torchtune",
                1,
                OptionalInt.empty(),
                Optional.of("ghcr.io/kubeflow/trainer/torchtune-trainer"),
                command,
                List.of(),
                Map.of(),
                Resources.none().gpu(gpus),
                Map.of(),
                "test");
    }
}
