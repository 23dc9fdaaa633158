package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.kubernetes.FakeApi.Answer;
import io.github.trainer4j.kubernetes.FakeApi.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of calls whose answers are lost, late, split or unwelcome. */
@Timeout(60)
class ClusterFaultsTest {
    private static final String SECRETS = "/api/v1/namespaces/team/secrets";

    @TempDir
    private Path directory;

    private final Map<String, Map<String, Object>> stored = new ConcurrentHashMap<>();
    private FakeApi api;
    private Backend backend;

    @BeforeEach
    void open() throws IOException {
        api = new FakeApi();
        api.on("GET", FakeApi.RUNTIMES + "/torch-distributed", asked -> new Reply(200, Map.of(), Runtimes.TORCH));
        for (String place : List.of(FakeApi.TRAIN_JOBS, SECRETS)) {
            api.on(
                    "GET",
                    place + "/.+",
                    asked -> stored.containsKey(asked.path())
                            ? Reply.of(stored.get(asked.path()))
                            : Reply.refusal(404, "not found"));
            api.on("POST", place, this::create);
            api.on("PATCH", place + "/.+", asked -> Reply.of(stored.get(asked.path())));
        }
        api.on("GET", FakeApi.PODS, asked -> Reply.list(List.of()));
        backend = Backends.of(api.kubeconfig(directory, "token: secret"));
    }

    @AfterEach
    void close() {
        backend.close();
        api.close();
    }

    private Reply create(FakeApi.Asked asked) {
        Map<String, Object> resource = new LinkedHashMap<>(Json.parseObject(asked.body()));
        Map<String, Object> metadata = new LinkedHashMap<>(Json.parseObject(Json.write(resource.get("metadata"))));
        metadata.put("uid", "u-1");
        metadata.put("creationTimestamp", "2026-11-30T12:00:00Z");
        resource.put("metadata", metadata);
        return stored.putIfAbsent(asked.path() + "/" + metadata.get("name"), resource) == null
                ? Reply.of(resource)
                : Reply.refusal(409, "\"" + metadata.get("name") + "\" already exists");
    }

    @Test
    void aJobWhoseCreationIsNotAnsweredIsThereOnce() {
        api.on("POST", FakeApi.TRAIN_JOBS, afterFirst(this::create, Reply.CUT));
        api.on("POST", SECRETS, afterFirst(this::create, Reply.CUT));

        TrainJob job = train();

        assertThat(job.name()).isEqualTo("one");
        assertThat(api.count("POST " + FakeApi.TRAIN_JOBS)).isEqualTo(2);
        assertThat(stored).hasSize(2);
        assertThat(backend.get("one").name()).isEqualTo("one");
    }

    @Test
    void aJobOfThatNameBySomebodyElseIsTold() {
        api.on(
                "GET",
                FakeApi.TRAIN_JOBS + "/one",
                asked -> Reply.of(Map.of("metadata", Map.of("name", "one", "uid", "u-2"))));
        api.on("POST", FakeApi.TRAIN_JOBS, asked -> Reply.refusal(409, "\"one\" already exists"));
        api.on("DELETE", ".*", asked -> Reply.of(Map.of("kind", "Status")));

        assertThatThrownBy(this::train)
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("there is a job 'one' already");
    }

    @Test
    void ofAJobThatIsRefusedNothingIsLeft() {
        api.on("POST", FakeApi.TRAIN_JOBS, asked -> Reply.refusal(422, "spec.trainer is invalid"));
        api.on("DELETE", ".*", asked -> Reply.of(stored.remove(asked.path())));

        assertThatThrownBy(this::train).isInstanceOf(InvalidJobException.class);
        assertThat(stored).isEmpty();
    }

    @Test
    void aJobWhoseSecretCannotBeGivenToItIsThereAllTheSame() {
        api.on("PATCH", SECRETS + "/.+", asked -> Reply.refusal(403, "cannot patch resource \"secrets\""));

        assertThat(train().name()).isEqualTo("one");
    }

    @Test
    void aJobWithoutSecretsOrFilesTakesFewCalls() {
        backend.train(
                TrainJobRequest.builder().trainer(CommandTrainer.of("true")).build(), ProgressListener.none());
        int first = api.asked().size();
        backend.train(
                TrainJobRequest.builder().trainer(CommandTrainer.of("true")).build(), ProgressListener.none());

        assertThat(api.asked().subList(first, api.asked().size()))
                .extracting(FakeApi.Asked::method)
                .containsExactlyInAnyOrder("GET", "GET", "POST");
    }

    @Test
    void aServerThatFailsForAMomentIsAskedAgain() {
        api.on("POST", FakeApi.TRAIN_JOBS, beforeThat(this::create, Reply.refusal(503, "shutting down")));
        api.on(
                "GET",
                FakeApi.PODS,
                beforeThat(asked -> Reply.list(List.of()), Reply.refusal(500, "etcd has no leader")));

        train();
        assertThat(backend.get("one").name()).isEqualTo("one");
    }

    @Test
    void aServerThatIsTooBusyIsAskedAgainWhenItWants() {
        api.on(
                "POST",
                FakeApi.TRAIN_JOBS,
                beforeThat(this::create, Reply.refusal(429, "too many requests").with("Retry-After", "1")));
        long begin = System.nanoTime();

        train();

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(990));
        assertThat(api.count("POST " + FakeApi.TRAIN_JOBS)).isEqualTo(2);
    }

    @Test
    void theWordsOfAnErrorAreNoLinesOfALog() throws IOException {
        Cluster.LogRange range = new Cluster.LogRange(
                "one-node-0-0-x", "node", Optional.empty(), OptionalInt.of(3), false, true, Duration.ofSeconds(10));
        api.on(
                "GET",
                FakeApi.PODS + "/one-node-0-0-x/log",
                beforeThat(
                        asked -> new Reply(200, Map.of(), "2026-11-30T12:00:00Z hello\n"),
                        Reply.refusal(404, "the server could not find the requested resource")));
        Settings settings = Settings.of(
                Map.of("kubeconfig", api.kubeconfig(directory, "token: secret").toString()));
        try (Cluster cluster =
                Cluster.connect(KubernetesSettings.read(settings, Backends.context(directory, Map.of())))) {
            assertThatThrownBy(() -> cluster.log(range)).isInstanceOf(BackendUnavailableException.class);
            assertThat(cluster.log(range)).hasContent("2026-11-30T12:00:00Z hello\n");
        }
        assertThat(api.asked().get(1).query()).isEqualTo("timestamps=true&container=node&tailLines=3&follow=true");
    }

    @Test
    void theNumberOfCallsOfAListIsThatOfItsPages() {
        List<Map<String, ?>> jobs = new ArrayList<>();
        for (int i = 0; i < 1200; i++) {
            jobs.add(job("job-" + i));
        }
        api.on("GET", FakeApi.TRAIN_JOBS, asked -> page(jobs, asked));

        assertThat(backend.list()).hasSize(1200);

        assertThat(api.count("GET " + FakeApi.TRAIN_JOBS)).isEqualTo(3);
        assertThat(api.asked()).hasSize(4);
        assertThat(api.asked().get(3).toString()).contains("/pods?labelSelector=jobset.sigs.k8s.io/jobset-name");
    }

    @Test
    void aListWhosePagesTheServerForgetsIsReadAnew() {
        List<Map<String, ?>> jobs = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            jobs.add(job("job-" + i));
        }
        api.on(
                "GET",
                FakeApi.TRAIN_JOBS,
                asked -> asked.query().contains("continue")
                        ? Reply.refusal(410, "The provided continue parameter is too old")
                        : page(jobs, asked));

        assertThat(backend.list()).hasSize(600);
    }

    @Test
    void anInterruptEndsADeletionWhileTheServerIsAsked() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        api.on("GET", FakeApi.TRAIN_JOBS + "/one", request -> {
            asked.countDown();
            over.await();
            return Reply.refusal(503, "too late");
        });
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread deleting = new Thread(
                () -> {
                    try {
                        backend.delete("one");
                    } catch (InterruptedException | RuntimeException e) {
                        thrown.set(e);
                    }
                },
                "faults-delete");
        try {
            deleting.start();
            asked.await();
            deleting.interrupt();
            deleting.join(Duration.ofSeconds(20).toMillis());

            assertThat(deleting.isAlive()).isFalse();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        } finally {
            over.countDown();
        }
    }

    @Test
    void whatIsLeftOfADeletedJobIsListed() throws IOException {
        stored.put(FakeApi.TRAIN_JOBS + "/one", Map.copyOf(job("one")));
        api.on("DELETE", FakeApi.TRAIN_JOBS + "/one", asked -> {
            stored.clear();
            return Reply.of(Map.of("kind", "Status"));
        });
        api.on(
                "GET",
                FakeApi.PODS,
                asked -> Reply.list(List.of(Map.of("metadata", Map.of("name", "one-node-0-0-abcde")))));
        try (Backend impatient = Backends.of(
                Map.of("kubeconfig", api.kubeconfig(directory, "token: secret").toString(), "delete-timeout", "300ms"),
                directory,
                Map.of())) {
            assertThatThrownBy(() -> impatient.delete("one"))
                    .isExactlyInstanceOf(TrainerException.class)
                    .hasMessageContaining("after 300 ms")
                    .hasMessageContaining("pod one-node-0-0-abcde");
        }
        assertThat(api.asked())
                .filteredOn(asked -> asked.method().equals("DELETE"))
                .singleElement()
                .satisfies(asked -> assertThat(asked.body()).contains("\"propagationPolicy\":\"Background\""));
    }

    private static Map<String, ?> job(String name) {
        return Map.of(
                "metadata",
                Map.of("name", name, "uid", name, "creationTimestamp", "2026-11-30T12:00:00Z"),
                "spec",
                Map.of("trainer", Map.of("numNodes", 1)));
    }

    private static Reply page(List<Map<String, ?>> all, FakeApi.Asked asked) {
        int limit = asked.query().contains("limit=500") ? 500 : all.size();
        int from = asked.query().contains("continue=")
                ? Integer.parseInt(asked.query().replaceAll(".*continue=(\\d+).*", "$1"))
                : 0;
        int to = Math.min(all.size(), from + limit);
        return Reply.of(Map.of(
                "metadata",
                to < all.size() ? Map.of("continue", String.valueOf(to)) : Map.of(),
                "items",
                all.subList(from, to)));
    }

    /** Does the work the first time, too, but answers that otherwise. */
    private static Answer afterFirst(Answer work, Reply first) {
        AtomicInteger times = new AtomicInteger();
        return asked -> {
            Reply reply = work.to(asked);
            return times.getAndIncrement() == 0 ? first : reply;
        };
    }

    /** Answers the first time otherwise, and does no work then. */
    private static Answer beforeThat(Answer work, Reply first) {
        AtomicInteger times = new AtomicInteger();
        return asked -> times.getAndIncrement() == 0 ? first : work.to(asked);
    }

    private TrainJob train() {
        return backend.train(
                TrainJobRequest.builder()
                        .name("one")
                        .trainer(CommandTrainer.of("true").secretEnv("TOKEN", Secret.of("geheim")))
                        .build(),
                ProgressListener.none());
    }
}
