package io.github.trainer4j.testkit.launch;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The jobs whose launches are pinned, by the names of their golden files. */
final class GoldenJobs {
    private static final CustomTrainer SCRIPT =
            CustomTrainer.source("train.py", "print('''größe 漢字 \"double\" $HOME \\n\nEOM\nTRAINING_SCRIPT_EOF''')\n");

    private GoldenJobs() {}

    static Map<String, TrainJobRequest> all() {
        Map<String, TrainJobRequest> jobs = new LinkedHashMap<>();
        jobs.put("script-plain", job(runtime("plain"), SCRIPT));
        jobs.put(
                "script-torch",
                job(
                        runtime("torch"),
                        SCRIPT.args("--epochs", "3", "", "two words", "'q' \"q\" $HOME", "line\nbreak", "größe")
                                .numNodes(2)
                                .resources(r -> r.cpu("1500m").memory("4Gi"))
                                .env("LEVEL", "a b=$c")
                                .secretEnv("HF_TOKEN", Secret.of("never shown"))));
        jobs.put(
                "script-packages",
                job(
                        runtime("jax"),
                        SCRIPT.packagesToInstall("numpy==2.1", "transformers[torch]>=4")
                                .pipIndexUrls("https://one.example/simple", "https://two.example/simple")
                                .numNodes(2)));
        jobs.put("script-mpi", job(runtime("deepspeed"), SCRIPT.args("--epochs", "3")));
        jobs.put(
                "java",
                job(
                        runtime("xgboost"),
                        JavaTrainer.mainClass("com.example.Train")
                                .classPath(Path.of("/libs/a.jar"), Path.of("/libs/b.jar"))
                                .jvmOptions("-Xmx1g")
                                .args("two words")
                                .numNodes(2)
                                .resources(r -> r.gpu(4))));
        jobs.put("command", job(runtime("jax"), CommandTrainer.of("/bin/tool", "", "two words", "$HOME")));
        jobs.put("image", job(runtime("torch"), CustomTrainerContainer.of("example/trainer:1")));
        jobs.put(
                "runtime-command",
                TrainJobRequest.builder().runtime(runtime("plain")).build());
        jobs.put(
                "torchtune",
                TrainJobRequest.builder()
                        .runtime(runtime("torchtune"))
                        .dataset("hf://tatsu-lab/alpaca/data")
                        .model("hf://meta-llama/Llama-3.2-1B-Instruct")
                        .trainer(BuiltinTrainer.of(TorchTuneConfig.defaults()
                                        .dtype(TorchTuneConfig.DataType.BF16)
                                        .lora(8, 16, List.of("q_proj", "v_proj"))
                                        .instructDataset(TorchTuneConfig.DataFormat.PARQUET))
                                .resources(r -> r.gpu(2)))
                        .build());
        return jobs;
    }

    private static TrainJobRequest job(TrainingRuntime runtime, Trainer trainer) {
        return TrainJobRequest.builder().runtime(runtime).trainer(trainer).build();
    }

    private static TrainingRuntime runtime(String framework) {
        boolean tune = framework.equals("torchtune");
        return new TrainingRuntime(
                tune ? "torchtune-llama3.2-1b" : "golden-" + framework,
                TrainingRuntime.Scope.CLUSTER,
                framework,
                1,
                OptionalInt.empty(),
                Optional.empty(),
                tune ? List.of("tune", "run") : List.of("serve", "--quietly"),
                tune
                        ? List.of("output_dir=/workspace/output", "checkpointer.checkpoint_dir=/workspace/model")
                        : List.of("two words"),
                Map.of("LEVEL", "of the runtime"),
                Resources.none(),
                Map.of(),
                "golden files");
    }
}
