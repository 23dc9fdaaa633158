package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.ImagePullPolicy;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.container.EngineException.Kind;
import io.github.trainer4j.container.EngineStreams.LogRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that a real engine cannot be made to have. */
@Timeout(120)
class EngineFaultsTest {
    private static final String NEVER = "";
    private static final String CUT = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{";
    private static final String RUNNING = container("running", 0);

    @TempDir
    private Path directory;

    private FakeEngine fake;
    private Engine engine;

    @AfterEach
    void close() throws IOException {
        if (engine != null) {
            engine.close();
        }
        fake.close();
    }

    private void start(Function<String, String> answers) throws IOException {
        fake = FakeEngine.answering(answers);
        engine = open();
    }

    private Engine open() throws IOException {
        return Engine.open(
                new EngineConnection(
                        new EngineAddress(fake.uri(), Optional.empty(), "test"), Duration.ofSeconds(30), "faults-"),
                Duration.ofSeconds(30));
    }

    private static String container(String status, int code) {
        return FakeEngine.answer(
                200,
                "{\"Id\":\"abc\",\"Name\":\"/x\",\"Created\":\"2026-11-30T12:00:00Z\",\"State\":{\"Status\":\"" + status
                        + "\",\"ExitCode\":" + code + "},\"Config\":{\"Labels\":{}}}");
    }

    private static String refused(int status, String message) {
        return FakeEngine.answer(status, "{\"message\":\"" + message + "\"}");
    }

    /** Engines serve a path without a version, whichever versions they serve besides. */
    @ParameterizedTest
    @CsvSource({
        "1.44, 1.52, Docker/29.0.0 (linux)",
        "1.12, 1.43, Docker/24.0.9 (linux)",
        "1.24, 1.40, Libpod/4.3.1 (linux)"
    })
    void whicheverVersionsAnEngineServesItIsUnderstood(double least, double most, String server) throws IOException {
        start(head -> {
            String path = head.split(" ", 3)[1];
            if (path.matches("/v[0-9.]+/.*")) {
                double version = Double.parseDouble(path.substring(2, path.indexOf('/', 2)));
                if (version < least || version > most) {
                    return refused(400, "client version " + version + " is not between " + least + " and " + most);
                }
            }
            return path.endsWith("/_ping")
                    ? "HTTP/1.1 200 OK\r\nServer: " + server + "\r\nApi-Version: " + most
                            + "\r\nContent-Length: 2\r\n\r\nOK"
                    : path.endsWith("/containers/abc/json") ? RUNNING : null;
        });

        assertThat(engine.inspect("abc")).isPresent();
        assertThat(fake.requests()).noneMatch(head -> head.contains(" /v1."));
    }

    @Test
    void anEngineThatServesNoneOfOurVersionsIsToldInItsOwnWords() throws IOException {
        fake = FakeEngine.answering(
                head -> refused(400, "client version 1.24 is too old. Minimum supported API version is 1.44"));
        EngineAddress address = new EngineAddress(fake.uri(), Optional.empty(), "setting docker.host");
        try (EngineLink link = new EngineLink(
                Product.DOCKER,
                () -> List.of(new EngineCandidate.Listed(address, true)),
                RegistryCredentials.NONE,
                Duration.ofSeconds(30),
                "faults-")) {
            BackendUnavailableException e = catchThrowableOfType(BackendUnavailableException.class, link::engine);

            assertThat(e.attempts()).singleElement().asString().contains("Minimum supported API version is 1.44");
        }
    }

    /** Podman's server of names goes down and up with the networks of others, and a removal may meet it on its way. */
    @Test
    void whatEndsAndRemovesIsAskedAgainWhereOthersRemovalsHinderIt() throws IOException {
        Set<String> refused = new HashSet<>();
        start(head -> {
            String call = head.split(" HTTP", 2)[0];
            if (call.endsWith("/_ping")) {
                return "HTTP/1.1 200 OK\r\nServer: Libpod/5.4.2 (linux)\r\nApi-Version: 1.41\r\n"
                        + "Connection: close\r\nContent-Length: 2\r\n\r\nOK";
            }
            return refused.add(call)
                    ? refused(500, "netavark: remove aardvark entries: IO error: aardvark-dns failed to start")
                    : FakeEngine.answer(204, "");
        });

        engine.stop("abc", Duration.ZERO);
        engine.remove("abc");
        engine.removeNetwork("net");

        assertThat(fake.requests().stream().filter(head -> !head.contains("/_ping")))
                .hasSize(6);
    }

    @Test
    void aWaitThatIsNeverAnsweredEndsWithItsTime() throws IOException {
        start(head -> head.contains("/wait") ? NEVER : head.contains("/abc/json") ? RUNNING : null);
        long start = System.nanoTime();

        assertThatThrownBy(() -> engine.streams().awaitEnd(engine, "abc", Duration.ofSeconds(1)))
                .isInstanceOfSatisfying(
                        EngineException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT));

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(20));
    }

    @Test
    void anInterruptEndsAWaitThatIsNeverAnswered() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        start(head -> {
            if (head.contains("/wait")) {
                waits.countDown();
                return NEVER;
            }
            return head.contains("/abc/json") ? RUNNING : null;
        });
        AtomicReference<Kind> ended = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                engine.streams().awaitEnd(engine, "abc", Duration.ofDays(1));
            } catch (EngineException e) {
                ended.set(Thread.currentThread().isInterrupted() ? e.kind() : null);
            }
        });
        waiting.start();
        waits.await();

        waiting.interrupt();
        waiting.join(20_000);

        assertThat(ended).hasValue(Kind.INTERRUPTED);
    }

    @Test
    void aWaitThatIsCutGoesOnUntilTheContainerHasEnded() throws IOException {
        Iterator<String> waits =
                List.of(CUT, CUT, FakeEngine.answer(200, "{\"StatusCode\":0}")).iterator();
        Iterator<String> states =
                List.of(RUNNING, RUNNING, RUNNING, container("exited", 0)).iterator();
        start(head -> head.contains("/wait") ? waits.next() : head.contains("/abc/json") ? states.next() : null);

        ContainerFacts end =
                engine.streams().awaitEnd(engine, "abc", Duration.ofMinutes(1)).orElseThrow();

        assertThat(end.exitCode()).hasValue(0);
        assertThat(waits.hasNext()).isFalse();
        assertThat(fake.requests()).as("podman refuses some conditions").noneMatch(head -> head.contains("condition="));
    }

    @Test
    void aContainerThatEndedBeforeTheWaitHasItsCode() throws IOException {
        start(head -> head.contains("/abc/json") ? container("exited", 7) : null);

        assertThat(engine.streams()
                        .awaitEnd(engine, "abc", Duration.ofMinutes(1))
                        .orElseThrow()
                        .exitCode())
                .hasValue(7);
        assertThat(fake.requests()).noneMatch(head -> head.contains("/wait"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "No such container: abc",
                "no container with name or ID \\\"abc\\\" found: no such container",
                "Keine Ahnung"
            })
    void whatIsNotThereIsToldByTheStatusWhateverTheWords(String words) throws IOException {
        start(head -> head.contains("/abc") ? refused(404, words) : null);

        assertThat(engine.inspect("abc")).isEmpty();
        engine.remove("abc");
        assertThatThrownBy(() -> engine.start("abc"))
                .isInstanceOfSatisfying(
                        EngineException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND));
    }

    @ParameterizedTest
    @CsvSource({"409, network with name n already exists", "500, network name n already used: network already exists"})
    void aNameThatIsTakenIsToldOnBothProducts(int status, String words) throws IOException {
        start(head -> head.contains("/networks/create") ? refused(status, words) : null);

        assertThatThrownBy(() -> engine.createNetwork("n", Map.of()))
                .isInstanceOfSatisfying(
                        EngineException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT));
    }

    @Test
    void aPullThatSaysItIsDoneAndIsNotIsNoImage() throws IOException {
        start(head ->
                head.contains("/images/create") ? FakeEngine.answer(200, "{\"status\":\"Pull complete\"}") : null);
        ImagePuller images = new ImagePuller(
                engine,
                ImagePullPolicy.IF_NOT_PRESENT,
                new JobEvents(directory.resolve("events"), Clock.systemUTC()),
                "job");

        assertThatThrownBy(() -> images.ensure("registry/image:1", "node-0")).hasMessageContaining("registry/image:1");
    }

    @Test
    void noCallWaitsBehindOpenStreams() throws IOException {
        start(head -> head.contains("/logs") || head.contains("/events")
                ? FakeEngine.STREAM
                : head.contains("/abc/json") ? RUNNING : null);
        List<LogFrames> follows = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                follows.add(engine.streams().logs("abc", new LogRange(true, Optional.empty(), OptionalInt.empty())));
            }
            long start = System.nanoTime();

            assertThat(engine.inspect("abc")).isPresent();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        } finally {
            follows.forEach(LogFrames::close);
        }
    }

    /** As Podman does when a container is removed while its log is read. */
    @Test
    void anErrorInTheMiddleOfALogIsToldInTheWordsOfTheEngine() throws IOException {
        String line = "\1\0\0\0\0\0\0\3hi\n";
        start(head -> head.contains("/logs")
                ? FakeEngine.answer(
                        200, line + "{\"cause\":\"no such file\",\"message\":\"reading the log\",\"response\":500}")
                : RUNNING);
        try (LogFrames log = engine.streams().logs("abc", LogRange.ALL)) {
            assertThat(log.next().orElseThrow().bytes()).asString().isEqualTo("hi\n");

            EngineException e = catchThrowableOfType(EngineException.class, log::next);

            assertThat(e.kind()).isEqualTo(Kind.LOST);
            assertThat(e).hasMessageContaining("the engine broke off: reading the log: no such file");
        }
    }

    @Test
    void aContainerWhoseMakingWasCancelledIsRemovedAndNeverStarted() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        start(head -> {
            if (head.contains("/containers/create")) {
                asked.countDown();
                try {
                    cancelled.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return FakeEngine.answer(201, "{\"Id\":\"abc\"}");
            }
            return head.startsWith("DELETE") ? FakeEngine.answer(204, "") : null;
        });
        JobDirectory job = new JobDirectory(directory.resolve("state"), directory.resolve("workspace"));
        Files.createDirectories(job.state());
        JobRecord wanted = JobStoreTest.record("abc");
        Files.writeString(job.record(), wanted.toJson());
        JobSite site = new JobSite(
                engine,
                new NetworkReserve(
                        new Sightings(Product.DOCKER, new JobStore(directory)),
                        new JobReader(Product.DOCKER, Clock.systemUTC(), record -> false, record -> Optional.empty())),
                job,
                new JobEvents(job.events(), Clock.systemUTC()),
                wanted);
        AtomicReference<Kind> ended = new AtomicReference<>();
        Thread launching = new Thread(() -> {
            try {
                site.make(spec());
            } catch (EngineException e) {
                ended.set(e.kind());
            }
        });
        launching.start();
        asked.await();

        launching.interrupt();
        cancelled.countDown();
        launching.join(20_000);

        assertThat(ended).hasValue(Kind.INTERRUPTED);
        assertThat(fake.requests()).anyMatch(head -> head.startsWith("DELETE /containers/abc?"));
        assertThat(fake.requests()).noneMatch(head -> head.contains("/start"));
    }

    @Test
    void aFollowWhoseStreamStaysOpenEndsWithTheContainerAndHasItsLastLine() throws Exception {
        String first = frame("2026-11-30T12:00:01.000000000Z one");
        CountDownLatch followed = new CountDownLatch(1);
        start(head -> {
            if (head.contains("/logs")) {
                boolean follow = head.contains("follow=1");
                followed.countDown();
                // The real ones close it sooner or later; this one never does.
                return follow
                        ? FakeEngine.STREAM + first
                        : "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + 2 * first.length() + "\r\n\r\n"
                                + first + frame("2026-11-30T12:00:02.000000000Z two");
            }
            boolean over = followed.getCount() == 0;
            return head.contains("/containers/json")
                    ? FakeEngine.answer(200, listed(over ? "exited" : "running", over ? "Exited (0) now" : "Up"))
                    : head.contains("/abc/json")
                            ? container(over ? "exited" : "running", 0)
                            : head.contains("/networks")
                                    ? FakeEngine.answer(200, "[]")
                                    : head.contains("/events") ? FakeEngine.STREAM : null;
        });
        try (Lab lab = new Lab(new DockerBackendProvider(), fake.uri().toString())) {
            ContainerBackend backend = lab.backend(Map.of());

            assertThat(Lab.lines(backend, "job", LogQuery.step("node-0").following()))
                    .containsExactly("one", "two");
        }
    }

    private static String frame(String text) {
        return "\u0001\0\0\0\0\0\0" + (char) (text.length() + 1) + text + "\n";
    }

    private static String listed(String state, String status) {
        return "[{\"Id\":\"abc\",\"Names\":[\"/job-node-0\"],\"Image\":\"i\",\"Created\":1796000000,\"State\":\""
                + state
                + "\",\"Status\":\"" + status + "\",\"Labels\":{\"" + Labels.JOB + "\":\"job\",\"" + Labels.STEP
                + "\":\"node-0\"}}]";
    }

    private static ContainerSpec spec() {
        return new ContainerSpec(
                "x",
                "node-0",
                "image:1",
                List.of("true"),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                "/",
                Limits.NONE,
                Surroundings.NONE);
    }
}
