package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The way of a job on a real cluster with Kubeflow Trainer, from train() to delete(). */
class ClusterJobsTest extends ClusterTests {
    @Test
    void aJobRunsAndIsReadAndDeleted() throws Exception {
        TrainJob job = train(job("trainer4j-plain")
                .label("team", "vision")
                .trainer(CommandTrainer.of("sh", "-c", "echo hello $GREETED; echo $TOKEN | wc -c")
                        .env("GREETED", "world $(HOME)")
                        .secretEnv("TOKEN", Secret.of("geheim"))
                        .numNodes(2)));

        assertThat(job.status()).isEqualTo(JobStatus.CREATED);
        TrainJob over = await(job.name(), now -> now.status().isFinal());
        assertThat(over.status()).as(over.toString()).isEqualTo(JobStatus.COMPLETE);
        assertThat(over.labels()).containsEntry("team", "vision");
        assertThat(over.steps()).extracting(Step::name).containsExactly("node-0", "node-1");
        assertThat(over.steps()).allSatisfy(step -> assertThat(step.exitCode()).hasValue(0));
        assertThat(lines(job.name(), LogQuery.step("node-1"))).containsExactly("hello world $(HOME)", "7");
        assertThat(backend().list()).contains(over);
        assertThat(backend().events(job.name())).extracting(Event::reason).contains("Scheduled", "Started");
        backend().delete(job.name());
        assertThatThrownBy(() -> backend().get(job.name())).isInstanceOf(JobNotFoundException.class);
    }

    @Test
    void aScriptIsMountedAndNodesReduceWithGloo() throws InterruptedException {
        String script = """
                import torch, torch.distributed as dist
                dist.init_process_group('gloo')
                t = torch.ones(1) * (dist.get_rank() + 1)
                dist.all_reduce(t)
                print('rank', dist.get_rank(), 'sum', int(t.item()), '\\u00e9 $HOME "quoted"')
                """;
        TrainJob job = train(job("trainer4j-torch")
                .trainer(CustomTrainer.source("train.py", script).numNodes(2).resources(r -> r.cpu(1))));

        List<String> followed = lines(job.name(), LogQuery.all().following());
        TrainJob over = backend().get(job.name());
        assertThat(over.status()).as(over.toString() + followed).isEqualTo(JobStatus.COMPLETE);
        assertThat(followed).contains("rank 0 sum 3 \u00e9 $HOME \"quoted\"", "rank 1 sum 3 \u00e9 $HOME \"quoted\"");
    }

    @Test
    void aFailingNodeIsToldAndWatchersAreCalled() throws Exception {
        Semaphore calls = new Semaphore(0);
        TrainJob job = train(job("trainer4j-plain").trainer(CommandTrainer.of("sh", "-c", "echo last words; exit 7")));
        try (AutoCloseable watch = backend().watch(job.name(), calls::release)) {
            TrainJob over = await(job.name(), now -> now.status().isFinal());

            assertThat(over.status()).isEqualTo(JobStatus.FAILED);
            assertThat(over.failure().orElseThrow().step()).hasValue("node-0");
            assertThat(over.failure().orElseThrow().exitCode()).hasValue(7);
            assertThat(over.failure().orElseThrow().message()).contains("exited with 7");
            assertThat(lines(job.name(), LogQuery.all())).containsExactly("last words");
            assertThat(calls.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatCannotBeIsRefusedAndNothingIsLeft() {
        assertThatThrownBy(() -> train(job("no-such-runtime").trainer(CommandTrainer.of("true"))))
                .isInstanceOf(RuntimeNotFoundException.class);
        TrainJobRequest once =
                job("trainer4j-plain").trainer(CommandTrainer.of("true")).build();
        backend().train(once, ProgressListener.none());
        assertThatThrownBy(() -> backend().train(once, ProgressListener.none()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("there is a job '" + once.name().orElseThrow() + "' already");
    }

    private List<String> lines(String name, LogQuery query) throws InterruptedException {
        return Jobs.lines(backend(), name, query);
    }
}
