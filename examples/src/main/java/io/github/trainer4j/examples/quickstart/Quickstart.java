package io.github.trainer4j.examples.quickstart;

import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.huggingface.HuggingFace;
import io.github.trainer4j.s3.S3;
import io.github.trainer4j.testkit.hub.FakeHub;
import io.github.trainer4j.testkit.hub.Fault;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Starts an S3 server and a Hub on this machine, and then does what a user does: describes a job, trains it on the local
 * backend, watches it and reads its logs.
 */
public final class Quickstart {
    private static final int PARTS = 8;
    private static final int ROWS_IN_A_PART = 8_000;

    private Quickstart() {}

    /**
     * Runs the job in the directory given as the first argument.
     *
     * @throws Exception if anything fails; the process then ends with a status other than 0
     */
    public static void main(String[] args) throws Exception {
        Path jobs = Path.of(args[0]).toAbsolutePath();
        try (ObjectStore store = new ObjectStore(jobs.resolveSibling("s3"));
                FakeHub hub = FakeHub.start()) {
            for (int part = 0; part < PARTS; part++) {
                store.put("led", "data/train/part-" + part + ".csv", LedDisplay.csv(ROWS_IN_A_PART, part));
            }
            store.put("led", "data/test/held-out.csv", LedDisplay.csv(10_000, 4242));
            hub.model("quickstart/led-base")
                    .file("config.json", "{\"architectures\": [\"softmax\"]}")
                    .lfs("model.safetensors", SoftmaxModel.untrained().toSafetensors())
                    .lfs("tokenizer.model", new byte[2_000_000]);
            // Slow enough to watch.
            hub.inject(Fault.bytesPerSecond(2_500_000));
            System.out.println("S3 at " + store.endpoint() + ", Hub at " + hub.endpoint());
            train(jobs, store, hub);
        }
    }

    private static void train(Path jobs, ObjectStore store, FakeHub hub) throws Exception {
        TrainJobRequest request = TrainJobRequest.builder()
                .runtime("torch-distributed")
                .dataset(S3.dataset("s3://led/data/")
                        .endpoint(store.endpoint())
                        .credentials(Secret.of(ObjectStore.ACCESS_KEY), Secret.of(ObjectStore.SECRET_KEY)))
                .model(HuggingFace.model("hf://quickstart/led-base")
                        .endpoint(hub.endpoint().toString()))
                .trainer(JavaTrainer.mainClass(LedTraining.class.getName())
                        .classPath(classPath())
                        .jvmOptions("-Xmx256m")
                        .numNodes(2))
                .build();

        try (TrainerClient client =
                TrainerClient.builder().backend("local").workDirectory(jobs).build()) {
            ProgressDisplay progress = new ProgressDisplay();
            TrainJob job = client.train(request, progress);
            System.out.println("job " + job.name() + " is " + job.status());

            client.waitFor(job.name(), WaitOptions.forStatus(JobStatus.RUNNING).within(Duration.ofMinutes(2)));
            progress.end();
            System.out.println("job " + job.name() + " is " + JobStatus.RUNNING + "; logs of both nodes:");
            try (LogStream logs = client.logs(job.name(), LogQuery.all().following())) {
                logs.forEach(line -> System.out.println("  " + line));
            }
            TrainJob done = client.waitFor(job.name(), WaitOptions.complete());

            Path output = done.workspace().orElseThrow().resolve("output");
            double accuracy = Double.parseDouble(Files.readString(output.resolve("accuracy.txt")));
            System.out.println("job " + done.name() + " is " + done.status());
            System.out.println("the trained model lies in " + output.resolve("model.safetensors"));
            System.out.printf(
                    "it is right in %.1f %% of the held-out rows (no model can be much above 74 %%)%n", 100 * accuracy);
        }
    }

    /** The class path of this program: it has the training code and what that needs. */
    private static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
    }
}
