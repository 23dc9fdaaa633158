package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.container.EngineProxy.Call;
import io.github.trainer4j.container.EngineProxy.Fate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of jobs and callers when an engine hangs, or the way to it is bad. */
@Timeout(300)
abstract class EngineTroubleTests {
    private static final String LINES = "for i in 1 2 3 4 5; do echo line $i; sleep 0.3; done; printf end";
    private static final Duration SOON = Duration.ofSeconds(20);

    private final BackendProvider provider;
    private final String variable;
    private Lab lab;
    private EngineProxy proxy;

    EngineTroubleTests(BackendProvider provider, String variable) {
        this.provider = provider;
        this.variable = variable;
    }

    @BeforeEach
    void open() throws IOException {
        proxy = new EngineProxy(System.getenv(variable));
        lab = new Lab(provider, proxy.host());
    }

    @AfterEach
    void close() throws IOException {
        proxy.say(call -> Fate.PASS);
        lab.close();
        proxy.close();
    }

    private String running(ContainerBackend backend) throws InterruptedException {
        String name = lab.start(backend, lab.job().trainer(OtherClient.nodes()).build())
                .name();
        lab.await(backend, name, job -> job.status() == JobStatus.RUNNING);
        return name;
    }

    @Test
    void callsToAnEngineThatHangsEndWithAClearErrorAndWorkAgainAfterwards() throws Exception {
        ContainerBackend backend = lab.backend(Map.of("call-timeout", "2s"));
        String name = running(backend);
        proxy.say(call -> Fate.HANG);

        for (Runnable call : List.<Runnable>of(
                () -> backend.get(name), backend::list, () -> backend.events(name), () -> delete(backend, name))) {
            long start = System.nanoTime();
            assertThatThrownBy(call::run)
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("did not list containers within 2 s")
                    .hasMessageContaining("restart it");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
        }
        proxy.say(call -> Fate.PASS);

        assertThat(backend.get(name).status()).isEqualTo(JobStatus.RUNNING);
    }

    private static void delete(ContainerBackend backend, String name) {
        try {
            backend.delete(name);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anInterruptEndsACallToAnEngineThatHangs() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        String name = running(backend);
        CountDownLatch hung = new CountDownLatch(1);
        proxy.say(call -> {
            hung.countDown();
            return Fate.HANG;
        });
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                backend.delete(name);
                ended.complete(null);
            } catch (InterruptedException | RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
        caller.start();
        assertThat(hung.await(30, TimeUnit.SECONDS)).isTrue();

        caller.interrupt();

        assertThatThrownBy(() -> ended.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void aWaitThatIsNeverAnsweredEndsWithTheInitializersTimeout() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        proxy.say(call -> call.is("POST", ".*/wait") ? Fate.HANG : Fate.PASS);
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/hang"))
                                .timeout(Duration.ofSeconds(2)))
                        .trainer(OtherClient.nodes())
                        .build());

        Failure failure = job.failure().orElseThrow();
        assertThat(failure.step()).hasValue("dataset-initializer");
        assertThat(failure.reason()).isEqualTo("Timeout");
        assertThat(failure.message()).contains("PT2S");
        assertThat(Engines.traces(lab.host(), job.name())).isEmpty();
    }

    @Test
    void aJobWhoseWaitIsNeverAnsweredIsDeletedAtOnce() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        CountDownLatch waits = new CountDownLatch(1);
        proxy.say(call -> {
            if (call.is("POST", ".*/wait")) {
                waits.countDown();
                return Fate.HANG;
            }
            return Fate.PASS;
        });
        String name = lab.start(
                        backend,
                        lab.job()
                                .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/hang")))
                                .trainer(OtherClient.nodes())
                                .build())
                .name();
        assertThat(waits.await(60, TimeUnit.SECONDS)).isTrue();
        long start = System.nanoTime();

        backend.delete(name);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
        assertThat(Engines.traces(lab.host(), name)).isEmpty();
    }

    @Test
    void aWaitThatIsCutIsTakenUpAgain() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        AtomicInteger waits = new AtomicInteger();
        proxy.say(call -> call.is("POST", ".*/wait") && waits.incrementAndGet() <= 2 ? cutSoon() : Fate.PASS);
        TrainJob job = lab.run(
                backend,
                lab.job()
                        .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/sleep-3")))
                        .trainer(CommandTrainer.of("true"))
                        .build());

        Lab.isComplete(job);
        assertThat(waits).hasValueGreaterThan(2);
    }

    private static Fate cutSoon() {
        try {
            Thread.sleep(500);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Fate.CUT;
    }

    @Test
    void noCallWaitsBehindFollowedLogsAndOpenWatches() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        String name = running(backend);
        List<AutoCloseable> open = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            open.add(backend.logs(name, LogQuery.all().following()));
            open.add(backend.watch(name, () -> {}));
        }
        long start = System.nanoTime();
        assertThat(backend.get(name).status()).isEqualTo(JobStatus.RUNNING);
        backend.delete(name);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void aFollowedLogThatNeverEndsIsWholeAndEndsWithItsJob() throws Exception {
        followsWhole(Fate.ENDLESS);
    }

    @Test
    void aFollowedLogThatIsCutShortAgainAndAgainIsWhole() throws Exception {
        followsWhole(Fate.CUT_SHORT);
    }

    private void followsWhole(Fate fate) throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        proxy.say(new EngineProxy.Say() {
            @Override
            public Fate before(Call call) {
                return Fate.PASS;
            }

            @Override
            public Fate answered(Call call) {
                return call.path().contains("follow=1") ? fate : Fate.PASS;
            }
        });
        String name = lab.start(
                        backend,
                        lab.job().trainer(CommandTrainer.of("sh", "-c", LINES)).build())
                .name();
        List<String> lines = new ArrayList<>();
        try (LogStream logs = backend.logs(name, LogQuery.all().following())) {
            logs.forEach((LogLine line) -> lines.add(line.text()));
        }

        Lab.isComplete(backend.get(name));
        assertThat(lines).containsExactly("line 1", "line 2", "line 3", "line 4", "line 5", "end");
    }
}
