package io.github.trainer4j.examples.guide;

import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.PodPatch;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.api.progress.TrainingReporter;
import io.github.trainer4j.client.PruneReport;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.datacache.DataCache;
import io.github.trainer4j.huggingface.HuggingFace;
import io.github.trainer4j.s3.S3;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** The snippets of the user guide. */
final class Guide {
    private Guide() {}

    static Trainer script(String apiKey) {
        CustomTrainer script = CustomTrainer.script(Path.of("train.py"))
                .args("--epochs", "3")
                .packagesToInstall("numpy==2.1.0")
                .env("LOG_LEVEL", "debug")
                .secretEnv("WANDB_API_KEY", Secret.of(apiKey))
                .numNodes(2)
                .numProcPerNode(4)
                .resources(r -> r.cpu(4).memory("8Gi").gpu(1).shm("1Gi"));
        return script;
    }

    static TrainJob run(TrainerClient client, TrainJobRequest request) throws InterruptedException {
        TrainJob job = client.train(request, progress -> System.out.println(progress));

        TrainJob done = client.waitFor(
                job.name(),
                WaitOptions.complete()
                        .within(Duration.ofHours(2))
                        .onChange(changed -> System.out.println(changed.status())));

        try (LogStream logs = client.logs(job.name(), LogQuery.all().following())) {
            logs.forEach(System.out::println);
        }

        client.delete(job.name());
        return done;
    }

    static void prune(TrainerClient client) throws InterruptedException {
        PruneReport report = client.prune(Duration.ofDays(7));
        report.removed().forEach(name -> System.out.println("removed " + name));
        report.problems().forEach((name, problem) -> System.err.println(name + ": " + problem));
    }

    static void report(int epochs, DoubleSupplier training) {
        try (TrainingReporter reporter = TrainingReporter.fromEnvironment()) {
            for (int epoch = 1; epoch <= epochs; epoch++) {
                double loss = training.getAsDouble();
                reporter.report(100 * epoch / epochs, Map.of("loss", Double.toString(loss)));
            }
        }
    }

    static TrainJobRequest initializers(String accessKey, String secretKey, String token, Trainer trainer) {
        TrainJobRequest request = TrainJobRequest.builder()
                .dataset(S3.dataset("s3://data/images/")
                        .endpoint("https://minio.example.com")
                        .credentials(Secret.of(accessKey), Secret.of(secretKey))
                        .ignorePatterns("*.tmp")
                        .spec()
                        .timeout(Duration.ofMinutes(30))
                        .retries(2))
                .model(HuggingFace.model("hf://org/base@v1.0").accessToken(Secret.of(token)))
                .trainer(trainer)
                .build();
        return request;
    }

    static InitializerSpec plain(String accessKey, String secretKey) {
        InitializerSpec dataset = InitializerSpec.dataset("s3://data/images/")
                .option("endpoint", "https://minio.example.com")
                .option("ignore_patterns", "*.tmp,*.bak")
                .secret("access_key_id", Secret.of(accessKey))
                .secret("secret_access_key", Secret.of(secretKey));
        return dataset;
    }

    static TrainJobRequest cache(Trainer trainer) {
        TrainJobRequest request = TrainJobRequest.builder()
                .runtime("torch-distributed-with-cache")
                .dataset(DataCache.dataset("cache://sales/orders")
                        .metadataLocation("s3://lake/sales/orders/metadata/v7.metadata.json")
                        .dataNodes(4)
                        .worker("4", "16Gi")
                        .iamRole("arn:aws:iam::123456789012:role/reader"))
                .trainer(trainer)
                .build();
        return request;
    }

    static TrainJobRequest pods(Trainer trainer) {
        TrainJobRequest request = TrainJobRequest.builder()
                .trainer(trainer)
                .option(PodPatch.of("node")
                        .nodeSelector("accelerator", "a100")
                        .toleration(Map.of("key", "gpu", "operator", "Exists", "effect", "NoSchedule"))
                        .volume("results", Map.of("persistentVolumeClaim", Map.of("claimName", "team-results")))
                        .mount("results", "/results")
                        .build())
                .option(PodPatch.of("node", "dataset-initializer", "model-initializer")
                        .securityContext(Map.of("runAsUser", 1000, "fsGroup", 2000))
                        .serviceAccount("trainer")
                        .build())
                .build();
        return request;
    }

    static void configured() {
        try (TrainerClient client = TrainerClient.builder()
                .backend("local")
                .set("local.strict", "true")
                .workDirectory(Path.of("/data/trainer4j"))
                .build()) {
            client.runtimes().forEach(runtime -> System.out.println(runtime.name()));
        }
    }

    static void debug(TrainerClient client, TrainJob job) throws InterruptedException {
        client.events(job.name())
                .forEach(event -> System.out.println(event.time() + " "
                        + event.step().orElse("job") + " " + event.reason() + ": " + event.message()));

        client.get(job.name()).failure().ifPresent(failure -> System.out.println(failure.describe()));

        try (LogStream log =
                client.logs(job.name(), LogQuery.step("dataset-initializer").tail(20))) {
            log.forEach(System.out::println);
        }
    }
}
