package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.RuntimePatch;
import io.github.trainer4j.api.RuntimeRef;
import io.github.trainer4j.api.RuntimeTrainer;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Jobs of every kind that can be written. */
final class JobSamples {
    static final String RUNTIME = "trainer4j-plain";

    private JobSamples() {}

    static Map<String, TrainJobRequest> all() {
        Map<String, TrainJobRequest> jobs = new LinkedHashMap<>();
        jobs.put("bare", builder("bare").build());
        jobs.put("command", job("command", CommandTrainer.of("sh", "-c", "echo \"$(date)\" $HOME $$ $$(X)\ntrue\n")));
        jobs.put("program", job("program", CommandTrainer.of("true")));
        jobs.put(
                "image",
                job("image", RuntimeTrainer.defaults().image("example/led:1").numNodes(2)));
        jobs.put("args", job("args", RuntimeTrainer.defaults().args("--a", "b c")));
        jobs.put(
                "torchtune",
                job(
                        "torchtune",
                        BuiltinTrainer.of(
                                TorchTuneConfig.defaults().batchSize(4).epochs(2))));
        jobs.put(
                "script",
                job(
                        "script",
                        CustomTrainer.source(
                                        "train.py", "import os\n\nprint(\"ä $(X) 'quoted' \\\\n\")\n\tif 1: pass\n")
                                .args("--epochs", "3")
                                .packagesToInstall("numpy==2.1", "torch")
                                .pipIndexUrls("https://a.example/simple", "https://b.example/simple")));
        jobs.put(
                "settings",
                job(
                        "settings",
                        CommandTrainer.of("true")
                                .numNodes(3)
                                .numProcPerNode(2)
                                .image("example/led:2")
                                .env("A", "$(B) 'x' \"y\" # z: \t\u2028ü😀")
                                .env("NO", "no")
                                .env("NUMBER", "1e3")
                                .env("LINES", "one\n two\n\nthree")
                                .env("EMPTY", "")
                                .secretEnv("KEY", Secret.reference("keys", "wandb"))
                                .resources(r -> r.cpu(2)
                                        .memory("4Gi")
                                        .gpu(1)
                                        .with("storage", "1Gi")
                                        .with("rdma/hca", "1"))));
        jobs.put(
                "initializers",
                builder("initializers")
                        .runtime(RuntimeRef.named("trainer4j-initializers", TrainingRuntime.Scope.CLUSTER))
                        .dataset(InitializerSpec.dataset("hf://org/data@main")
                                .option("ignore_patterns", "*.bin,*.pt")
                                .secret("access_token", Secret.reference("hub", "token")))
                        .model(InitializerSpec.model("s3://models/base/")
                                .option("endpoint", "https://minio.example.com"))
                        .label("team", "vision")
                        .annotation("example.com/note", "yes: no\n")
                        .deadline(Duration.ofMinutes(90))
                        .build());
        jobs.put(
                "references",
                builder("references")
                        .trainer(CommandTrainer.of("true"))
                        .option(new TrainJobField(
                                "spec.trainer.env[name=\"POD\"].valueFrom.fieldRef",
                                Map.of("fieldPath", "metadata.name")))
                        .build());
        jobs.put(
                "options",
                builder("options")
                        .option(new RuntimePatch(Map.of(
                                "template", Map.of("spec", Map.of("replicatedJobs", List.of(Map.of("name", "node")))))))
                        .option(new TrainJobField("spec.suspend", true))
                        .option(new TrainJobField("spec.managedBy", "kueue.x-k8s.io/multikueue"))
                        .build());
        return jobs;
    }

    /** A job that brings its runtime. */
    static TrainJobRequest withRuntime() {
        return builder("with-runtime")
                .runtime(new TrainingRuntime(
                        "mine",
                        TrainingRuntime.Scope.NAMESPACE,
                        "torch",
                        2,
                        OptionalInt.empty(),
                        Optional.of("example/led:1"),
                        List.of("python3"),
                        List.of("/app/train.py"),
                        Map.of("A", "b"),
                        io.github.trainer4j.api.Resources.none().cpu(1),
                        Map.of(InitializerTarget.DATASET, "example/init:1"),
                        "code"))
                .build();
    }

    /** What cannot be read back as the same kind of trainer, but as a command that does the same. */
    static TrainJobRequest container() {
        return job("container", CustomTrainerContainer.of("example/led:1"));
    }

    private static TrainJobRequest job(String name, Trainer trainer) {
        return builder(name).trainer(trainer).build();
    }

    private static TrainJobRequest.Builder builder(String name) {
        return TrainJobRequest.builder()
                .name("t4j-" + name)
                .runtime(RuntimeRef.named(RUNTIME, TrainingRuntime.Scope.CLUSTER));
    }
}
