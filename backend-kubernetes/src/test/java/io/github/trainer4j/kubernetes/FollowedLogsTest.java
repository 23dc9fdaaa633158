package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.TrainerException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Following logs of a cluster that is at fault in ways in which a real one cannot be made to be. */
@Timeout(60)
class FollowedLogsTest {
    private static final Duration QUIET = Duration.ofMillis(300);

    @TempDir
    private Path directory;

    private LogServer server;
    private Cluster cluster;
    private volatile List<PodFacts> pods = List.of();
    private volatile boolean over;
    private volatile Runnable hint = () -> {};

    @BeforeEach
    void open() throws IOException {
        server = new LogServer();
        cluster = server.connect(directory, Duration.ofSeconds(20));
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
        server.close();
    }

    @Test
    void allLinesComeOnceThroughRefusalsThatPassAndACutConnection() throws Exception {
        pods = List.of(running("node-0", "a", 0));
        server.write("a", line(1), line(2), line(3), line(4));
        server.refuse(500);
        server.refuse(429);
        server.fail(LogServer.Fault.CUT, 2);

        try (FollowedLogs logs = follow("node-0")) {
            assertThat(take(logs, 4)).containsExactly("line 1", "line 2", "line 3", "line 4");
            finish("a");
            assertThat(logs.next()).isEmpty();
        }
        assertThat(server.requests())
                .as("the container is named in every request")
                .allSatisfy(request -> assertThat(request).containsEntry("container", "node"));
    }

    @ParameterizedTest
    @EnumSource(LogServer.Fault.class)
    void whatComesAfterAFaultComesTooAndNothingTwice(LogServer.Fault fault) throws Exception {
        pods = List.of(running("node-0", "a", 0));
        server.write("a", line(1), line(2), line(3));
        server.fail(fault, 2);
        server.fail(fault, 1);

        try (FollowedLogs logs = follow("node-0")) {
            assertThat(take(logs, 3)).containsExactly("line 1", "line 2", "line 3");
            server.write("a", line(4));
            assertThat(take(logs, 1)).containsExactly("line 4");
            finish("a");
            assertThat(logs.next()).isEmpty();
        }
    }

    @Test
    void aJobThatIsOverAtOnceLosesNoLine() throws Exception {
        server.write("a", line(1), line(2), line(3));
        server.end("a");
        for (int i = 0; i < 50; i++) {
            over = false;
            pods = List.of(running("node-0", "a", 0));
            try (FollowedLogs logs = follow("node-0")) {
                end(List.of(ended("node-0", "a", 0)));
                assertThat(rest(logs)).containsExactly("line 1", "line 2", "line 3");
            }
        }
    }

    @Test
    void aStreamMayBeSilentForLongerThanACallMayTake() throws Exception {
        cluster.close();
        cluster = server.connect(directory, Duration.ofMillis(400));
        pods = List.of(running("node-0", "a", 0));
        server.write("a", line(1));

        try (FollowedLogs logs = follow(Duration.ofMinutes(1), "node-0")) {
            assertThat(take(logs, 1)).containsExactly("line 1");
            Thread.sleep(1200);
            server.write("a", line(2));
            assertThat(take(logs, 1)).containsExactly("line 2");
        }
        assertThat(server.requests()).as("one stream for all").hasSize(1);
    }

    @Test
    void aStreamThatStaysOpenAfterItsContainerHasEndedIsEnded() throws Exception {
        pods = List.of(running("node-0", "a", 0));
        server.write("a", line(1), line(2));
        server.fail(LogServer.Fault.HANG, 1);

        try (FollowedLogs logs = follow(Duration.ofMinutes(1), "node-0")) {
            assertThat(take(logs, 1)).containsExactly("line 1");
            finish("a");
            assertThat(rest(logs)).containsExactly("line 2");
        }
    }

    @Test
    void aStreamMayGoOnForLongAfterItsContainerHasEnded() throws Exception {
        String wide = "x".repeat(500);
        pods = List.of(running("node-0", "a", 0));
        server.write(
                "a", IntStream.range(0, 30_000).mapToObj(i -> line(i) + wide).toArray(String[]::new));
        try (FollowedLogs logs = follow(Duration.ofMinutes(1), "node-0")) {
            take(logs, 1);
            finish("a");
            // Long enough for the stream to be looked at; meanwhile it is full.
            Thread.sleep(2000);
            assertThat(rest(logs)).hasSize(29_999).last().isEqualTo("line 29999" + wide);
        }
        assertThat(server.requests()).hasSize(2);
        assertThat(server.requests().get(1).get("sinceTime"))
                .as("the stream had all, so that a rotation in between takes nothing away")
                .isEqualTo(line(29_999).substring(0, 19) + "Z");
    }

    @Test
    void aFollowWaitsForThePodAndForItsContainer() throws Exception {
        try (FollowedLogs logs = follow("node-0")) {
            Thread.sleep(300);
            pods = List.of(waiting("node-0", "a", "ContainerCreating"));
            Thread.sleep(300);
            server.write("a", line(1), line(2));
            pods = List.of(running("node-0", "a", 0));
            assertThat(take(logs, 2)).containsExactly("line 1", "line 2");
        }
    }

    @Test
    void aJobThatFailsBeforeItsContainerStartsEndsTheFollowAtOnce() throws Exception {
        pods = List.of(waiting("node-0", "a", "ImagePullBackOff"));
        try (FollowedLogs logs = follow("node-0")) {
            over = true;
            assertThat(logs.next()).isEmpty();
        }
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void whatRarelyMendsItselfIsWaitedForOnlySoLong() {
        pods = List.of(waiting("node-0", "a", "ImagePullBackOff"));
        try (FollowedLogs logs = follow("node-0")) {
            assertThatThrownBy(logs::next)
                    .isInstanceOf(TrainerException.class)
                    .hasMessageContainingAll(
                            "node-0 cannot start", "ImagePullBackOff", "the words of ImagePullBackOff");
        }
    }

    @Test
    void aLateNodeAndARestartedContainerAndAPodInItsPlaceAreFollowedEachLineOnce() throws Exception {
        server.write("a", line(1));
        pods = List.of(running("node-0", "a", 0));
        try (FollowedLogs logs = follow("node-0", "node-1")) {
            assertThat(taken(logs, 1)).containsExactly("[node-0] line 1");
            server.write("b", line(2));
            become(running("node-0", "a", 0), running("node-1", "b", 0));
            assertThat(taken(logs, 1)).containsExactly("[node-1] line 2");

            server.fail(LogServer.Fault.HANG, 0);
            server.write("b", line(3));
            server.restart("b");
            server.write("b", line(4));
            become(running("node-0", "a", 0), running("node-1", "b", 1));
            assertThat(taken(logs, 2))
                    .as("the end of the attempt before, too")
                    .containsExactly("[node-1] line 3", "[node-1] line 4");

            server.end("b");
            server.write("c", line(5));
            become(running("node-0", "a", 0), ended("node-1", "b", 1), running("node-1", "c", 0));
            assertThat(taken(logs, 1)).containsExactly("[node-1] line 5");

            server.end("a");
            server.end("c");
            end(List.of(ended("node-0", "a", 0), ended("node-1", "b", 1), ended("node-1", "c", 0)));
            assertThat(logs.next()).isEmpty();
        }
    }

    @Test
    void aKubeletThatIsAheadOfWhatThePodSaysLosesAndRepeatsNothing() throws Exception {
        server.write("a/previous", line(1), line(2));
        server.write("a", line(3));
        pods = List.of(ended("node-0", "a", 0));
        try (FollowedLogs logs = follow("node-0")) {
            assertThat(take(logs, 3)).containsExactly("line 1", "line 2", "line 3");
            become(running("node-0", "a", 1));
            server.write("a", line(4));
            assertThat(take(logs, 1)).containsExactly("line 4");
        }
    }

    @Test
    void aLogThatIsRotatedIsFollowedOn() throws Exception {
        pods = List.of(running("node-0", "a", 0));
        server.write("a", line(1), line(2));
        try (FollowedLogs logs = follow("node-0")) {
            assertThat(take(logs, 2)).containsExactly("line 1", "line 2");
            server.rotate("a", 2);
            server.write("a", line(3));
            assertThat(take(logs, 1)).containsExactly("line 3");
            finish("a");
            assertThat(logs.next()).isEmpty();
        }
    }

    @Test
    void aFollowWithATailBeginsThere() throws Exception {
        pods = List.of(running("node-0", "a", 0));
        server.write("a", line(1), line(2), line(3));
        try (FollowedLogs logs = follow(LogQuery.all().tail(2).following(), QUIET, List.of("node-0"))) {
            assertThat(take(logs, 2)).containsExactly("line 2", "line 3");
        }
        pods = List.of(running("node-0", "b", 0));
        server.write("b", line(1), line(2), line(3));
        try (FollowedLogs logs = follow(LogQuery.all().tail(0).following(), QUIET, List.of("node-0"))) {
            awaitStream("b");
            server.write("b", line(4));
            assertThat(take(logs, 1)).containsExactly("line 4");
        }
    }

    private void awaitStream(String pod) throws InterruptedException {
        while (server.requests().stream()
                .noneMatch(request -> pod.equals(request.get("pod")) && request.containsKey("follow"))) {
            Thread.sleep(20);
        }
    }

    @Test
    void aMissingRightIsToldAtOnce() {
        pods = List.of(running("node-0", "a", 0));
        server.refuse(403);
        try (FollowedLogs logs = follow("node-0")) {
            assertThatThrownBy(logs::next).isInstanceOf(TrainerException.class).hasMessageContaining("pods/log");
        }
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aJobThatIsDeletedMeanwhileIsToldAsSuch() {
        Supplier<FollowedLogs.Look> gone = () -> {
            throw JobNotFoundException.noJob("mnist", "kubernetes");
        };
        try (FollowedLogs logs = new FollowedLogs(
                cluster,
                gone,
                changed -> () -> {},
                LogQuery.all().following(),
                List.of("node-0"),
                limits(QUIET),
                "t-")) {
            assertThatThrownBy(logs::next).isInstanceOf(JobNotFoundException.class);
        }
    }

    @Test
    void aPodThatGoesBeforeItsLogIsReadHarmsNothing() throws Exception {
        pods = List.of(ended("node-0", "a", 0));
        over = true;
        server.refuse(404);
        try (FollowedLogs logs = follow("node-0")) {
            assertThat(logs.next()).isEmpty();
        }
    }

    @Test
    void linesThatNobodyTakesStayWithTheSender() throws Exception {
        pods = List.of(running("node-0", "a", 0));
        String wide = "x".repeat(1000);
        String[] lines = IntStream.range(0, 30_000)
                .mapToObj(i -> Instant.EPOCH.plusSeconds(100).plusNanos(i + 1L) + " " + i + wide)
                .toArray(String[]::new);
        server.write("a", lines);
        server.end("a");
        pods = List.of(ended("node-0", "a", 0));
        over = true;
        Runtime runtime = Runtime.getRuntime();
        int count = 0;
        try (FollowedLogs logs = follow("node-0")) {
            assertThat(logs.next()).isPresent();
            Thread.sleep(500);
            System.gc();
            long before = runtime.totalMemory() - runtime.freeMemory();
            for (Optional<LogLine> line = logs.next(); line.isPresent(); line = logs.next()) {
                count++;
            }
            System.gc();
            assertThat(before - (runtime.totalMemory() - runtime.freeMemory()))
                    .as("held while nobody took them, of 30 MB")
                    .isLessThan(10_000_000);
        }
        assertThat(count).isEqualTo(29_999);
    }

    @Test
    void ofOneStepThatWaitsTheOthersAreReadAllTheSame() throws Exception {
        server.write("a", line(1));
        List<PodFacts> mixed = List.of(
                waiting("dataset-initializer", "d", "ContainerCreating"),
                running("node-0", "a", 0),
                running("node-1", "b", 0));
        List<String> read = new ArrayList<>();
        try (ReadLogs logs = new ReadLogs(
                cluster, LogQuery.all(), List.of("dataset-initializer", "node-0", "node-1", "node-2"), mixed, QUIET)) {
            logs.forEach(line -> read.add(line.toString()));
        }
        assertThat(read).containsExactly("[node-0] line 1");
    }

    @Test
    void aReadingGoesOnAfterFaultsToo() throws Exception {
        server.write("a", line(1), line(2), line(3), line(4));
        server.refuse(500);
        server.fail(LogServer.Fault.CUT, 2);
        server.fail(LogServer.Fault.HANG, 1);
        List<String> read = new ArrayList<>();
        try (ReadLogs logs =
                new ReadLogs(cluster, LogQuery.all(), List.of("node-0"), List.of(running("node-0", "a", 0)), QUIET)) {
            logs.forEach(line -> read.add(line.text()));
        }
        assertThat(read).containsExactly("line 1", "line 2", "line 3", "line 4");
    }

    @Test
    void theAttemptBeforeIsThatOfTheContainerOrElseOfThePodBefore() throws Exception {
        server.write("a/previous", line(1));
        server.write("a", line(2));
        server.write("b", line(3));
        LogQuery previous = LogQuery.all().previousAttempt();
        for (Map.Entry<List<PodFacts>, List<String>> expected : List.of(
                Map.entry(List.of(running("node-0", "a", 1)), List.of("line 1")),
                Map.entry(List.of(ended("node-0", "a", 0), running("node-0", "b", 0)), List.of("line 2")),
                Map.entry(List.of(running("node-0", "b", 0)), List.<String>of()))) {
            List<String> read = new ArrayList<>();
            try (ReadLogs logs = new ReadLogs(cluster, previous, List.of("node-0"), expected.getKey(), QUIET)) {
                logs.forEach(line -> read.add(line.text()));
            }
            assertThat(read).isEqualTo(expected.getValue());
        }
    }

    private FollowedLogs follow(String... steps) {
        return follow(QUIET, steps);
    }

    private FollowedLogs follow(Duration silence, String... steps) {
        return follow(LogQuery.all().following(), silence, List.of(steps));
    }

    private FollowedLogs follow(LogQuery query, Duration silence, List<String> steps) {
        return new FollowedLogs(
                cluster,
                () -> {
                    boolean now = over;
                    return new FollowedLogs.Look(pods, now);
                },
                changed -> {
                    hint = changed;
                    return () -> {};
                },
                query,
                steps,
                limits(silence),
                "test-");
    }

    private static FollowedLogs.Limits limits(Duration silence) {
        return new FollowedLogs.Limits(Duration.ofMillis(400), silence, Duration.ofMillis(500));
    }

    private void finish(String pod) {
        server.end(pod);
        end(List.of(ended("node-0", pod, 0)));
    }

    private void become(PodFacts... now) {
        pods = List.of(now);
        hint.run();
    }

    private void end(List<PodFacts> last) {
        pods = last;
        over = true;
        hint.run();
    }

    private static List<String> take(FollowedLogs logs, int count) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(logs.next().orElseThrow().text());
        }
        return lines;
    }

    private static List<String> taken(FollowedLogs logs, int count) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(logs.next().orElseThrow().toString());
        }
        return lines;
    }

    private static List<String> rest(FollowedLogs logs) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        logs.forEach(line -> lines.add(line.text()));
        return lines;
    }

    private static String line(int number) {
        return Instant.parse("2026-11-30T12:00:00Z").plusMillis(400L * number) + " line " + number;
    }

    private static PodFacts running(String step, String pod, int restarts) {
        return pod(step, pod, PodFacts.State.RUNNING, "", restarts);
    }

    private static PodFacts ended(String step, String pod, int restarts) {
        return pod(step, pod, PodFacts.State.ENDED, "", restarts);
    }

    private static PodFacts waiting(String step, String pod, String reason) {
        return pod(step, pod, PodFacts.State.WAITING, reason, 0);
    }

    private static PodFacts pod(String step, String name, PodFacts.State state, String reason, int restarts) {
        return new PodFacts(
                step,
                name,
                "uid of " + name,
                // In the order of the alphabet.
                Instant.EPOCH.plusSeconds(name.charAt(0)),
                "node",
                state,
                Optional.of(reason).filter(word -> !word.isEmpty()),
                Optional.of("the words of " + reason).filter(words -> !reason.isEmpty()),
                restarts,
                Optional.empty(),
                state == PodFacts.State.ENDED ? Optional.of(ending(restarts)) : Optional.empty(),
                restarts > 0 ? Optional.of(ending(restarts - 1)) : Optional.empty(),
                false,
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    private static PodFacts.Ending ending(int attempt) {
        return new PodFacts.Ending(attempt, 1, "ExitCode", Optional.empty(), Optional.empty(), Optional.empty());
    }
}
