package io.github.trainer4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainerException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PruningTest {
    private static final Instant NOW = Instant.EPOCH.plus(Duration.ofDays(1));

    private final FakeBackend backend = new FakeBackend();
    private final Pruning pruning = new Pruning(Clock.fixed(NOW, ZoneOffset.UTC));

    private TrainJob add(String name, JobStatus status, Step... steps) {
        TrainJob job = FakeBackend.job(name, status, steps);
        backend.jobs.put(name, () -> job);
        return job;
    }

    private PruneReport prune(Duration age) throws InterruptedException {
        return pruning.prune(backend, age, job -> true);
    }

    @Test
    void onlyWhatIsOverIsRemoved() throws InterruptedException {
        for (JobStatus status : JobStatus.values()) {
            add(status.name().toLowerCase(Locale.ROOT), status);
        }

        PruneReport report = prune(Duration.ZERO);

        assertThat(report.removed()).containsExactlyInAnyOrder("complete", "failed");
        assertThat(report.isClean()).isTrue();
        assertThat(backend.jobs).doesNotContainKeys("complete", "failed").hasSize(JobStatus.values().length - 2);
    }

    @Test
    void ageCountsFromTheEndOfTheLastStep() throws InterruptedException {
        add(
                "recent",
                JobStatus.COMPLETE,
                step("node-0", NOW.minus(Duration.ofHours(9))),
                step("node-1", NOW.minus(Duration.ofMinutes(59))));
        add("older", JobStatus.FAILED, step("node-0", NOW.minus(Duration.ofMinutes(60))));
        add("never-started", JobStatus.FAILED, Step.builder("node-0").build());

        assertThat(prune(Duration.ofHours(1)).removed()).containsExactly("older", "never-started");
        assertThat(backend.jobs).containsOnlyKeys("recent");
    }

    @Test
    void onlyThosePickedAreRemoved() throws InterruptedException {
        add("a", JobStatus.COMPLETE);
        add("b", JobStatus.COMPLETE);
        add("c", JobStatus.RUNNING);

        PruneReport report =
                pruning.prune(backend, Duration.ZERO, job -> !job.name().equals("a"));

        assertThat(report.removed()).containsExactly("b");
        assertThat(backend.jobs).containsOnlyKeys("a", "c");
    }

    @Test
    void oneThatCannotBeRemovedKeepsNoneOfTheOthers() throws InterruptedException {
        for (String name : List.of("a", "b", "c")) {
            add(name, JobStatus.COMPLETE);
        }
        backend.undeletable.put("a", new TrainerException("container a-node-0 is stuck; restart the engine", null));
        backend.undeletable.put("b", JobNotFoundException.noJob("b", "fake"));

        PruneReport report = prune(Duration.ZERO);

        assertThat(report.removed()).containsExactly("c");
        assertThat(report.problems()).isEqualTo(Map.of("a", "container a-node-0 is stuck; restart the engine"));
        assertThat(report.isClean()).isFalse();
    }

    @Test
    void whenContactIsLostNoFurtherOneIsTried() throws InterruptedException {
        for (String name : List.of("a", "b", "c")) {
            add(name, JobStatus.COMPLETE);
        }
        backend.undeletable.put("b", new BackendUnavailableException("no engine", List.of(), null));

        PruneReport report = prune(Duration.ZERO);

        assertThat(report.removed()).containsExactly("a");
        assertThat(report.problems()).containsOnlyKeys("b");
        assertThat(backend.calls).doesNotContain("delete c");
    }

    @Test
    void anotherJobThatTookTheNameMeanwhileStays() throws InterruptedException {
        TrainJob old = add("a", JobStatus.COMPLETE);
        TrainJob fresh = new TrainJob(
                "a",
                JobStatus.RUNNING,
                Optional.empty(),
                List.of(),
                1,
                NOW,
                Map.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        int[] looks = {0};
        backend.jobs.put("a", () -> looks[0]++ == 0 ? old : fresh);

        assertThat(prune(Duration.ZERO)).isEqualTo(new PruneReport(List.of(), Map.of()));
        assertThat(backend.jobs).containsKey("a");
    }

    @Test
    void anErrorOfAProgramIsNoProblemOfAJob() {
        add("a", JobStatus.COMPLETE);
        backend.undeletable.put("a", new IllegalStateException("a mistake"));

        assertThatThrownBy(() -> prune(Duration.ZERO)).hasMessage("a mistake");
    }

    private static Step step(String name, Instant end) {
        return Step.builder(name).endTime(end).build();
    }
}
