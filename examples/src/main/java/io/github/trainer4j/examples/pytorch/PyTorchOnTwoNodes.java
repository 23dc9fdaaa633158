package io.github.trainer4j.examples.pytorch;

import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.client.TrainerClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Runs a PyTorch script on two nodes that average their gradients. On the local backend it needs a {@code python3} with
 * torch; where that is missing it says so and ends well.
 */
public final class PyTorchOnTwoNodes {
    private PyTorchOnTwoNodes() {}

    /**
     * Runs the example with its jobs in the directory given as the first argument.
     *
     * @throws IOException if the script cannot be read
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (!pythonHasTorch()) {
            System.out.println("left out: python3 with torch is not on this machine");
            return;
        }
        try (TrainerClient client = TrainerClient.builder()
                .backend("local")
                .workDirectory(Path.of(args[0]).toAbsolutePath())
                .build()) {
            System.out.println("line.json lies in " + run(client).workspace().orElseThrow());
        }
    }

    static TrainJob run(TrainerClient client) throws IOException, InterruptedException {
        TrainJob job = client.train(TrainJobRequest.builder()
                .runtime("torch-distributed")
                .trainer(CustomTrainer.source("train_line.py", script()).numNodes(2))
                .build());
        TrainJob done = client.waitFor(job.name(), WaitOptions.complete().within(Duration.ofMinutes(5)));
        try (LogStream logs = client.logs(job.name(), LogQuery.all())) {
            logs.forEach(System.out::println);
        }
        return done;
    }

    static boolean pythonHasTorch() throws IOException, InterruptedException {
        try {
            return new ProcessBuilder("python3", "-c", "import torch")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            System.out.println("there is no python3: " + e.getMessage());
            return false;
        }
    }

    private static String script() throws IOException {
        try (InputStream script = PyTorchOnTwoNodes.class.getResourceAsStream("train_line.py")) {
            if (script == null) {
                throw new IOException("the example's script is not on the class path");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
