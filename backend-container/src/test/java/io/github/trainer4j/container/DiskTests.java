package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.BackendProvider;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A work directory on a disk that is full or cannot be written: jobs end, say why, and leave nothing on the engine. */
@Timeout(300)
abstract class DiskTests {
    private static final int KIB = 1 << 10;
    private static final int SIZE = 2048 * KIB;
    private static final String FILL = "dd if=/dev/zero of=/workspace/filling bs=4096; ";

    private final BackendProvider provider;
    private final String variable;
    private SmallDisk disk;
    private Lab lab;
    private ContainerBackend backend;

    DiskTests(BackendProvider provider, String variable) {
        this.provider = provider;
        this.variable = variable;
    }

    @BeforeEach
    void open() throws IOException, InterruptedException {
        disk = SmallDisk.mount(SIZE);
        lab = new Lab(
                provider,
                System.getenv(variable),
                java.nio.file.Files.createDirectory(disk.path().resolve("work")));
        backend = lab.backend(Map.of());
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        disk.writable(true);
        disk.empty();
        try {
            lab.close();
        } finally {
            disk.unmount();
        }
    }

    @Test
    void aJobIsRefusedOnADiskThatIsFullOrCannotBeWritten() throws IOException, InterruptedException {
        TrainJobRequest request = lab.job().trainer(sh("true")).build();
        disk.fill(0);

        assertThatThrownBy(() -> lab.start(backend, request))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining(lab.work().toString())
                .hasMessageContaining("No space left on device; make it writable or free some space");

        disk.empty();
        disk.writable(false);

        assertThatThrownBy(() -> lab.start(backend, request))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("Read-only file system; make it writable");
        assertThat(Engines.traces(lab.host(), request.name().orElseThrow())).isEmpty();
    }

    @Test
    void aScriptForWhichThereIsNoRoomFailsTheJob() throws IOException, InterruptedException {
        disk.fill(100 * KIB);

        TrainJob job = lab.run(
                backend,
                lab.job()
                        .trainer(CustomTrainer.source("train.py", "x".repeat(500 * KIB))
                                .image(Engines.BUSYBOX))
                        .build());

        Failure failure = job.failure().orElseThrow();
        assertThat(failure.reason()).isEqualTo("StartFailed");
        assertThat(failure.message()).contains("No space left on device").contains("free some space");
        assertThat(Engines.traces(lab.host(), job.name())).isEmpty();
    }

    @Test
    void anInitializerThatFillsTheDiskEndsTheJobThoughNothingCanBeWrittenDown() throws InterruptedException {
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/size-9000000")))
                        .trainer(sh("true"))
                        .build());

        assertThat(job.failure().orElseThrow().step()).hasValue("dataset-initializer");
        assertThat(Engines.traces(lab.host(), job.name())).isEmpty();
    }

    @Test
    void aNodeThatFillsTheDiskEndsTheJobThoughNothingCanBeWrittenDown() throws InterruptedException {
        TrainJob bad = lab.run(backend, lab.job().trainer(sh(FILL + "exit 4")).build());

        assertThat(bad.failure().orElseThrow().exitCode()).hasValue(4);
        assertThat(String.join("\n", Lab.log(backend, bad.name(), "node-0"))).contains("No space left on device");
        assertThat(backend.get(bad.name())).isEqualTo(bad);
        backend.delete(bad.name());

        TrainJob good = lab.run(backend, lab.job().trainer(sh(FILL + "exit 0")).build());
        Lab.isComplete(good);
    }

    @Test
    void aJobIsReadOnADiskThatCannotBeWrittenAnyMore() throws IOException, InterruptedException {
        TrainJob job = lab.run(backend, lab.job().trainer(sh("echo hello")).build());
        disk.writable(false);

        assertThat(backend.get(job.name())).isEqualTo(job);
        assertThat(Lab.log(backend, job.name(), "node-0")).containsExactly("hello");
        assertThat(backend.events(job.name())).isNotEmpty();
        assertThatThrownBy(() -> backend.delete(job.name()))
                .isInstanceOf(TrainerException.class)
                .hasMessageContaining("Read-only file system")
                .hasMessageContaining("delete the job again");
        assertThat(backend.get(job.name()).status()).isEqualTo(JobStatus.COMPLETE);
        disk.writable(true);
        backend.delete(job.name());
        assertThat(Engines.traces(lab.host(), job.name())).isEmpty();
    }

    private static CommandTrainer sh(String script) {
        return CommandTrainer.of("sh", "-c", script);
    }
}
