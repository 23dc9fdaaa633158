package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainingProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobReaderTest {
    private static final String NO_CONDITION = "{\"jobsStatus\": []}";

    private final List<String> read = new ArrayList<>();
    private final Sightings sightings = new Sightings((pod, ending) -> {
        read.add(pod.name() + " attempt " + ending.attempt());
        return List.of("last words of " + pod.name());
    });
    private final JobReader reader = new JobReader(sightings);

    @Test
    void aJobRunsWhenANodeDoes() {
        TrainJob job = look(Recorded.of("both-run"));

        assertThat(job.status()).isEqualTo(JobStatus.RUNNING);
        assertThat(job.steps()).extracting(Step::name).containsExactly("node-0", "node-1");
        assertThat(job.steps()).extracting(Step::status).containsOnly(JobStatus.RUNNING);
        assertThat(job.steps().get(0).startTime()).hasValue(Instant.parse("2026-11-30T20:06:01Z"));
        assertThat(job.steps().get(1).instance()).hasValue("twonodes-node-0-1-lz2qs");
        assertThat(job.runtime()).hasValue("trainer4j-plain");
    }

    @Test
    void whatConditionsOfAQueueComeAndGoDoesNotMatterToARunningJob() {
        Recorded resumed = Recorded.of("both-run").status("""
                {"conditions": [{"type": "Suspended", "status": "False", "reason": "Resumed", "message": "TrainJob is resumed"},
                                {"type": "SomethingNew", "status": "True", "reason": "Whatever"}]}""");

        assertThat(look(resumed).status()).isEqualTo(JobStatus.RUNNING);
    }

    @Test
    void aSuspendedJobSaysSoInItsSteps() {
        TrainJob job = look(Recorded.of("suspended"));

        assertThat(job.status()).isEqualTo(JobStatus.CREATED);
        assertThat(job.steps().get(0).reason()).hasValue("Suspended");
        assertThat(job.steps().get(0).message()).hasValue("TrainJob is suspended");
    }

    @Test
    void aJobThatIsBeingSuspendedDoesNotRunAnyMore() {
        Recorded suspended = Recorded.of("both-run")
                .pods(pod -> pod.getMetadata().setDeletionTimestamp("2026-11-30T20:06:09Z"))
                .status("""
                        {"conditions": [{"type": "Suspended", "status": "True", "reason": "Suspended"}]}""");

        assertThat(look(suspended).status()).isEqualTo(JobStatus.CREATED);
    }

    @ParameterizedTest
    @CsvSource({
        "image-missing, ImagePullBackOff, Back-off pulling image \"localhost/no-such-image:1\"",
        "no-room, Unschedulable, 1 Insufficient cpu",
        "secret-missing, CreateContainerConfigError, secret \"no-such-secret\" not found"
    })
    void aNodeThatCannotStartSaysWhyInTheClustersWords(String recorded, String reason, String words) {
        TrainJob job = look(Recorded.of(recorded));

        assertThat(job.status()).isEqualTo(JobStatus.CREATED);
        Step node = job.step("node-0").orElseThrow();
        assertThat(node.status()).isEqualTo(JobStatus.CREATED);
        assertThat(node.reason()).hasValue(reason);
        assertThat(node.message().orElseThrow()).contains(words);
    }

    @Test
    void aFailedNodeIsToldWithItsLastLinesAndItsStoppedSiblingIsNot() {
        look(Recorded.of("both-run"));
        look(Recorded.of("one-of-two-failing"));
        TrainJob job = look(Recorded.of("one-of-two-failed"));

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        Failure failure = job.failure().orElseThrow();
        assertThat(failure.step()).hasValue("node-1");
        assertThat(failure.exitCode()).hasValue(7);
        assertThat(failure.message())
                .contains("exited with 7 in pod twonodes-node-0-1-lz2qs", "first failed job: twonodes-node-0");
        assertThat(failure.logTail()).containsExactly("last words of twonodes-node-0-1-lz2qs");
        assertThat(failure.further()).isEmpty();
        assertThat(job.step("node-0").orElseThrow().status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.step("node-0").orElseThrow().reason()).hasValue("Stopped");
        assertThat(read).as("lines are read once").containsExactly("twonodes-node-0-1-lz2qs attempt 0");
    }

    @Test
    void aNodeThatHasFailedWhileItsSiblingRunsIsToldAtOnce() {
        TrainJob job = look(Recorded.of("one-of-two-failing"));

        assertThat(job.status()).isEqualTo(JobStatus.RUNNING);
        assertThat(job.step("node-1").orElseThrow().exitCode()).hasValue(7);
        assertThat(job.step("node-0").orElseThrow().status()).isEqualTo(JobStatus.RUNNING);
    }

    @Test
    void aFailureIsToldAlsoWhenThePodsAreGone() {
        Recorded failing = Recorded.of("one-of-two-failing");
        look(failing);

        TrainJob job = look(Recorded.of("one-of-two-failed").with(List.of()));

        assertThat(job.failure().orElseThrow().step()).hasValue("node-1");
        assertThat(job.failure().orElseThrow().exitCode()).hasValue(7);
        assertThat(job.failure().orElseThrow().logTail()).containsExactly("last words of twonodes-node-0-1-lz2qs");
        assertThat(job.step("node-1").orElseThrow().exitCode()).hasValue(7);
        assertThat(job.step("node-0").orElseThrow().reason()).hasValue("Stopped");
    }

    @Test
    void aFailureThatNobodySawIsToldAsTheClusterTellsIt() {
        TrainJob job = look(Recorded.of("restarted-until-deleted"));

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.failure().orElseThrow().reason()).isEqualTo("FailedJobs");
        assertThat(job.failure().orElseThrow().message()).contains("first failed job: restarting-node-0");
        assertThat(job.step("node-0").orElseThrow().reason()).hasValue("PodDeleted");
    }

    @Test
    void ofAContainerThatWasStartedAgainAndThenStoppedTheFailureBeforeCounts() {
        Recorded stopped = Recorded.of("one-of-two-failing").pods(pod -> {
            pod.getMetadata().setDeletionTimestamp("2026-11-30T20:06:09Z");
            status(
                    pod,
                    builder -> builder.withRestartCount(1)
                            .withLastState(terminated(7))
                            .withState(terminated(137)));
        });
        look(stopped);

        TrainJob job = look(Recorded.of("one-of-two-failed").with(List.of()));

        assertThat(job.failure().orElseThrow().exitCode()).hasValue(7);
        assertThat(job.step("node-0").orElseThrow().restarts()).isEqualTo(1);
        assertThat(read).contains("twonodes-node-0-0-ncwhr attempt 0");
    }

    @Test
    void aProgramThatIsMissingIsNamed() {
        TrainJob job = look(Recorded.of("program-missing"));

        Failure failure = job.failure().orElseThrow();
        assertThat(failure.reason()).isEqualTo("StartError");
        assertThat(failure.exitCode()).hasValue(128);
        assertThat(failure.message()).contains("exec: \"no-such-program\": executable file not found");
        assertThat(job.step("node-0").orElseThrow().startTime())
                .as("it never started")
                .isEmpty();
    }

    @Test
    void whatHeldUpAJobUntilItsDeadlineIsTold() {
        look(Recorded.of("image-missing"));

        TrainJob job = look(Recorded.of("image-missing").status("""
                        {"conditions": [{"type": "Failed", "status": "True", "reason": "DeadlineExceeded", "message": "too long"}],
                         "jobsStatus": [{"name": "node", "active": 1, "ready": 0, "failed": 0, "succeeded": 0}]}""").with(List.of()));

        Failure failure = job.failure().orElseThrow();
        assertThat(failure.reason()).isEqualTo("DeadlineExceeded");
        assertThat(failure.describe()).contains("had not started", "ImagePullBackOff", "no-such-image");
    }

    @Test
    void aJobThatHasFailedStaysSo() {
        look(Recorded.of("one-of-two-failed"));

        TrainJob job = look(Recorded.of("both-run"));

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.failure().orElseThrow().message()).contains("started the job anew since", "delete it");
        assertThat(job.steps()).extracting(Step::status).doesNotContain(JobStatus.RUNNING);
    }

    @Test
    void oneStepHasOnePodAndItsEarlierPodsAreRestarts() {
        Recorded failing = Recorded.of("one-of-two-failing");
        Pod old = failing.pods().get(1);
        Pod young = Serialization.clone(Recorded.of("no-room").pods().get(0));
        young.getMetadata().setLabels(old.getMetadata().getLabels());
        young.getMetadata().setCreationTimestamp("2026-11-30T20:07:00Z");

        for (List<Pod> pods : List.of(List.of(old, young), List.of(young, old))) {
            TrainJob job = look(failing.with(pods));

            Step step = job.step("node-1").orElseThrow();
            assertThat(step.status()).isEqualTo(JobStatus.CREATED);
            assertThat(step.reason()).hasValue("Unschedulable");
            assertThat(step.restarts()).isEqualTo(1);
            assertThat(step.instance()).hasValue(young.getMetadata().getName());
            assertThat(job.steps()).hasSize(2);
        }
    }

    @Test
    void aContainerBesideTheWorkingOneDoesNotCount() {
        Recorded withSidecar = Recorded.of("both-run").pods(pod -> {
            ContainerStatus beside = new ContainerStatusBuilder(
                            pod.getStatus().getContainerStatuses().get(0))
                    .withName("istio-proxy")
                    .build();
            status(pod, builder -> builder.withState(terminated(0)));
            pod.getStatus().getContainerStatuses().add(0, beside);
            pod.getStatus().setPhase("Running");
        });

        TrainJob job = look(withSidecar);

        assertThat(job.steps()).extracting(Step::status).containsOnly(JobStatus.COMPLETE);
        assertThat(withSidecar.facts()).extracting(PodFacts::container).containsOnly("node");
        assertThat(job.status()).as("the cluster has not said that it is over").isEqualTo(JobStatus.RUNNING);
    }

    @Test
    void aPodThatFailedAsAWholeSaysWhy() {
        Recorded evicted = Recorded.of("both-run").pods(pod -> {
            pod.getStatus().setContainerStatuses(List.of());
            pod.getStatus().setPhase("Failed");
            pod.getStatus().setReason("Evicted");
            pod.getStatus().setMessage("The node was low on resource: memory.");
        });

        Step step = look(evicted).step("node-0").orElseThrow();

        assertThat(step.status()).isEqualTo(JobStatus.FAILED);
        assertThat(step.reason()).hasValue("Evicted");
        assertThat(step.message()).hasValue("The node was low on resource: memory.");
    }

    @Test
    void aContainerThatComesFirstAndDoesNotEndIsNamed() {
        Recorded held = Recorded.of("no-room").pods(pod -> {
            pod.getStatus().setConditions(List.of());
            pod.getStatus()
                    .setInitContainerStatuses(List.of(new ContainerStatusBuilder()
                            .withName("wait-for-data")
                            .withState(new ContainerStateBuilder()
                                    .withNewWaiting("no such image", "ImagePullBackOff")
                                    .build())
                            .build()));
        });

        Step step = look(held).step("node-0").orElseThrow();

        assertThat(step.reason()).hasValue("ImagePullBackOff");
        assertThat(step.message().orElseThrow()).contains("wait-for-data", "no such image");
    }

    @Test
    void withoutPodsTheClustersCountSaysWhetherTheJobRuns() {
        Recorded noPods = Recorded.of("both-run").with(List.of());

        assertThat(look(noPods).status()).isEqualTo(JobStatus.RUNNING);
        assertThat(look(noPods.status(NO_CONDITION)).status()).isEqualTo(JobStatus.CREATED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"conditions\": null, \"jobsStatus\": \"odd\"}",
                "{\"conditions\": [7, {\"type\": \"Failed\"}]}"
            })
    void aStatusOfAnotherKindHarmsNothing(String status) {
        assertThat(look(Recorded.of("both-run").status(status)).status()).isEqualTo(JobStatus.RUNNING);
    }

    @Test
    void fieldsOfAnotherVersionHarmNothing() {
        String json = Serialization.asJson(Recorded.of("both-run").pods().get(0))
                .replaceFirst("\\{", "{\"later\": {\"x\": [1]}, ")
                .replace("\"status\":{", "\"status\":{\"laterToo\": true, ")
                .replace("\"containerStatuses\":[{", "\"containerStatuses\":[{\"laterStill\": \"y\", ");
        Pod pod = Serialization.unmarshal(json, Pod.class);

        assertThat(PodFacts.of(pod))
                .isEqualTo(PodFacts.of(Recorded.of("both-run").pods().get(0)));
        assertThat(Serialization.asJson(pod)).contains("later", "laterToo", "laterStill");
    }

    @Test
    void aResourceThatIsWrittenBackKeepsFieldsOfAnotherVersion() {
        GenericKubernetesResource resource = Serialization.unmarshal("""
                {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "later": 1,
                 "metadata": {"name": "mnist", "labels": {"a": "b"}},
                 "spec": {"laterToo": [2], "trainer": {"numNodes": 2, "laterStill": {"x": 3}}}}""", GenericKubernetesResource.class);

        resource.getMetadata().setLabels(Map.of("a", "changed"));

        assertThat(Serialization.asJson(resource))
                .contains("\"later\":1", "\"laterToo\":[2]", "\"laterStill\":{\"x\":3}", "changed");
    }

    @Test
    void whatTheTrainingCodeReportedIsRead() {
        TrainJob job = look(Recorded.of("both-run").status("""
                {"trainerStatus": {"progressPercentage": 40, "estimatedRemainingSeconds": 90,
                                   "metrics": [{"name": "loss", "value": "0.12"}],
                                   "lastUpdatedTime": "2026-11-30T20:06:08Z"}}"""));

        TrainingProgress progress = job.progress().orElseThrow();
        assertThat(progress.percent()).hasValue(40);
        assertThat(progress.remaining()).hasValue(Duration.ofSeconds(90));
        assertThat(progress.metrics()).isEqualTo(Map.of("loss", "0.12"));
        assertThat(progress.updated()).isEqualTo(Instant.parse("2026-11-30T20:06:08Z"));
    }

    private TrainJob look(Recorded recorded) {
        String name = recorded.trainJob().at("metadata", "name").text().orElseThrow();
        List<PodFacts> pods = recorded.facts();
        pods.forEach(pod -> sightings.see(name, pod));
        return reader.read(recorded.trainJob(), pods, runtime -> 1);
    }

    private static void status(Pod pod, java.util.function.UnaryOperator<ContainerStatusBuilder> change) {
        ContainerStatus status = pod.getStatus().getContainerStatuses().get(0);
        List<ContainerStatus> changed = new ArrayList<>();
        changed.add(change.apply(new ContainerStatusBuilder(status)).build());
        pod.getStatus().setContainerStatuses(changed);
    }

    private static io.fabric8.kubernetes.api.model.ContainerState terminated(int code) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(code)
                .withStartedAt("2026-11-30T20:06:01Z")
                .withFinishedAt("2026-11-30T20:06:03Z")
                .endTerminated()
                .build();
    }
}
