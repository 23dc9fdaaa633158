package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobLifeTest extends BenchTests {
    @Test
    void aJobOfTwoNodesRunsAndIsComplete() throws Exception {
        TrainJob created = backend.train(
                Bench.shell("echo rank $PET_NODE_RANK of $PET_NNODES", 2)
                        .runtime(Bench.TORCH)
                        .name("two")
                        .label("team", "a")
                        .build(),
                ProgressListener.none());

        assertThat(created.status()).isEqualTo(JobStatus.CREATED);
        TrainJob job = Bench.await(backend, "two");
        assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.COMPLETE);
        assertThat(job.steps()).extracting(Step::name).containsExactly("node-0", "node-1");
        assertThat(job.steps()).allSatisfy(step -> {
            assertThat(step.exitCode()).hasValue(0);
            assertThat(step.status()).isEqualTo(JobStatus.COMPLETE);
            assertThat(step.startTime()).isPresent();
            assertThat(step.endTime()).isPresent();
        });
        assertThat(job.labels()).containsEntry("team", "a");
        assertThat(backend.list()).containsExactly(job);
        assertThat(Files.readString(bench.jobs().resolve("two/logs/node-1.log")))
                .isEqualTo("rank 1 of 2\n");

        backend.delete("two");
        assertThat(bench.jobs()).isEmptyDirectory();
        assertThatThrownBy(() -> backend.get("two")).isInstanceOf(JobNotFoundException.class);
        assertThatThrownBy(() -> backend.delete("two")).isInstanceOf(JobNotFoundException.class);
    }

    @Test
    void aClosedBackendTakesNoJobs() {
        backend.close();
        backend.close();

        assertThatThrownBy(() -> backend.train(Bench.shell("true", 1).build(), ProgressListener.none()))
                .isInstanceOf(IllegalStateException.class);
        assertThat(bench.jobs()).doesNotExist();
    }

    @Test
    void aJobThatExitsWithThreeIsFailed() throws Exception {
        TrainJob job = Bench.run(
                backend, Bench.shell("echo out; echo boom >&2; exit 3", 1).build());

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.failure()).hasValueSatisfying(failure -> {
            assertThat(failure.step()).hasValue("node-0");
            assertThat(failure.exitCode()).hasValue(3);
            assertThat(failure.reason()).isEqualTo("ExitCode");
            assertThat(failure.logTail()).containsExactly("out", "boom");
        });
        assertThat(backend.list()).containsExactly(job);
    }

    @Test
    void argumentsArriveAsTheyAre() throws Exception {
        List<String> args = List.of("printf", "[%s]", "", " a  b ", "'\"$HOME`x`\\", "-n", "ü\n*");
        TrainJob job = Bench.run(
                backend,
                TrainJobRequest.builder()
                        .runtime(Bench.PLAIN)
                        .trainer(CommandTrainer.of(args.toArray(String[]::new)))
                        .build());

        assertThat(job.status()).isEqualTo(JobStatus.COMPLETE);
        assertThat(Files.readString(bench.jobs().resolve(job.name()).resolve("logs/node-0.log")))
                .isEqualTo("[][ a  b ]['\"$HOME`x`\\][-n][ü\n*]");
    }

    @Test
    void whenOneNodeFailsTheOthersAreStopped() throws Exception {
        TrainJob job = Bench.run(
                backend,
                Bench.shell(
                                "if [ $PET_NODE_RANK = 1 ]; then until [ -e up0 -a -e up2 ]; do sleep 0.02; done; exit 7; fi;"
                                        + " : >up$PET_NODE_RANK; sleep 600 & sleep 600",
                                3)
                        .runtime(Bench.TORCH)
                        .build());

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.failure().orElseThrow().step()).hasValue("node-1");
        assertThat(job.failure().orElseThrow().exitCode()).hasValue(7);
        assertThat(job.step("node-0").orElseThrow().reason()).hasValue("Stopped");
        assertThat(job.failure().orElseThrow().further()).hasSize(2);
        assertThat(Marked.processes(bench.work)).isEmpty();
    }
}
