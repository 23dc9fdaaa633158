package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.Backend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That nothing of a job survives it, and nothing else dies of it. */
class ProcessTreeTest extends BenchTests {
    private TrainJob started(String script, String ready) throws InterruptedException {
        TrainJob job = backend.train(Bench.shell(script, 1).build(), ProgressListener.none());
        try (LogStream stream = backend.logs(job.name(), LogQuery.all().following())) {
            assertThat(stream.next()).map(LogLine::text).hasValue(ready);
        }
        return job;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // children, with and without a parent that waits for them
                "sleep 600 & sleep 600 & echo ready; wait",
                // a child whose parent is gone
                "(sleep 600 & sleep 600 &) ; echo ready; sleep 600",
                // a child in a session of its own, whose parent is gone
                "setsid sleep 600 & echo ready; sleep 600",
                // a child without our environment
                "env -i /bin/sleep 600 & echo ready; sleep 600",
                // deaf to TERM, with a child that is not
                "trap '' TERM; echo ready; while :; do sleep 600; done",
                // stopped, as with Ctrl-Z
                "echo ready; kill -s STOP $$"
            })
    void deletingEndsTheWholeTree(String script) throws Exception {
        bench.settings.put("grace-period", "1s");
        backend = bench.backend();
        TrainJob job = started(script, "ready");
        Path workspace = job.workspace().orElseThrow();
        List<ProcessHandle> tree =
                ProcessHandle.of(leader(job.name())).orElseThrow().descendants().toList();
        assertThat(tree).isNotEmpty();

        Instant start = Instant.now();
        backend.delete(job.name());

        assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(8));
        assertThat(Marked.processes(workspace)).isEmpty();
        assertThat(tree).noneMatch(ProcessTreeTest::runs);
    }

    private static boolean runs(ProcessHandle process) {
        // One that has ended and whose parent has not asked for its code yet is still listed.
        try {
            return process.isAlive()
                    && !Files.readString(Path.of("/proc/" + process.pid() + "/stat"))
                            .contains(") Z ");
        } catch (java.io.IOException e) {
            return false;
        }
    }

    private long leader(String job) throws InterruptedException {
        return Long.parseLong(Bench.await(backend, job, Duration.ofSeconds(10), JobStatus.RUNNING)
                .step("node-0")
                .flatMap(step -> step.instance())
                .orElseThrow());
    }

    @Test
    void whatANodeLeavesBehindEndsWithIt() throws Exception {
        TrainJob job = Bench.run(
                backend, Bench.shell("sleep 600 & setsid sleep 600 & exit 0", 1).build());

        assertThat(job.status()).isEqualTo(JobStatus.COMPLETE);
        Instant end = Instant.now().plusSeconds(5);
        while (!Marked.processes(bench.jobs()).isEmpty()) {
            assertThat(Instant.now()).isBefore(end);
            Thread.sleep(20);
        }
    }

    @Test
    void aHandlerOfTermIsLeftToFinish() throws Exception {
        TrainJob job = started(
                "trap 'sleep 2; echo saved > " + bench.work.resolve("saved") + "; exit 0' TERM; echo ready;"
                        + " while :; do sleep 0.1; done",
                "ready");

        backend.delete(job.name());

        assertThat(bench.work.resolve("saved")).hasContent("saved");
    }

    @Test
    void aProcessOfTheSameNameSurvives() throws Exception {
        Process other = new ProcessBuilder("sleep", "600").start();
        try {
            TrainJob job = started("echo ready; sleep 600", "ready");
            backend.delete(job.name());

            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    @Test
    void aProcessThatHasTheNumberOfANodeByNowIsNotTakenForIt() throws Exception {
        Process other = new ProcessBuilder("setsid", "sh", "-c", "sleep 600; true").start();
        try {
            // Start times are counted in hundredths of a second; these two must differ.
            Thread.sleep(100);
            TrainJob job = started("echo ready; sleep 600", "ready");
            ProcessHandle.of(leader(job.name())).orElseThrow().destroyForcibly();
            // The number of the other process, with the start time of the one that is gone.
            Path file = bench.jobs().resolve(job.name()).resolve("state/node-0.process");
            String text = Files.readString(file);
            String pid = text.lines().findFirst().orElseThrow();
            Files.writeString(file, text.replaceAll("(?m)^" + pid + "\\b", Long.toString(other.pid())));

            TrainJob lost = Bench.await(backend, job.name());
            assertThat(lost.failure().orElseThrow().reason()).isEqualTo("ProcessLost");
            backend.delete(job.name());

            assertThat(other.isAlive()).isTrue();
            assertThat(other.descendants()).isNotEmpty();
            assertThat(Marked.processes(bench.jobs())).isEmpty();
        } finally {
            other.descendants().forEach(ProcessHandle::destroyForcibly);
            other.destroyForcibly().waitFor();
        }
    }

    @Test
    void whatIsStoppedIsNeverAnotherJobThatGotTheNameMeanwhile() throws Exception {
        bench.settings.put("grace-period", "30s");
        backend = bench.backend();
        TrainJob first = backend.train(
                Bench.shell(
                                "if [ $PET_NODE_RANK = 1 ]; then until [ -e up0 ]; do sleep 0.02; done; exit 7; fi;"
                                        + " trap '' TERM; : >up0; while :; do sleep 600; done",
                                2)
                        .runtime(Bench.TORCH)
                        .name("again")
                        .build(),
                ProgressListener.none());
        while (backend.get(first.name()).step("node-1").orElseThrow().exitCode().isEmpty()) {
            Thread.sleep(10);
        }
        long leader = Long.parseLong(backend.get(first.name())
                .step("node-0")
                .orElseThrow()
                .instance()
                .orElseThrow());
        List<ProcessHandle> tree = Stream.concat(
                        ProcessHandle.of(leader).stream(),
                        ProcessHandle.of(leader).orElseThrow().descendants())
                .toList();
        // As if another client had deleted it, while this one is still in the grace of its stopping.
        Files.move(bench.jobs().resolve("again"), bench.work.resolve("elsewhere"));
        tree.forEach(ProcessHandle::destroyForcibly);

        Backend other = bench.backend();
        other.train(Bench.shell("echo ready; sleep 600", 1).name("again").build(), ProgressListener.none());
        Bench.await(other, "again", Duration.ofSeconds(10), JobStatus.RUNNING);
        Thread.sleep(1000);

        assertThat(other.get("again").status()).isEqualTo(JobStatus.RUNNING);
        assertThat(other.get("again").step("node-0").orElseThrow().status()).isEqualTo(JobStatus.RUNNING);
    }

    static Stream<ProcessTable> tables() {
        return Stream.of(ProcessTable.ofThisSystem(), new PortableProcesses());
    }

    @ParameterizedTest
    @MethodSource("tables")
    void aSessionIsFoundAndStopped(ProcessTable table, @TempDir Path workspace) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", "sleep 600 & sleep 600 & wait");
        builder.environment().put("TRAINJOB_WORKSPACE", workspace.toString());
        Process process = builder.start();
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String boot = Files.readString(LinuxProcesses.BOOT).strip();
        ProcessIdentity leader =
                table.recorded(process.pid(), boot, stat, Instant.now()).orElseThrow();
        while (process.children().count() < 2) {
            Thread.sleep(10);
        }

        assertThat(table.isAlive(leader)).isTrue();
        assertThat(table.isAlive(new ProcessIdentity(leader.pid(), leader.boot(), leader.start() - 100_000)))
                .isFalse();
        List<ProcessIdentity> members = table.members(workspace.toString(), table.self(), List.of(leader));
        assertThat(members)
                .extracting(ProcessIdentity::pid)
                .containsAll(process.children().map(ProcessHandle::pid).toList())
                .contains(process.pid())
                .doesNotContain(ProcessHandle.current().pid());
        ProcessIdentity child = members.stream()
                .filter(member -> member.pid() != leader.pid())
                .findFirst()
                .orElseThrow();
        assertThat(table.parent(child)).isEqualTo(process.pid());

        TreeStop stop =
                new TreeStop(table, workspace.toString(), table.self(), () -> List.of(leader), Duration.ofSeconds(5));
        Instant limit = Instant.now().plusSeconds(10);
        while (!stop.advance()) {
            assertThat(Instant.now()).isBefore(limit);
            Thread.sleep(20);
        }
        assertThat(stop.stuck()).isEmpty();
        process.waitFor();
        assertThat(table.isAlive(leader)).isFalse();
    }

    @Test
    void theNameOfAProcessMayHaveSpacesAndBrackets(@TempDir Path bin) throws Exception {
        Path program = Files.copy(
                new Host(System.getenv(), Path.of("/dev"), Optional.empty())
                        .find("sleep", System.getenv())
                        .orElseThrow()
                        .toRealPath(),
                bin.resolve("a) Z (b"));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        TrainJob job = started("echo ready; exec '" + program + "' 600", "ready");

        assertThat(Bench.await(backend, job.name(), Duration.ofSeconds(10), JobStatus.RUNNING)
                        .status())
                .isEqualTo(JobStatus.RUNNING);
        backend.delete(job.name());
        assertThat(Marked.processes(bench.jobs())).isEmpty();
    }
}
