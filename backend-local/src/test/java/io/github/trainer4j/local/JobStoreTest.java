package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.state.StateFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

/** What lies in the work directory, and what becomes of it. */
class JobStoreTest extends BenchTests {
    @Test
    void aNameInUseIsRefusedAndTheJobThatHasItStays() throws Exception {
        TrainJob first =
                Bench.run(backend, Bench.shell("echo first", 1).name("mine").build());

        assertThatThrownBy(() ->
                        backend.train(Bench.shell("echo second", 1).name("mine").build(), ProgressListener.none()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("mine");
        assertThat(backend.get("mine")).isEqualTo(first);
        assertThat(bench.jobs())
                .isDirectoryNotContaining(path -> path.getFileName().toString().startsWith("."));
    }

    @Test
    void whatKilledClientsLeftIsSweptAndWhatLiveOnesMakeIsNot() throws Exception {
        Files.createDirectories(bench.jobs().resolve(".deleted-old-123/state"));
        Files.createDirectories(bench.jobs().resolve(".new-999999999-abc/state"));
        Path live = Files.createDirectories(
                bench.jobs().resolve(".new-" + ProcessHandle.current().pid() + "-abc/state"));

        Bench.run(backend, Bench.shell("true", 1).name("mine").build());

        assertThat(bench.jobs()).isDirectoryContaining(path -> path.endsWith("mine"));
        assertThat(bench.jobs().resolve(".deleted-old-123")).doesNotExist();
        assertThat(bench.jobs().resolve(".new-999999999-abc")).doesNotExist();
        assertThat(live).exists();
        assertThat(backend.list()).extracting(TrainJob::name).containsExactly("mine");
    }

    @Test
    void aJobWhoseRecordIsDamagedHidesNoOtherAndCanBeDeleted() throws Exception {
        TrainJob running =
                backend.train(Bench.shell("sleep 600", 1).name("damaged").build(), ProgressListener.none());
        Bench.await(backend, running.name(), java.time.Duration.ofSeconds(10), JobStatus.RUNNING);
        TrainJob good = Bench.run(backend, Bench.shell("true", 1).name("good").build());
        Files.writeString(bench.jobs().resolve("damaged/job.json"), "{");

        assertThat(backend.list()).hasSize(2).contains(good);
        assertThat(backend.get("damaged").status()).isEqualTo(JobStatus.UNKNOWN);
        backend.delete("damaged");
        assertThat(backend.list()).containsExactly(good);
        assertThat(Marked.processes(bench.jobs().resolve("damaged"))).isEmpty();
    }

    @Test
    void linksInAWorkspaceAreRemovedAndWhatTheyLeadToStays() throws Exception {
        Path precious = Files.createDirectory(bench.work.resolve("precious"));
        Files.writeString(precious.resolve("file"), "kept");
        TrainJob job = Bench.run(
                backend,
                Bench.shell(
                                "ln -s " + precious
                                        + " link; mkdir -p cache/mod; echo x > cache/mod/a; chmod -R a-w cache",
                                1)
                        .build());
        assertThat(job.status()).isEqualTo(JobStatus.COMPLETE);

        backend.delete(job.name());

        assertThat(bench.jobs()).isEmptyDirectory();
        assertThat(precious.resolve("file")).hasContent("kept");
    }

    @Test
    void whatCannotBeRemovedIsSaidAndTheJobStays() throws Exception {
        assumeFalse(System.getProperty("user.name").equals("root"), "root may remove everything");
        TrainJob job = Bench.run(
                backend, Bench.shell("mkdir keep; echo x > keep/file", 1).build());
        Path workspace = job.workspace().orElseThrow();
        Files.setPosixFilePermissions(workspace.getParent(), PosixFilePermissions.fromString("r-xr-xr-x"));

        assertThatThrownBy(() -> backend.delete(job.name()))
                .isInstanceOf(TrainerException.class)
                .hasMessageContaining(workspace.toString());
        assertThat(backend.get(job.name())).isEqualTo(job);
        Files.setPosixFilePermissions(workspace.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
        backend.delete(job.name());
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsToldAndNothingIsLeft() throws Exception {
        assumeFalse(System.getProperty("user.name").equals("root"), "root may write everything");
        Files.createDirectories(bench.jobs());
        Files.setPosixFilePermissions(bench.jobs(), PosixFilePermissions.fromString("r-xr-xr-x"));

        assertThatThrownBy(() -> backend.train(Bench.shell("true", 1).build(), ProgressListener.none()))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining(bench.jobs().toString());
        assertThat(bench.jobs()).isEmptyDirectory();
        Files.setPosixFilePermissions(bench.jobs(), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void aStateFileIsWrittenOnceByWhoeverComesFirst() throws Exception {
        Path file = bench.work.resolve("once");

        assertThat(StateFiles.writeOnce(file, "first")).isTrue();
        assertThat(StateFiles.writeOnce(file, "second")).isFalse();
        assertThat(file).hasContent("first");
        Thread.currentThread().interrupt();
        StateFiles.write(file, "third");
        assertThat(StateFiles.read(file)).hasValue("third");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(bench.work).isDirectoryNotContaining(path -> path.toString().endsWith(".tmp"));
    }
}
