package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.TrainingRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The runtimes that are there without any configuration; names and images are those of Kubeflow Trainer. */
final class BuiltinRuntimes implements RuntimeSource {
    private static final String SOURCE = "built-in";
    private static final String IMAGES = "ghcr.io/kubeflow/trainer/";

    private static final List<TrainingRuntime> ALL = List.of(
            TrainingRuntime.of("torch-distributed", "torch", SOURCE)
                    .withImage("pytorch/pytorch:2.7.1-cuda12.8-cudnn9-runtime"),
            TrainingRuntime.of("jax-distributed", "jax", SOURCE).withImage("nvcr.io/nvidia/jax:25.10-py3"),
            TrainingRuntime.of("xgboost-distributed", "xgboost", SOURCE).withImage(IMAGES + "xgboost-runtime"),
            mpi("deepspeed-distributed", "deepspeed"),
            mpi("mlx-distributed", "mlx"),
            torchtune("torchtune-llama3.2-1b", "llama3_2/1B_full", "original/tokenizer.model", List.of()),
            torchtune("torchtune-llama3.2-3b", "llama3_2/3B_full", "original/tokenizer.model", List.of()),
            torchtune(
                    "torchtune-qwen2.5-1.5b",
                    "qwen2_5/1.5B_full",
                    "vocab.json",
                    List.of("tokenizer.merges_file=/workspace/model/merges.txt")));

    @Override
    public List<TrainingRuntime> read() {
        return ALL;
    }

    private static TrainingRuntime mpi(String name, String framework) {
        return new TrainingRuntime(
                name,
                TrainingRuntime.Scope.CLUSTER,
                framework,
                1,
                OptionalInt.of(1),
                Optional.of(IMAGES + framework + "-runtime"),
                List.of(),
                List.of(),
                Map.of(),
                Resources.none(),
                Map.of(),
                SOURCE);
    }

    private static TrainingRuntime torchtune(String name, String config, String tokenizer, List<String> more) {
        List<String> args = new ArrayList<>(List.of(
                "full_finetune_distributed",
                "--config",
                config,
                "dataset=torchtune.datasets.instruct_dataset",
                "dataset.source=parquet",
                "dataset.data_dir=/workspace/dataset/data",
                "output_dir=/workspace/output",
                "tokenizer.path=/workspace/model/" + tokenizer));
        args.addAll(more);
        args.add("checkpointer.checkpoint_dir=/workspace/model");
        return new TrainingRuntime(
                name,
                TrainingRuntime.Scope.CLUSTER,
                "torchtune",
                1,
                OptionalInt.empty(),
                Optional.of(IMAGES + "torchtune-trainer"),
                List.of("tune", "run"),
                args,
                Map.of(),
                Resources.none().gpu(2),
                Map.of(
                        InitializerTarget.DATASET,
                        IMAGES + InitializerTarget.DATASET.step(),
                        InitializerTarget.MODEL,
                        IMAGES + InitializerTarget.MODEL.step()),
                SOURCE);
    }
}
