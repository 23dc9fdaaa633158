package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.BackendProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the programs that start a training need of a node, on a real engine. */
@Timeout(300)
abstract class TrainersTests extends LabTests {
    TrainersTests(BackendProvider provider, String variable) {
        super(provider, variable);
    }

    @Test
    void torchrunWithoutOptionsFormsOneGroupOfAllNodes() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        String script = """
                import torch, torch.distributed as dist
                dist.init_process_group('gloo')
                t = torch.ones(1) * (dist.get_rank() + 1)
                dist.all_reduce(t)
                print('rank', dist.get_rank(), 'of', dist.get_world_size(), 'sum', int(t.item()))
                """;
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .runtime("torch")
                        .trainer(sh("printf %s \"$SCRIPT\" > /tmp/train.py; exec torchrun /tmp/train.py")
                                .image(Engines.TORCH)
                                .env("SCRIPT", script)
                                .numNodes(2))
                        .build());

        Lab.isComplete(job);
        assertThat(Lab.log(backend, job.name(), "node-0")).contains("rank 0 of 2 sum 3");
        assertThat(Lab.log(backend, job.name(), "node-1")).contains("rank 1 of 2 sum 3");
    }

    @Test
    void jaxProcessesKnowOneAnother() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .runtime("jax")
                        .trainer(sh("env | grep ^JAX_ | sort; [ $JAX_PROCESS_ID = 0 ] && sleep 3"
                                        + " || { sleep 1; ping -c 1 ${JAX_COORDINATOR_ADDRESS%:*} | head -n 1; }")
                                .numNodes(2))
                        .build());

        Lab.isComplete(job);
        for (int rank = 0; rank < 2; rank++) {
            assertThat(Lab.log(backend, job.name(), "node-" + rank))
                    .contains("JAX_NUM_PROCESSES=2", "JAX_PROCESS_ID=" + rank)
                    .anyMatch(line -> line.matches("JAX_COORDINATOR_ADDRESS=\\S+:\\d+"));
        }
        assertThat(Lab.log(backend, job.name(), "node-1")).anyMatch(line -> line.startsWith("PING"));
    }

    @Test
    void torchtuneIsToldItsRecipeAndWhereTheModelIs() throws InterruptedException, IOException {
        Path tune = Files.writeString(
                lab.work().resolve("tune"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\nls /workspace/model >/dev/null\n");
        Files.setPosixFilePermissions(tune, PosixFilePermissions.fromString("rwxr-xr-x"));
        ContainerBackend backend = lab.backend(Map.of("volumes", tune + ":/usr/local/bin/tune:ro"));
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .runtime("torchtune-llama3.2-1b")
                        .model(Lab.fetch(InitializerSpec.model("hf://test/ok")))
                        .trainer(BuiltinTrainer.of(TorchTuneConfig.defaults().epochs(3)))
                        .build());

        Lab.isComplete(job);
        List<String> told = new ArrayList<>(List.of("tune"));
        told.addAll(Lab.log(backend, job.name(), "node-0"));
        assertThat(told)
                .isEqualTo(job.step("node-0").orElseThrow().command())
                .containsSubsequence(
                        "tune", "run", "full_finetune_single_device", "--config", "llama3_2/1B_full_single_device")
                .contains("checkpointer.checkpoint_dir=/workspace/model", "epochs=3");
    }

    private static CommandTrainer sh(String script) {
        return CommandTrainer.of("sh", "-c", script);
    }
}
