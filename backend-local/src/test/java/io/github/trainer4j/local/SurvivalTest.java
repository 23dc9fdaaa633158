package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of jobs whose client is killed, and what other JVMs make of them. */
class SurvivalTest extends BenchTests {
    @Test
    void aJobWhoseClientIsKilledGoesOnAndLosesNoExitCode() throws Exception {
        Path gate = bench.work.resolve("gate");
        try (OtherJvm jvm = OtherJvm.submit(
                bench.work,
                "orphan",
                "plain",
                "echo before; until [ -e " + gate + " ]; do sleep 0.05; done; echo after; exit 5",
                1)) {
            jvm.kill();
        }

        assertThat(backend.list()).extracting(TrainJob::name).containsExactly("orphan");
        assertThat(backend.get("orphan").status()).isEqualTo(JobStatus.RUNNING);
        List<String> lines = new ArrayList<>();
        try (LogStream follow = backend.logs("orphan", LogQuery.all().following())) {
            lines.add(follow.next().orElseThrow().text());
            Files.createFile(gate);
            follow.forEach(line -> lines.add(line.text()));
        }
        assertThat(lines).containsExactly("before", "after");
        TrainJob job = Bench.await(backend, "orphan");
        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.failure().orElseThrow().exitCode()).hasValue(5);
        assertThat(job.failure().orElseThrow().logTail()).containsExactly("before", "after");
    }

    @Test
    void aClientThatIsKilledWhileItFetchesLeavesAFailedJobThatSaysSo() throws Exception {
        try (OtherJvm jvm = OtherJvm.submit(bench.work, "fetching", "fetching", "echo never", 1)) {
            assertThat(backend.get("fetching").status()).isEqualTo(JobStatus.CREATED);
            assertThat(backend.get("fetching")
                            .step("dataset-initializer")
                            .orElseThrow()
                            .bytesTotal())
                    .hasValue(100);
            jvm.kill();

            TrainJob job = Bench.await(backend, "fetching", Duration.ofSeconds(5), JobStatus.FAILED);
            assertThat(job.failure().orElseThrow().reason()).isEqualTo("LauncherLost");
            assertThat(job.failure().orElseThrow().message()).contains(Long.toString(jvm.pid()));
            assertThat(job.step("dataset-initializer").orElseThrow().status()).isEqualTo(JobStatus.FAILED);
            assertThat(job.step("node-0").orElseThrow().startTime()).isEmpty();
        }
        backend.delete("fetching");
        assertThat(bench.jobs()).isEmptyDirectory();
    }

    @Test
    void aJobIsDeletedWhileAnotherJvmStillLaunchesIt() throws Exception {
        try (OtherJvm jvm = OtherJvm.submit(bench.work, "fetching", "fetching", "echo never", 1)) {
            long start = System.nanoTime();
            backend.delete("fetching");

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            assertThat(bench.jobs()).isEmptyDirectory();
            // Its launch is over, so that nothing keeps it.
            assertThat(jvm.leave()).isZero();
        }
    }

    @Test
    void aRunningJobOfAnotherJvmIsDeletedWithAllItsProcesses() throws Exception {
        try (OtherJvm jvm = OtherJvm.submit(bench.work, "running", "plain", "sleep 600 & sleep 600", 2)) {
            backend.delete("running");

            assertThat(Marked.processes(bench.jobs())).isEmpty();
            assertThat(bench.jobs()).isEmptyDirectory();
            assertThat(jvm.leave()).isZero();
        }
    }

    @Test
    void aFailedNodeWhoseClientIsGoneStopsTheOthersAsSoonAsAnybodyLooks() throws Exception {
        Path gate = bench.work.resolve("gate");
        try (OtherJvm jvm = OtherJvm.submit(
                bench.work,
                "pair",
                "plain",
                "mkdir " + bench.work.resolve("first") + " || sleep 600; until [ -e " + gate
                        + " ]; do sleep 0.05; done; exit 9",
                2)) {
            jvm.kill();
        }
        Files.createFile(gate);

        TrainJob job = Bench.await(backend, "pair");

        assertThat(job.failure().orElseThrow().exitCode()).hasValue(9);
        assertThat(job.steps())
                .extracting(step -> step.reason().orElse(""))
                .containsExactlyInAnyOrder("ExitCode", "Stopped");
        assertThat(Marked.processes(bench.jobs())).isEmpty();
    }

    @Test
    void aDeadlineIsKeptWhenTheClientIsDead() throws Exception {
        Instant before = Instant.now();
        try (OtherJvm jvm = OtherJvm.submit(bench.work, "late", "deadline", "sleep 600", 1)) {
            jvm.kill();
        }
        // Nobody looks: the processes end all the same.
        while (!Marked.processes(bench.jobs()).isEmpty()) {
            assertThat(Duration.between(before, Instant.now())).isLessThan(Duration.ofSeconds(30));
            Thread.sleep(50);
        }

        TrainJob job = backend.get("late");
        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.failure().orElseThrow().reason()).isEqualTo("DeadlineExceeded");
        Step node = job.step("node-0").orElseThrow();
        assertThat(Duration.between(job.creationTime(), node.endTime().orElseThrow()))
                .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(10));
    }

    @Test
    void aNodeThatWasKilledWithItsScriptIsLostAndNotComplete() throws Exception {
        try (OtherJvm jvm = OtherJvm.submit(bench.work, "shot", "plain", "sleep 600", 1)) {
            jvm.kill();
        }
        long leader = Long.parseLong(
                backend.get("shot").step("node-0").orElseThrow().instance().orElseThrow());
        ProcessHandle.of(leader).orElseThrow().destroyForcibly();

        TrainJob job = Bench.await(backend, "shot");

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.failure().orElseThrow().reason()).isEqualTo("ProcessLost");
        assertThat(job.failure().orElseThrow().step()).hasValue("node-0");
        assertThat(Marked.processes(bench.jobs())).isEmpty();
    }
}
