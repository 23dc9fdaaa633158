package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InitializersTest extends BenchTests {
    private static TrainJobRequest.Builder both(String dataset, String model) {
        return Bench.shell("cat dataset/data.txt model/weights.txt", 1)
                .dataset("test://" + dataset)
                .model("test://" + model);
    }

    @Test
    void whatIsFetchedIsThereBeforeTheFirstLineOfANode() throws Exception {
        bench.fetcher("data", (directory, context) -> {
            context.log("fetching the data");
            Files.writeString(directory.resolve("data.txt"), "data\n");
            context.progress(5, OptionalLong.of(5));
        });
        bench.fetcher("weights", (directory, context) -> {
            Thread.sleep(300);
            Files.writeString(directory.resolve("weights.txt"), "weights\n");
        });

        TrainJob job = Bench.run(backend, both("data", "weights").build());

        assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.COMPLETE);
        assertThat(LogsTest.lines(backend, job.name(), LogQuery.step("node-0"))).containsExactly("data", "weights");
        assertThat(LogsTest.lines(backend, job.name(), LogQuery.step("dataset-initializer")))
                .containsExactly("fetching the data");
        Step dataset = job.step("dataset-initializer").orElseThrow();
        assertThat(dataset.status()).isEqualTo(JobStatus.COMPLETE);
        assertThat(dataset.bytesDone()).hasValue(5);
        assertThat(dataset.bytesTotal()).hasValue(5);
        assertThat(job.steps())
                .extracting(Step::name)
                .containsExactly("dataset-initializer", "model-initializer", "node-0");
        assertThat(backend.events(job.name()))
                .extracting(event -> event.step().orElse("job") + " " + event.reason())
                .containsSubsequence(
                        "job Created",
                        "dataset-initializer Started",
                        "dataset-initializer Completed",
                        "model-initializer Completed",
                        "node-0 Started",
                        "node-0 Exited",
                        "job Complete");
    }

    @Test
    void theFirstFailureStopsTheOtherAtOnceAndNoNodeStarts() throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        CountDownLatch waiting = new CountDownLatch(1);
        bench.fetcher("broken", (directory, context) -> {
            waiting.await();
            throw new InitializerException("there is no such data; check the address", "NotFound", null);
        });
        bench.fetcher("long", (directory, context) -> {
            try {
                waiting.countDown();
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                stopped.set(true);
                throw e;
            }
        });

        TrainJob job = Bench.run(backend, both("broken", "long").build());

        Failure failure = job.failure().orElseThrow();
        assertThat(failure.step()).hasValue("dataset-initializer");
        assertThat(failure.reason()).isEqualTo("NotFound");
        assertThat(failure.message()).contains("no such data");
        assertThat(failure.logTail()).anySatisfy(line -> assertThat(line).contains("no such data"));
        assertThat(failure.further()).singleElement().satisfies(other -> {
            assertThat(other.step()).hasValue("model-initializer");
            assertThat(other.reason()).isEqualTo("Cancelled");
        });
        assertThat(stopped).isTrue();
        assertThat(job.step("dataset-initializer").orElseThrow().reason()).hasValue("NotFound");
        assertThat(job.step("model-initializer").orElseThrow().status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.step("node-0").orElseThrow().startTime()).isEmpty();
    }

    @Test
    void anInitializerThatTakesTooLongIsTriedAgainAndThenTold() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        bench.fetcher("slow", (directory, context) -> {
            attempts.incrementAndGet();
            Thread.sleep(60_000);
        });

        TrainJob job = Bench.run(
                backend,
                Bench.shell("true", 1)
                        .dataset(InitializerSpec.dataset("test://slow")
                                .timeout(Duration.ofMillis(200))
                                .retries(1))
                        .build());

        assertThat(job.failure().orElseThrow().reason()).isEqualTo("Timeout");
        assertThat(attempts).hasValue(2);
        assertThat(job.step("dataset-initializer").orElseThrow().restarts()).isEqualTo(1);
        assertThat(LogsTest.lines(backend, job.name(), LogQuery.step("dataset-initializer")))
                .hasSize(2)
                .first()
                .asString()
                .contains("trying again");
    }

    @Test
    void aSecretThatAnInitializerLetsSlipStaysOutOfFilesAndFailures() throws Exception {
        String canary = "canary-9a8b7c6d5e4f";
        bench.fetcher("slip", (directory, context) -> {
            context.log("asking with " + canary);
            throw new InitializerException("refused: token " + canary + " is not valid", "Forbidden", null);
        });

        TrainJob job = Bench.run(
                backend,
                Bench.shell("true", 1)
                        .dataset(InitializerSpec.dataset("test://slip").secret("access_token", Secret.of(canary)))
                        .build());

        assertThat(job.failure().orElseThrow().describe())
                .contains("refused: token")
                .doesNotContain(canary);
        assertThat(backend.events(job.name()).toString()).doesNotContain(canary);
        try (var files = Files.walk(bench.jobs())) {
            assertThat(files.filter(Files::isRegularFile))
                    .allSatisfy(file -> assertThat(file)
                            .content(StandardCharsets.ISO_8859_1)
                            .doesNotContain(canary));
        }
    }

    @Test
    void anInitializerThatIgnoresItsCancellationIsNamedAndItsLateWordsAreDropped() throws Exception {
        bench.settings.put("grace-period", "100ms");
        backend = bench.backend();
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch deaf = new CountDownLatch(1);
        CountDownLatch said = new CountDownLatch(1);
        bench.fetcher("deaf", (directory, context) -> {
            deaf.countDown();
            while (release.getCount() > 0) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    context.log("not listening");
                }
            }
            context.log("too late");
            context.progress(7, OptionalLong.empty());
            said.countDown();
        });
        bench.fetcher("broken", (directory, context) -> {
            deaf.await();
            throw new InitializerException("broken", "Broken", null);
        });

        TrainJob job = Bench.run(backend, both("broken", "deaf").build());

        assertThat(job.failure().orElseThrow().further())
                .extracting(Failure::reason)
                .containsExactly("Stuck");
        release.countDown();
        said.await();
        assertThat(backend.get(job.name())).isEqualTo(job);
        assertThat(LogsTest.lines(backend, job.name(), LogQuery.step("model-initializer")))
                .containsExactly("not listening");
    }

    @Test
    void aDeadlinePassesWhileSomethingIsFetched() throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        bench.fetcher("long", (directory, context) -> {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                stopped.set(true);
                throw e;
            }
        });

        TrainJob job = Bench.run(
                backend,
                Bench.shell("true", 1)
                        .dataset("test://long")
                        .deadline(Duration.ofMillis(500))
                        .build());

        assertThat(job.failure().orElseThrow().reason()).isEqualTo("DeadlineExceeded");
        assertThat(stopped).isTrue();
    }

    @Test
    void anotherBackendOfThisJvmDeletesAJobThatIsBeingFetched() throws Exception {
        CountDownLatch fetching = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        bench.fetcher("long", (directory, context) -> {
            fetching.countDown();
            try {
                Thread.sleep(600_000);
            } finally {
                stopped.countDown();
            }
        });
        TrainJob job =
                backend.train(Bench.shell("true", 1).dataset("test://long").build(), ProgressListener.none());
        fetching.await();

        bench.backend().delete(job.name());

        assertThat(stopped.getCount()).isZero();
        assertThat(bench.jobs()).isEmptyDirectory();
        backend.close();
    }

    @Test
    void aListenerThatThrowsHarmsNothing() throws Exception {
        bench.fetcher("data", (directory, context) -> {
            Files.writeString(directory.resolve("data.txt"), "data\n");
            for (int i = 1; i <= 10; i++) {
                context.progress(i, OptionalLong.of(10));
            }
        });
        AtomicInteger calls = new AtomicInteger();
        TrainJob job = backend.train(
                TrainJobRequest.builder()
                        .runtime(Bench.PLAIN)
                        .trainer(CommandTrainer.of("cat", "dataset/data.txt"))
                        .dataset("test://data")
                        .build(),
                event -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("a listener that throws");
                });

        assertThat(Bench.await(backend, job.name()).status()).isEqualTo(JobStatus.COMPLETE);
        assertThat(calls).hasPositiveValue();
    }

    @Test
    void anErrorOfAFetcherFailsTheJobAndNotTheClient() throws Exception {
        bench.fetcher("error", (directory, context) -> {
            throw new StackOverflowError("deep");
        });

        TrainJob job = Bench.run(
                backend, Bench.shell("true", 1).dataset("test://error").build());

        assertThat(job.failure().orElseThrow().step()).hasValue("dataset-initializer");
        assertThat(job.failure().orElseThrow().message()).contains("StackOverflowError");
        assertThat(Bench.run(backend, Bench.shell("true", 1).build()).status()).isEqualTo(JobStatus.COMPLETE);
    }

    @Test
    void progressIsSeenByAnotherClient() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        bench.fetcher("part", (directory, context) -> {
            context.progress(40, OptionalLong.of(100));
            release.await();
        });
        TrainJob job =
                backend.train(Bench.shell("true", 1).dataset("test://part").build(), ProgressListener.none());
        Backend other = bench.backend();
        Step step = other.get(job.name()).steps().get(0);
        while (step.bytesDone().isEmpty()) {
            Thread.sleep(10);
            step = other.get(job.name()).steps().get(0);
        }

        assertThat(step.bytesDone()).hasValue(40);
        assertThat(step.bytesTotal()).hasValue(100);
        assertThat(step.status()).isEqualTo(JobStatus.RUNNING);
        release.countDown();
        assertThat(Bench.await(other, job.name()).status()).isEqualTo(JobStatus.COMPLETE);
    }
}
