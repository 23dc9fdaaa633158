package io.github.trainer4j.examples.guide;

import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.huggingface.HuggingFace;
import io.github.trainer4j.s3.S3;
import java.nio.file.Path;
import java.time.Duration;

/** The job of the README. */
final class Readme {
    private Readme() {}

    static void job() throws InterruptedException {
        try (TrainerClient client = TrainerClient.create()) {
            TrainJob job = client.train(TrainJobRequest.builder()
                    .runtime("torch-distributed")
                    .dataset(HuggingFace.dataset("hf://org/data@main"))
                    .model(S3.model("s3://models/base/").endpoint("https://minio.example.com"))
                    .trainer(CustomTrainer.script(Path.of("train.py"))
                            .args("--epochs", "3")
                            .numNodes(2)
                            .resources(r -> r.cpu(2).memory("4Gi")))
                    .build());

            client.waitFor(
                    job.name(),
                    WaitOptions.complete().within(Duration.ofHours(2)).onChange(System.out::println));

            try (LogStream logs = client.logs(job.name())) {
                logs.forEach(System.out::println);
            }
        }
    }
}
