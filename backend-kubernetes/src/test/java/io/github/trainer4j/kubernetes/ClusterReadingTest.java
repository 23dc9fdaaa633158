package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.WaitTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is read of jobs on a real cluster: why they fail or do not start, and all that they say. */
class ClusterReadingTest extends ClusterTests {
    @Override
    Map<String, String> settings() {
        return Map.of("start-timeout", "1s");
    }

    @Test
    void aFailingNodeIsNamedWithItsLastLinesAndItsSiblingIsOnlyStopped() throws Exception {
        String name = train("trainer4j-plain", """
                if [ $JOB_COMPLETION_INDEX = 0 ]; then echo fine; sleep 60; fi
                i=1; while [ $i -le 30 ]; do echo "line $i"; i=$((i+1)); done; sleep 2; exit 7""", 2);

        TrainJob job = await(name, now -> now.status().isFinal());

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        Failure failure = job.failure().orElseThrow();
        assertThat(failure.step()).as(failure.describe()).hasValue("node-1");
        assertThat(failure.exitCode()).hasValue(7);
        assertThat(failure.logTail())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(21, 30).mapToObj(i -> "line " + i).toList());
        assertThat(failure.message()).contains("exited with 7 in pod " + name + "-node-0-1-");
        assertThat(job.step("node-0").orElseThrow().reason()).hasValue("Stopped");
        assertThat(backend().list()).contains(job);
        assertThat(lines(LogQuery.step("node-1").tail(2), name))
                .containsExactly("[node-1] line 29", "[node-1] line 30");
        assertThat(lines(LogQuery.all(), name)).as("the sibling's pod is gone").hasSize(30);
        List<Event> events = backend().events(name);
        assertThat(events).extracting(Event::reason).contains("Scheduled", "BackoffLimitExceeded", "FailedJobs");
        assertThat(events).isSortedAccordingTo(Comparator.comparing(Event::time));
    }

    @Test
    void whatAFailingContainerSaidIsKnownAlsoWhenThePodsAreDeleted() throws Exception {
        String name = train(
                "trainer4j-restarting", "echo \"attempt of $(hostname)\"; sleep 2; echo last words >&2; exit 7", 1);
        List<String> followed = new ArrayList<>();
        try (LogStream stream = backend().logs(name, LogQuery.all().following())) {
            stream.forEach(line -> followed.add(line.text()));
        }

        TrainJob job = await(name, now -> now.status().isFinal());

        Failure failure = job.failure().orElseThrow();
        assertThat(failure.step()).as(failure.describe()).hasValue("node-0");
        assertThat(failure.exitCode()).hasValue(7);
        assertThat(failure.logTail()).endsWith("last words");
        assertThat(job.step("node-0").orElseThrow().status()).isEqualTo(JobStatus.FAILED);
        assertThat(followed).contains("last words");
        assertThat(lines(LogQuery.all(), name))
                .as("the cluster has deleted the pods")
                .isEmpty();
    }

    @Test
    void whatKeepsANodeFromStartingIsToldByItsStepAndByWhoWaitsForIt() throws Exception {
        String big = name();
        backend()
                .train(
                        TrainJobRequest.builder()
                                .name(big)
                                .runtime("trainer4j-plain")
                                .trainer(CommandTrainer.of("true").resources(r -> r.cpu(1000)))
                                .build(),
                        ProgressListener.none());
        String imageless = name();
        backend()
                .train(
                        TrainJobRequest.builder()
                                .name(imageless)
                                .runtime("trainer4j-plain")
                                .trainer(CustomTrainerContainer.of("localhost/no-such-image:1"))
                                .build(),
                        ProgressListener.none());

        assertThat(timeout(await(big, now -> node(now).reason().isPresent())))
                .hasMessageContainingAll(
                        "node-0: Created (Unschedulable): 0/1 nodes are available: 1 Insufficient cpu",
                        "FailedScheduling");
        assertThat(timeout(await(imageless, now -> node(now).reason().orElse("").contains("Image"))))
                .hasMessageContainingAll("localhost/no-such-image:1", "node-0: Failed: ");
        assertThat(backend().get(imageless).status()).isEqualTo(JobStatus.CREATED);
        try (LogStream stream = backend().logs(imageless, LogQuery.all().following())) {
            assertThatThrownBy(stream::next)
                    .isInstanceOf(TrainerException.class)
                    .hasMessageContainingAll("node-0 cannot start", "no-such-image");
        }
        assertThat(lines(LogQuery.all(), imageless))
                .as("what there is while one waits")
                .isEmpty();
    }

    @Test
    void aFollowThatBeginsBeforeThePodsHasAllLinesOfAllNodesEachOnce() throws Exception {
        String name = train(
                "trainer4j-plain",
                "i=1; while [ $i -le 400 ]; do echo \"$JOB_COMPLETION_INDEX line $i\"; i=$((i+1)); [ $((i % 100)) = 0 ] && sleep 1; done; printf 'no newline'",
                2);

        List<LogLine> followed = new ArrayList<>();
        try (LogStream stream = backend().logs(name, LogQuery.all().following())) {
            stream.forEach(followed::add);
        }

        for (int index = 0; index < 2; index++) {
            int node = index;
            List<String> expected = new ArrayList<>(IntStream.rangeClosed(1, 400)
                    .mapToObj(i -> node + " line " + i)
                    .toList());
            expected.add("no newline");
            assertThat(followed)
                    .filteredOn(line -> line.step().equals("node-" + node))
                    .extracting(LogLine::text)
                    .containsExactlyElementsOf(expected);
        }
        assertThat(followed).allSatisfy(line -> assertThat(line.time()).isPresent());
        assertThat(followed.subList(0, 700))
                .as("the nodes are followed at the same time")
                .extracting(LogLine::step)
                .contains("node-0", "node-1");
        assertThat(backend().get(name).status()).isEqualTo(JobStatus.COMPLETE);
        assertThat(lines(LogQuery.step("node-0").tail(1).following(), name)).containsExactly("[node-0] no newline");
    }

    private static io.github.trainer4j.api.Step node(TrainJob job) {
        return job.step("node-0").orElseThrow();
    }

    private WaitTimeoutException timeout(TrainJob job) {
        return new WaitTimeoutException(
                job,
                Set.of(JobStatus.COMPLETE),
                Duration.ofSeconds(1),
                backend().events(job.name()));
    }

    private String train(String runtime, String script, int nodes) {
        return train(job(runtime).trainer(CommandTrainer.of("sh", "-c", script).numNodes(nodes)))
                .name();
    }

    private List<String> lines(LogQuery query, String name) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        try (LogStream stream = backend().logs(name, query)) {
            stream.forEach(line -> lines.add(line.toString()));
        }
        return lines;
    }
}
