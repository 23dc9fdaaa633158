package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.local.JobRecord.Kind;
import io.github.trainer4j.local.JobRecord.StepRecord;
import io.github.trainer4j.local.Picture.Next;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a job stands, for every state its files and processes can be in. */
class JobReaderTest {
    private static final ProcessIdentity LAUNCHER = new ProcessIdentity(1, "boot", 1);

    private final Table table = new Table();
    private final JobReader reader = new JobReader(table, Clock.systemUTC());
    private final Instant created = Instant.now().truncatedTo(ChronoUnit.MILLIS).minusSeconds(60);
    private JobStore store;
    private JobDirectory directory;

    /** Processes that run because a test says so. */
    private static class Table implements ProcessTable {
        private final Set<ProcessIdentity> running = new HashSet<>(Set.of(LAUNCHER));
        private boolean here = true;

        @Override
        public String host() {
            return "host";
        }

        @Override
        public ProcessIdentity self() {
            return LAUNCHER;
        }

        @Override
        public Optional<ProcessIdentity> recorded(long pid, String boot, String stat, Instant written) {
            return Optional.of(new ProcessIdentity(pid, boot, 1));
        }

        @Override
        public boolean isAlive(ProcessIdentity process) {
            return running.contains(process);
        }

        @Override
        public boolean isOfThisHost(String host, ProcessIdentity process) {
            return here;
        }

        @Override
        public List<ProcessIdentity> members(
                String workspace, ProcessIdentity launcher, Collection<ProcessIdentity> leaders) {
            return List.of();
        }

        @Override
        public long parent(ProcessIdentity process) {
            return 0;
        }
    }

    @BeforeEach
    void open(@TempDir Path root) {
        store = new JobStore(root);
        directory = store.directory("job");
    }

    private void job(int nodes, Optional<Instant> deadline) {
        List<StepRecord> steps = new ArrayList<>();
        for (int rank = 0; rank < nodes; rank++) {
            steps.add(new StepRecord("node-" + rank, Kind.NODE, List.of("true"), Optional.empty(), Optional.empty()));
        }
        store.claim(new JobRecord(
                "job",
                "plain",
                created,
                deadline,
                Duration.ofSeconds(1),
                nodes,
                Map.of(),
                Map.of(),
                directory.workspace().toString(),
                "host",
                LAUNCHER,
                steps,
                List.of()));
    }

    /** Puts a node into a state: new, running, lost, or an exit code. */
    private void node(int rank, String state) throws IOException {
        String step = "node-" + rank;
        if (state.equals("new")) {
            return;
        }
        Files.writeString(directory.process(step), (100 + rank) + "\nboot\nstat\n");
        if (state.equals("running")) {
            table.running.add(new ProcessIdentity(100 + rank, "boot", 1));
        } else if (!state.equals("lost")) {
            exit(rank, Integer.parseInt(state), created.plusSeconds(10 + rank));
        }
    }

    private void exit(int rank, int code, Instant time) throws IOException {
        Path file = directory.exit("node-" + rank);
        Files.writeString(file, String.format("%3d\n", code));
        Files.setLastModifiedTime(file, FileTime.from(time));
    }

    @ParameterizedTest
    @CsvSource({
        "new,     true,  Created, NOTHING",
        "new,     false, Created, FAIL",
        "running, true,  Running, NOTHING",
        "running, false, Running, NOTHING",
        "lost,    true,  Running, FAIL",
        "0,       true,  Running, COMPLETE",
        "0,       false, Running, COMPLETE",
        "3,       true,  Running, FAIL",
        "0 0,         false, Running, COMPLETE",
        "0 running,   false, Running, NOTHING",
        "0 new,       true,  Created, NOTHING",
        "0 new,       false, Created, FAIL",
        "0 lost,      true,  Running, FAIL",
        "0 1,         true,  Running, FAIL",
        "running 1,   true,  Running, FAIL",
        "running lost, false, Running, FAIL",
        "new 1,       true,  Created, FAIL",
        "0 0 0,       true,  Running, COMPLETE",
        "0 0 255,     true,  Running, FAIL",
    })
    void everyStateHasItsConsequence(String nodes, boolean launcherRuns, String status, Next next) throws IOException {
        String[] states = nodes.split(" ", -1);
        job(states.length, Optional.empty());
        for (int rank = 0; rank < states.length; rank++) {
            node(rank, states[rank]);
        }
        if (!launcherRuns) {
            table.running.remove(LAUNCHER);
        }

        Picture picture = reader.read(directory);

        assertThat(picture.job().status().text()).isEqualTo(status);
        assertThat(picture.next()).isEqualTo(next);
        assertThat(picture.cause().isPresent()).isEqualTo(next == Next.FAIL);
        assertThat(reader.read(directory))
                .usingRecursiveComparison()
                .ignoringFields("cause.value.at")
                .isEqualTo(picture);
    }

    @Test
    void theFirstFailureInTimeIsTheCause() throws IOException {
        job(3, Optional.empty());
        node(0, "5");
        node(1, "6");
        node(2, "7");
        exit(0, 5, created.plusSeconds(30));
        exit(1, 6, created.plusSeconds(20));
        exit(2, 7, created.plusSeconds(40));

        Cause cause = reader.read(directory).cause().orElseThrow();

        assertThat(cause.failure().step()).hasValue("node-1");
        assertThat(reader.further(directory, reader.read(directory).record().orElseThrow(), cause))
                .extracting(Failure::reason)
                .containsOnly("Stopped");
    }

    @Test
    void aDeadlineThatPassedIsTheCauseOfWhatEndedAfterIt() throws IOException {
        job(2, Optional.of(created.plusSeconds(5)));
        node(0, "0");
        exit(0, 0, created.plusSeconds(1));
        node(1, "143");
        Files.createFile(directory.deadline());
        Files.setLastModifiedTime(directory.deadline(), FileTime.from(created.plusSeconds(5)));
        exit(1, 143, created.plusSeconds(5));

        assertThat(reader.read(directory).cause().orElseThrow().failure().reason())
                .isEqualTo("DeadlineExceeded");
    }

    @Test
    void aDeadlineIsNotMissedByAJobThatEndedBefore() throws IOException {
        job(1, Optional.of(created.plusSeconds(5)));
        node(0, "0");
        exit(0, 0, created.plusSeconds(1));

        assertThat(reader.read(directory).next()).isEqualTo(Next.COMPLETE);
    }

    @Test
    void aRunningJobIsEndedByWhoeverSeesThatItsDeadlineHasPassed() throws IOException {
        job(1, Optional.of(created.plusSeconds(5)));
        node(0, "running");

        assertThat(reader.read(directory).cause().orElseThrow().failure().reason())
                .isEqualTo("DeadlineExceeded");
    }

    @Test
    void aNodeThatEndsWellAfterTheCauseSavesNothing() throws IOException {
        job(2, Optional.empty());
        node(0, "1");
        node(1, "running");
        reader.read(directory).cause().orElseThrow().write(directory.cause());
        table.running.remove(new ProcessIdentity(101, "boot", 1));
        exit(1, 0, Instant.now());

        Picture picture = reader.read(directory);

        assertThat(picture.next()).isEqualTo(Next.FAIL);
        assertThat(picture.cause().orElseThrow().failure().step()).hasValue("node-0");
    }

    @Test
    void whatIsFinalStaysWhateverTheFilesSayLater() throws IOException {
        job(1, Optional.empty());
        node(0, "0");
        JobReader.writeOutcome(directory, withStatus(reader.read(directory)));
        Picture before = reader.read(directory);
        exit(0, 9, Instant.now());
        Files.createFile(directory.deadline());
        table.running.clear();

        assertThat(reader.read(directory)).isEqualTo(before);
        assertThat(before.job().status()).isEqualTo(JobStatus.COMPLETE);
        assertThat(before.job().steps()).extracting(Step::exitCode).allMatch(code -> code.orElse(9) == 0);
    }

    @Test
    void aTornOutcomeIsWorkedOutOnceMore() throws IOException {
        job(1, Optional.empty());
        node(0, "0");
        Files.writeString(directory.outcome(), "{\"status\":\"COMP");

        assertThat(reader.read(directory).next()).isEqualTo(Next.COMPLETE);
        assertThat(directory.outcome()).doesNotExist();
    }

    @Test
    void aJobOfAnotherHostIsUnknownHere() throws IOException {
        job(1, Optional.empty());
        node(0, "lost");
        table.here = false;

        Picture picture = reader.read(directory);

        assertThat(picture.job().status()).isEqualTo(JobStatus.UNKNOWN);
        assertThat(picture.job().steps()).extracting(Step::status).containsExactly(JobStatus.UNKNOWN);
        assertThat(picture.next()).isEqualTo(Next.NOTHING);
    }

    @Test
    void aDamagedCauseIsACauseAllTheSame() throws IOException {
        job(1, Optional.empty());
        node(0, "running");
        Files.writeString(directory.cause(), "{\"at\":");

        Picture picture = reader.read(directory);

        assertThat(picture.next()).isEqualTo(Next.FAIL);
        assertThat(picture.cause().orElseThrow().failure().message()).contains("cannot be read");
    }

    @ParameterizedTest
    @CsvSource({"''", "'{'", "'[]'", "'{\"format\":99}'", "'{\"format\":1,\"name\":7}'"})
    void aDamagedRecordIsAnUnknownJob(String text) throws IOException {
        job(1, Optional.empty());
        Files.writeString(directory.record(), text);

        assertThat(reader.read(directory).job().status()).isEqualTo(JobStatus.UNKNOWN);
        assertThat(reader.read(directory).job().name()).isEqualTo("job");
    }

    @Test
    void aJobThatIsGoneIsNotFound() {
        assertThatThrownBy(() -> reader.read(directory)).isInstanceOf(JobNotFoundException.class);
    }

    @Test
    void theExitCodeThatIsWrittenWhileWeLookIsSeen() throws IOException {
        job(1, Optional.empty());
        node(0, "lost");
        ProcessTable slow = new Table() {
            @Override
            public boolean isAlive(ProcessIdentity process) {
                if (process.pid() == 100) {
                    try {
                        exit(0, 0, Instant.now());
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                    return false;
                }
                return true;
            }
        };

        assertThat(new JobReader(slow, Clock.systemUTC()).read(directory).next())
                .isEqualTo(Next.COMPLETE);
    }

    private static io.github.trainer4j.api.TrainJob withStatus(Picture picture) {
        io.github.trainer4j.api.TrainJob job = picture.job();
        return new io.github.trainer4j.api.TrainJob(
                job.name(),
                JobStatus.COMPLETE,
                job.runtime(),
                job.steps(),
                job.numNodes(),
                job.creationTime(),
                job.labels(),
                job.annotations(),
                job.workspace(),
                Optional.empty(),
                job.progress());
    }
}
