package io.github.trainer4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.WaitOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainerClientTest {
    @TempDir
    Path directory;

    private PluginLoader plugins;
    private TrainerClient client;
    private FakeBackend backend;

    @BeforeEach
    void make() throws IOException {
        FakeBackendProvider.MADE.clear();
        plugins = new PluginLoader(FakeBackendProvider.jar(directory));
        client = TrainerClient.builder()
                .home(directory)
                .currentDirectory(directory)
                .environment(Map.of())
                .systemProperties(Map.of())
                .build();
        backend = FakeBackendProvider.MADE.get(0).backend();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        plugins.close();
    }

    @Test
    void whatIsAskedReachesTheBackend() throws Exception {
        TrainJob job = client.train(request("a"));
        assertThat(client.get("a")).isEqualTo(job);
        assertThat(client.plan(request("b")).job()).isEqualTo("b");
        assertThat(client.list()).containsExactly(job);
        assertThat(client.waitFor("a", WaitOptions.forStatus(JobStatus.CREATED)))
                .isEqualTo(job);
        assertThat(client.events("a")).isEmpty();
        assertThat(client.runtimes()).extracting(TrainingRuntime::name).containsExactly("torch-distributed");
        assertThat(client.runtime("x").name()).isEqualTo("x");
        assertThat(client.runtimePackages(client.runtime("x"))).isEqualTo("python 3 of x");
        try (LogStream logs = client.logs("a");
                LogStream tail = client.logs("a", LogQuery.step("node-0").tail(3))) {
            assertThat(logs.next()).isEmpty();
            assertThat(tail.next()).isEmpty();
        }
        client.delete("a");
        assertThat(client.list()).isEmpty();
        assertThat(client.prune()).isEqualTo(new PruneReport(List.of(), Map.of()));
        assertThat(client.backend()).isEqualTo("fake");
        assertThat(backend.calls)
                .contains(
                        "train",
                        "plan",
                        "get a",
                        "delete a",
                        "logs " + LogQuery.all(),
                        "logs " + LogQuery.step("node-0").tail(3));
    }

    @Test
    void waitingWithoutMoreWordsIsForComplete() throws Exception {
        backend.jobs.put("a", () -> FakeBackend.job("a", JobStatus.COMPLETE));
        assertThat(client.waitFor("a").status()).isEqualTo(JobStatus.COMPLETE);
    }

    @Test
    void jobsAreListedByRuntime() {
        TrainJob torch = FakeBackend.job("a", JobStatus.CREATED);
        TrainJob jax = new TrainJob(
                "b",
                JobStatus.CREATED,
                Optional.of("jax-distributed"),
                List.of(),
                1,
                torch.creationTime(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        backend.jobs.put("a", () -> torch);
        backend.jobs.put("b", () -> jax);
        assertThat(client.list("jax-distributed")).containsExactly(jax);
        assertThat(client.list("nothing")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "../x", "/etc/passwd", "A", "a b", "ä", "a\0", "missing"})
    void whatIsNoJobsNameIsNoJob(String name) {
        backend.jobs.put("../x", () -> FakeBackend.job("x", JobStatus.COMPLETE));
        List<ThrowingCallable> calls = List.of(
                () -> client.get(name), () -> client.logs(name), () -> client.waitFor(name), () -> client.delete(name));
        // The fake's logs and events answer for any name that reaches them.
        assertThat(calls.subList(name.equals("missing") ? 2 : 0, 4))
                .allSatisfy(call -> assertThatExceptionOfType(JobNotFoundException.class)
                        .isThrownBy(call)
                        .withMessageContaining("backend fake has no job '"));
        assertThat(backend.calls).noneMatch(call -> call.contains(".."));
    }

    @Test
    void aNameThatIsFarTooLongIsCutInTheMessage() {
        assertThatExceptionOfType(JobNotFoundException.class)
                .isThrownBy(() -> client.get("a".repeat(100_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }

    @Test
    void nullIsNoArgument() {
        TrainJobRequest request = request("a");
        List<ThrowingCallable> calls = List.of(
                () -> client.train(null),
                () -> client.train(request, null),
                () -> client.plan(null),
                () -> client.get(null),
                () -> client.list(null),
                () -> client.logs(null),
                () -> client.logs("a", null),
                () -> client.events(null),
                () -> client.waitFor(null),
                () -> client.waitFor("a", null),
                () -> client.delete(null),
                () -> client.prune(null),
                () -> client.prune(Duration.ZERO, null),
                () -> client.runtime(null),
                () -> client.runtimePackages(null));
        assertThat(calls)
                .allSatisfy(call -> assertThatExceptionOfType(InvalidJobException.class)
                        .isThrownBy(call)
                        .withMessageContaining("null"));
        assertThat(backend.calls).isEmpty();
    }

    @Test
    void anAgeOfLessThanNothingIsRefused() {
        assertThatExceptionOfType(InvalidJobException.class)
                .isThrownBy(() -> client.prune(Duration.ofMillis(-1)))
                .withMessageContaining("negative");
    }

    @Test
    void aClosedClientSaysSo() {
        client.close();
        client.close();
        TrainingRuntime runtime = TrainingRuntime.of("x", "torch", "test");
        List<ThrowingCallable> calls = List.of(
                () -> client.train(request("a")),
                () -> client.train(request("a"), ProgressListener.none()),
                () -> client.plan(request("a")),
                () -> client.get("a"),
                () -> client.list(),
                () -> client.list("x"),
                () -> client.logs("a"),
                () -> client.logs("a", LogQuery.all()),
                () -> client.events("a"),
                () -> client.waitFor("a"),
                () -> client.waitFor("a", WaitOptions.complete()),
                () -> client.prune(),
                () -> client.delete("a"),
                () -> client.runtimes(),
                () -> client.runtime("x"),
                () -> client.runtimePackages(runtime));
        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("this client is closed; make a new one with TrainerClient.create()"));
        assertThat(client.backend()).isEqualTo("fake");
        assertThat(client.diagnostics().providers()).isNotEmpty();
        assertThat(backend.calls).containsExactly("close");
    }

    private static TrainJobRequest request(String name) {
        return TrainJobRequest.builder().name(name).build();
    }
}
