package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingProgress;
import io.github.trainer4j.api.progress.ProgressFile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The part of the contract about a job's way from Created to its end, and what is read of it on the way. */
interface LifecycleContract {
    @Test
    default void aCommandThatExitsWithZeroIsComplete(Bench bench) {
        TrainJob job = bench.complete(bench.job().trainer(bench.sh("true")).build());

        assertThat(job.failure()).isEmpty();
        assertThat(job.steps()).extracting(Step::name).containsExactly("node-0");
        Step node = job.steps().get(0);
        assertThat(node.status()).isEqualTo(JobStatus.COMPLETE);
        assertThat(node.exitCode()).hasValue(0);
        assertThat(node.instance()).as("what ran the node").isPresent();
        assertThat(node.startTime()).isPresent();
        assertThat(node.endTime()).isPresent();
        assertThat(node.endTime().get()).isAfterOrEqualTo(node.startTime().get());
    }

    @Test
    default void theStatusGoesFromCreatedToRunningToComplete(Bench bench) {
        TrainJob created = bench.start(bench.script("sleep 2"));
        List<JobStatus> seen = new ArrayList<>(List.of(created.status()));

        bench.await(created.name(), "be over", job -> {
            if (job.status() != seen.get(seen.size() - 1)) {
                seen.add(job.status());
            }
            return job.status().isFinal();
        });

        assertThat(seen).containsExactly(JobStatus.CREATED, JobStatus.RUNNING, JobStatus.COMPLETE);
    }

    @Test
    default void trainReturnsWhatWasAskedFor(Bench bench) {
        Instant before = Instant.now().minusSeconds(2);
        TrainJobRequest request = bench.job()
                .trainer(bench.sh("true"))
                .label("team", "a")
                .annotation("contract/note", "two\nlines, ünïcode")
                .build();

        TrainJob created = bench.start(request);

        assertThat(created.name()).isEqualTo(request.name().get());
        assertThat(created.status()).isEqualTo(JobStatus.CREATED);
        assertThat(created.numNodes()).isEqualTo(1);
        assertThat(created.runtime()).hasValue(request.runtime().get().name());
        assertThat(created.creationTime()).isBetween(before, Instant.now().plusSeconds(2));
        TrainJob read = bench.completed(created.name());
        assertThat(read.labels()).containsEntry("team", "a");
        assertThat(read.annotations()).containsEntry("contract/note", "two\nlines, ünïcode");
        assertThat(read.creationTime()).isEqualTo(created.creationTime());
        assertThat(read.numNodes()).isEqualTo(1);
        assertThat(read.runtime()).isEqualTo(created.runtime());
    }

    @Test
    default void aJobWithoutANameIsGivenOne(Bench bench) {
        TrainJobRequest request = bench.on(TrainJobRequest.builder(), "plain")
                .trainer(bench.sh("true"))
                .build();

        TrainJob first = bench.start(request);
        TrainJob second = bench.start(request);

        assertThat(first.name()).matches("[a-z][0-9a-f]{11}").isNotEqualTo(second.name());
        bench.completed(first.name());
        bench.completed(second.name());
    }

    @Test
    default void anEndedJobNeverChanges(Bench bench) {
        TrainJob complete = bench.complete(bench.script("echo done"));
        TrainJob failed = bench.run(bench.script("echo oh; exit 3"));

        Bench.pause(1000);

        assertThat(bench.backend().get(complete.name())).isEqualTo(complete);
        assertThat(bench.backend().get(failed.name())).isEqualTo(failed);
    }

    @Test
    default void listHasEachJobExactlyAsGetHasIt(Bench bench) {
        String complete = bench.complete(bench.script("true")).name();
        String failed = bench.run(bench.script("exit 3")).name();
        Sleeper sleeper = bench.sleeper();
        String running = bench.running(
                        bench.start(bench.script(sleeper.command())).name())
                .name();
        sleeper.awaitStart();

        List<TrainJob> all = bench.backend().list();

        for (String name : List.of(complete, failed, running)) {
            assertThat(all)
                    .filteredOn(job -> job.name().equals(name))
                    .containsExactly(bench.backend().get(name));
        }
        assertThat(all).extracting(TrainJob::name).as("oldest first").containsSubsequence(complete, failed, running);
    }

    @Test
    default void aWatcherIsToldOfTheEnd(Bench bench) throws Exception {
        if (!bench.has(Feature.WATCH)) {
            return;
        }
        String name = bench.start(bench.script("sleep 1")).name();
        AtomicReference<JobStatus> told = new AtomicReference<>();

        // Looks at the job only when called back, so without the last call it never sees the end.
        try (AutoCloseable watch = bench.backend()
                .watch(name, () -> told.set(bench.backend().get(name).status()))) {
            bench.until("the watcher is called when the job is over", () -> told.get() == JobStatus.COMPLETE);
        }
    }

    @Test
    default void aClosedWatchIsNotCalledAgain(Bench bench) throws Exception {
        String name = bench.start(bench.script("sleep 3")).name();
        AtomicInteger calls = new AtomicInteger();
        AutoCloseable watch = bench.backend().watch(name, calls::incrementAndGet);
        bench.running(name);

        watch.close();
        // A call may be under way when it is closed.
        Bench.pause(500);
        int before = calls.get();
        bench.completed(name);
        Bench.pause(500);

        assertThat(calls).hasValue(before);
    }

    @Test
    default void aPendingInterruptIsKept(Bench bench) {
        TrainJob job = bench.complete(bench.script("true"));
        List<Callable<Object>> calls = List.of(
                () -> bench.backend().get(job.name()),
                () -> bench.backend().list(),
                () -> bench.backend().events(job.name()));

        for (Callable<Object> call : calls) {
            Thread.currentThread().interrupt();
            try {
                assertThat(call.call()).isNotNull();
            } catch (BackendUnavailableException e) {
                // To give up is right; to say that there is no such job would not be.
                assertThat(e.getMessage()).isNotBlank();
            } catch (Exception e) {
                throw new AssertionError("an interrupted call failed with " + e, e);
            } finally {
                assertThat(Thread.interrupted())
                        .as("the interrupt is still there")
                        .isTrue();
            }
        }
    }

    @Test
    default void eventsTellTheLifeOfAJobInOrder(Bench bench) {
        String name = bench.run(bench.script("exit 3")).name();

        List<Event> events = bench.backend().events(name);

        assertThat(events).extracting(Event::reason).containsSubsequence("Created", "Started", "Exited");
        assertThat(events).extracting(Event::time).isSorted();
        Event exited = events.stream()
                .filter(event -> event.reason().equals("Exited"))
                .findFirst()
                .orElseThrow();
        assertThat(exited.step()).hasValue("node-0");
        assertThat(exited.message()).contains("3");
        assertThat(exited.type()).isEqualTo(Event.Type.WARNING);
    }

    @Test
    default void whatTheTrainingReportsIsReadBack(Bench bench) {
        if (!bench.has(Feature.PROGRESS_FILE)) {
            return;
        }
        TrainingProgress progress = new TrainingProgress(
                OptionalInt.of(42),
                Optional.of(Duration.ofSeconds(7)),
                Map.of("loss", "0.25"),
                Instant.parse("2026-01-02T03:04:05Z"));
        String name = bench.start(bench.script(
                        "printf %s \"$1\" > \"$TRAINJOB_PROGRESS_FILE.new\""
                                + " && mv \"$TRAINJOB_PROGRESS_FILE.new\" \"$TRAINJOB_PROGRESS_FILE\"; sleep 2",
                        ProgressFile.text(progress)))
                .name();

        TrainJob job =
                bench.await(name, "tell its progress", read -> read.progress().isPresent());

        assertThat(job.progress()).hasValue(progress);
        assertThat(bench.completed(name).progress()).as("after the end").hasValue(progress);
    }

    @Test
    default void aJobWithoutARuntimeRunsOnTheDefaultOne(Bench bench) {
        TrainJob job = bench.backend()
                .train(
                        TrainJobRequest.builder()
                                .name(bench.name())
                                .trainer(bench.sh("true"))
                                .build(),
                        ProgressListener.none());

        assertThat(job.runtime()).isPresent();
        assertThat(bench.completed(job.name()).runtime()).isEqualTo(job.runtime());
    }
}
