package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.api.state.StateFiles;
import io.github.trainer4j.container.ContainerFacts.OutOfMemory;
import io.github.trainer4j.container.JobRecord.StepRecord;
import io.github.trainer4j.container.Picture.Next;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobReaderTest {
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final LauncherIdentity ELSEWHERE = new LauncherIdentity(1, NOW, "elsewhere/boot");
    private static final LauncherIdentity DEAD =
            new LauncherIdentity(999_999_999, NOW, LauncherIdentity.self().host());

    @TempDir
    Path work;

    private boolean launching;
    private JobReader reader;

    @BeforeEach
    void make() {
        reader = new JobReader(
                Product.DOCKER, Clock.fixed(NOW, ZoneOffset.UTC), record -> launching, record -> Optional.empty());
    }

    /** All jobs of one to three nodes, each node in any state. */
    @Test
    void aJobIsCompleteOnlyIfEveryNodeIsKnownToHaveExitedWithZero() {
        for (int nodes = 1; nodes <= 3; nodes++) {
            for (List<JobStatus> states : combinations(nodes)) {
                Picture picture = reader.read(sighted(record(nodes, ELSEWHERE), states));

                Next next = states.contains(JobStatus.FAILED)
                        ? Next.FAIL
                        : states.stream().allMatch(JobStatus.COMPLETE::equals) ? Next.COMPLETE : Next.NOTHING;
                assertThat(picture.next()).as(states.toString()).isEqualTo(next);
                if (next == Next.NOTHING) {
                    JobStatus status = states.contains(JobStatus.UNKNOWN)
                            ? JobStatus.UNKNOWN
                            : states.contains(JobStatus.CREATED) ? JobStatus.CREATED : JobStatus.RUNNING;
                    assertThat(picture.job().status()).as(states.toString()).isEqualTo(status);
                }
                assertThat(picture.job().status().isFinal())
                        .as("only what is written down is final")
                        .isFalse();
            }
        }
    }

    @Test
    void aJobOfWhichNothingIsSeenIsNotComplete() {
        Picture none = reader.read(sighted(record(2, ELSEWHERE), List.of()));
        Picture empty = reader.read(sighted(record(0, ELSEWHERE), List.of()));

        assertThat(none.next()).isEqualTo(Next.NOTHING);
        assertThat(none.job().status()).isEqualTo(JobStatus.CREATED);
        assertThat(empty.next()).isEqualTo(Next.NOTHING);
    }

    @Test
    void aJobWhoseLauncherIsGoneBeforeItsNodesRanHasFailed() {
        Picture picture = reader.read(sighted(record(2, DEAD), List.of(JobStatus.CREATED)));

        assertThat(picture.next()).isEqualTo(Next.FAIL);
        assertThat(picture.cause().orElseThrow().failure().reason()).isEqualTo(Cause.LAUNCHER_LOST);
    }

    @Test
    void aJobWhoseNodesAllRunNeedsItsLauncherNoMore() {
        Picture picture = reader.read(sighted(record(2, DEAD), List.of(JobStatus.RUNNING, JobStatus.RUNNING)));

        assertThat(picture.next()).isEqualTo(Next.NOTHING);
        assertThat(picture.job().status()).isEqualTo(JobStatus.RUNNING);
    }

    @Test
    void aJobThatIsBeingLaunchedIsLeftToItsLaunch() {
        launching = true;
        Picture failing =
                reader.read(sighted(record(2, LauncherIdentity.self()), List.of(JobStatus.FAILED, JobStatus.CREATED)));

        assertThat(failing.next()).isEqualTo(Next.NOTHING);
    }

    @Test
    void aContainerThatIsGoneIsAFailureOnceItIsSure() throws IOException {
        JobDirectory directory = directory();
        StateFiles.mark(directory.launched());
        Sighted missing =
                new Sighted(record(1, ELSEWHERE), Optional.of(directory), Map.of(), Set.of(), Optional.empty(), false);

        Picture unsure = reader.read(missing);
        Picture sure = reader.read(missing.with(Map.of(), Set.of("node-0")));

        assertThat(unsure.job().status()).isEqualTo(JobStatus.UNKNOWN);
        assertThat(unsure.next()).isEqualTo(Next.FAIL);
        assertThat(sure.states().get("node-0").status()).isEqualTo(JobStatus.FAILED);
        assertThat(sure.cause().orElseThrow().failure().reason()).isEqualTo(Cause.CONTAINER_LOST);
    }

    @Test
    void theFirstOfSeveralFailuresIsTheCause() {
        Map<String, ContainerFacts> containers = new LinkedHashMap<>();
        containers.put("node-0", exited("node-0", 1, NOW.minusSeconds(1)));
        containers.put("node-1", exited("node-1", 7, NOW.minusSeconds(5)));

        Picture picture = reader.read(
                new Sighted(record(2, ELSEWHERE), Optional.empty(), containers, Set.of(), Optional.empty(), false));

        assertThat(picture.cause().orElseThrow().failure().step()).hasValue("node-1");
        assertThat(picture.cause().orElseThrow().failure().exitCode()).hasValue(7);
    }

    @Test
    void aDeadlineThatHasPassedIsTheCauseOfWhatEndedAfterIt() {
        JobRecord late = record(1, ELSEWHERE, Optional.of(NOW.minusSeconds(1)));

        Picture running = reader.read(sighted(late, List.of(JobStatus.RUNNING)));
        Picture complete = reader.read(sighted(late, List.of(JobStatus.COMPLETE)));

        assertThat(running.cause().orElseThrow().failure().reason()).isEqualTo(Cause.DEADLINE_EXCEEDED);
        assertThat(complete.next()).as("it had ended when somebody looked").isEqualTo(Next.COMPLETE);
    }

    @Test
    void whatOthersMadeIsToldAndLeftAlone() {
        Picture failed = reader.read(foreign(List.of(JobStatus.FAILED, JobStatus.RUNNING)));
        Picture complete = reader.read(foreign(List.of(JobStatus.COMPLETE, JobStatus.COMPLETE)));

        assertThat(failed.job().status()).isEqualTo(JobStatus.FAILED);
        assertThat(failed.next()).isEqualTo(Next.NOTHING);
        assertThat(complete.job().status()).isEqualTo(JobStatus.COMPLETE);
        assertThat(complete.next()).isEqualTo(Next.NOTHING);
    }

    @Test
    void aFinalThatIsDamagedFollowsOnceMoreFromTheContainers() throws IOException {
        JobDirectory directory = directory();
        StateFiles.mark(directory.launched());
        Files.writeString(directory.outcome(), "{\"status\":\"COMP");

        Picture picture = reader.read(new Sighted(
                record(1, ELSEWHERE),
                Optional.of(directory),
                Map.of("node-0", exited("node-0", 0, NOW)),
                Set.of(),
                Optional.empty(),
                false));

        assertThat(picture.next()).isEqualTo(Next.COMPLETE);
        assertThat(directory.outcome()).doesNotExist();
    }

    private JobDirectory directory() throws IOException {
        JobDirectory directory = new JobDirectory(work.resolve("state"), work.resolve("workspace"));
        Files.createDirectories(directory.steps());
        Files.createDirectories(directory.workspace());
        return directory;
    }

    private static List<List<JobStatus>> combinations(int nodes) {
        List<List<JobStatus>> all = new ArrayList<>(List.of(List.of()));
        for (int i = 0; i < nodes; i++) {
            List<List<JobStatus>> longer = new ArrayList<>();
            for (List<JobStatus> start : all) {
                for (JobStatus status : JobStatus.values()) {
                    List<JobStatus> next = new ArrayList<>(start);
                    next.add(status);
                    longer.add(next);
                }
            }
            all = longer;
        }
        return all;
    }

    private static Sighted foreign(List<JobStatus> states) {
        Sighted ours = sighted(record(states.size(), ELSEWHERE), states);
        return new Sighted(ours.record(), Optional.empty(), ours.containers(), Set.of(), Optional.empty(), true);
    }

    private static Sighted sighted(JobRecord record, List<JobStatus> states) {
        Map<String, ContainerFacts> containers = new LinkedHashMap<>();
        for (int rank = 0; rank < states.size(); rank++) {
            String step = "node-" + rank;
            containers.put(step, container(step, states.get(rank)));
        }
        return new Sighted(record, Optional.empty(), containers, Set.of(), Optional.empty(), false);
    }

    private static ContainerFacts container(String step, JobStatus status) {
        return switch (status) {
            case CREATED -> facts(step, ContainerFacts.State.CREATED, OptionalInt.empty(), Optional.empty());
            case RUNNING -> facts(step, ContainerFacts.State.RUNNING, OptionalInt.empty(), Optional.empty());
            case COMPLETE -> exited(step, 0, NOW);
            case FAILED -> exited(step, 1, NOW);
            case UNKNOWN -> facts(step, ContainerFacts.State.OTHER, OptionalInt.empty(), Optional.empty());
        };
    }

    private static ContainerFacts exited(String step, int code, Instant end) {
        return facts(step, ContainerFacts.State.EXITED, OptionalInt.of(code), Optional.of(end));
    }

    private static ContainerFacts facts(
            String step, ContainerFacts.State state, OptionalInt code, Optional<Instant> end) {
        return new ContainerFacts(
                "id-" + step,
                "job-" + step,
                Map.of(Labels.STEP, step),
                state,
                code,
                OutOfMemory.NO,
                NOW.minusSeconds(60),
                Optional.empty(),
                end,
                Optional.empty(),
                "img:1");
    }

    private static JobRecord record(int nodes, LauncherIdentity launcher) {
        return record(nodes, launcher, Optional.empty());
    }

    private static JobRecord record(int nodes, LauncherIdentity launcher, Optional<Instant> deadline) {
        return new JobRecord(
                "job",
                "uid",
                "docker",
                "unix:///x",
                "torch-distributed",
                NOW.minusSeconds(60),
                deadline,
                Duration.ofSeconds(10),
                nodes,
                Map.of(),
                Map.of(),
                "/work/job",
                Optional.empty(),
                launcher,
                List.of(),
                new StepRecord("node", Optional.of("img:1"), List.of("true"), Optional.empty(), Optional.empty()));
    }
}
