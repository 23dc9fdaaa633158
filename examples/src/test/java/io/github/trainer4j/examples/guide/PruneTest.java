package io.github.trainer4j.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.client.PruneReport;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.client.TrainerClientBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** What is over can be removed at once, on whatever backend it was. */
@Timeout(300)
class PruneTest {
    private static final String IMAGE = "trainer4j-test/busybox:1";

    @TempDir
    Path work;

    @Test
    void onTheLocalBackend() throws InterruptedException {
        prune(TrainerClient.builder().backend("local"), Optional.empty());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "TRAINER4J_TEST_DOCKER", matches = ".+")
    void onDocker() throws InterruptedException {
        prune(
                TrainerClient.builder().backend("docker").set("docker.host", System.getenv("TRAINER4J_TEST_DOCKER")),
                Optional.of(IMAGE));
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "TRAINER4J_TEST_PODMAN", matches = ".+")
    void onPodman() throws InterruptedException {
        prune(
                TrainerClient.builder().backend("podman").set("podman.host", System.getenv("TRAINER4J_TEST_PODMAN")),
                Optional.of(IMAGE));
    }

    private void prune(TrainerClientBuilder builder, Optional<String> image) throws InterruptedException {
        try (TrainerClient client = builder.workDirectory(work).build()) {
            String good = over(client, image, "exit 0");
            String bad = over(client, image, "exit 3");
            String running = start(client, image, "sleep 600");
            try {
                client.waitFor(running, WaitOptions.forStatus(JobStatus.RUNNING).within(Duration.ofMinutes(2)));

                // Others may have jobs on the same engine.
                Set<String> mine = Set.of(good, bad, running);
                assertThat(client.prune(Duration.ofHours(1), job -> mine.contains(job.name()))
                                .removed())
                        .as("of those that were over an hour ago")
                        .isEmpty();
                PruneReport report = client.prune(Duration.ZERO, job -> mine.contains(job.name()));

                assertThat(report.removed()).containsExactly(good, bad);
                assertThat(report.problems()).isEmpty();
                assertThat(client.list())
                        .extracting(TrainJob::name)
                        .doesNotContain(good, bad)
                        .contains(running);
            } finally {
                client.delete(running);
            }
        }
    }

    private static String start(TrainerClient client, Optional<String> image, String script) {
        CommandTrainer trainer = CommandTrainer.of("sh", "-c", script);
        return client.train(TrainJobRequest.builder()
                        .runtime(TrainingRuntime.of("plain", "plain", "test"))
                        .trainer(image.map(trainer::image).orElse(trainer))
                        .build())
                .name();
    }

    private static String over(TrainerClient client, Optional<String> image, String script)
            throws InterruptedException {
        String name = start(client, image, script);
        client.waitFor(
                name,
                WaitOptions.forStatus(JobStatus.COMPLETE, JobStatus.FAILED).within(Duration.ofMinutes(2)));
        return name;
    }
}
