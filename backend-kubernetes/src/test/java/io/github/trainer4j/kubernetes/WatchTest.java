package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.kubernetes.FakeApi.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A watch is a hint: waits end without it, too. */
@Timeout(60)
class WatchTest {
    private static final Map<String, ?> JOB = Map.of(
            "apiVersion",
            "trainer.kubeflow.org/v1alpha1",
            "kind",
            "TrainJob",
            "metadata",
            Map.of("name", "one", "resourceVersion", "2", "creationTimestamp", "2026-11-30T12:00:00Z"));

    @TempDir
    private Path directory;

    private final AtomicInteger watches = new AtomicInteger();
    private FakeApi api;
    private Backend backend;

    @BeforeEach
    void open() throws IOException {
        api = new FakeApi();
        api.on("GET", FakeApi.PODS, asked -> isWatch(asked) ? Reply.refusal(403, "no") : Reply.list(List.of()));
        backend = Backends.of(api.kubeconfig(directory, "token: secret"));
    }

    @AfterEach
    void close() {
        backend.close();
        api.close();
    }

    private static boolean isWatch(FakeApi.Asked asked) {
        return asked.query().contains("watch=true");
    }

    @Test
    void aWatchThatTheServerHasForgottenIsOpenedAnew() throws Exception {
        api.on("GET", FakeApi.PODS, asked -> isWatch(asked) ? new Reply(200, Map.of(), "") : Reply.list(List.of()));
        api.on("GET", FakeApi.TRAIN_JOBS, asked -> {
            if (!isWatch(asked)) {
                return Reply.list(List.of());
            }
            boolean first = watches.getAndIncrement() < 2;
            return new Reply(
                    200,
                    Map.of(),
                    Json.write(
                                    first
                                            ? Map.of(
                                                    "type",
                                                    "ERROR",
                                                    "object",
                                                    Map.of("kind", "Status", "apiVersion", "v1", "code", 410))
                                            : Map.of("type", "MODIFIED", "object", JOB))
                            + "\n");
        });
        Semaphore hints = new Semaphore(0);
        try (AutoCloseable watch = backend.watch("one", hints::release)) {
            // When it is opened, for what happened before; and then once more.
            assertThat(hints.tryAcquire(3, 30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aWaitEndsThoughNothingCanBeWatched() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        api.on("GET", FakeApi.TRAIN_JOBS, asked -> isWatch(asked) ? Reply.refusal(403, "no") : Reply.list(List.of()));
        api.on(
                "GET",
                FakeApi.TRAIN_JOBS + "/one",
                asked -> looks.incrementAndGet() < 3
                        ? Reply.of(JOB)
                        : Reply.of(Map.of(
                                "metadata",
                                JOB.get("metadata"),
                                "status",
                                Map.of("conditions", List.of(Map.of("type", "Complete", "status", "True"))))));

        assertThat(Jobs.over(backend, "one").status()).isEqualTo(JobStatus.COMPLETE);
        assertThat(api.asked().stream().filter(WatchTest::isWatch).count()).isBetween(1L, 10L);
    }
}
