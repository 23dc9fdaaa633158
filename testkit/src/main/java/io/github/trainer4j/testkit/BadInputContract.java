package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.spi.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The part of the contract about requests and names that are wrong: a typed error before anything has happened. */
interface BadInputContract {
    /** An option that no backend knows. */
    record UnheardOf(String optionName) implements JobOption {}

    @Test
    default void anUnknownNameIsTheSameErrorEverywhere(Bench bench) {
        Backend backend = bench.backend();
        String name = bench.name();

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> backend.get(name),
                () -> bench.lines(name, LogQuery.all()),
                () -> bench.lines(name, LogQuery.step("node-0").following()),
                () -> backend.events(name),
                () -> backend.delete(name))) {
            assertThatThrownBy(call).isInstanceOf(JobNotFoundException.class).hasMessageContaining(name);
        }
    }

    @Test
    default void aNameThatNoJobCanHaveReachesNoFile(Bench bench) throws IOException {
        Backend backend = bench.backend();
        bench.complete(bench.script("true"));
        Path victim = Files.createDirectories(bench.work().resolve("victim"));
        Files.writeString(victim.resolve("file"), "precious");

        for (String name : List.of(
                "",
                " ",
                ".",
                "..",
                "../victim",
                "../../victim",
                victim.toString(),
                "a/b",
                "a\\b",
                "UPPER",
                "größe",
                "a\nb",
                "a\0b",
                "-a",
                "x".repeat(300))) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> backend.get(name),
                    () -> bench.lines(name, LogQuery.all()),
                    () -> backend.events(name),
                    () -> backend.delete(name))) {
                assertThatThrownBy(call)
                        .as("the name '%s'", name)
                        .isInstanceOfAny(JobNotFoundException.class, InvalidJobException.class);
            }
        }
        assertThat(victim.resolve("file")).hasContent("precious");
    }

    @Test
    default void aNameInUseIsRefused(Bench bench) {
        TrainJob first = bench.complete(bench.script("echo the first"));

        InvalidJobException error =
                bench.refusedAgain(bench.on(TrainJobRequest.builder().name(first.name()), "plain")
                        .trainer(bench.sh("echo the second"))
                        .build());

        assertThat(error).hasMessageContaining(first.name());
        assertThat(bench.backend().get(first.name())).isEqualTo(first);
        assertThat(bench.log(first.name(), "node-0")).containsExactly("the first");
    }

    @Test
    default void ofManyWhoWantOneNameOneGetsIt(Bench bench) throws InterruptedException {
        String name = bench.name();
        TrainJobRequest request = bench.on(TrainJobRequest.builder().name(name), "plain")
                .trainer(bench.sh("echo once"))
                .build();
        List<Backend> backends = List.of(bench.backend(), bench.another());
        List<TrainJob> accepted = new CopyOnWriteArrayList<>();
        List<Throwable> refused = new CopyOnWriteArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Backend backend = backends.get(i % 2);
            threads.add(new Thread(
                    () -> {
                        try {
                            go.await();
                            accepted.add(backend.train(request, ProgressListener.none()));
                        } catch (InterruptedException | RuntimeException e) {
                            refused.add(e);
                        }
                    },
                    "contract-train-" + i));
        }

        threads.forEach(Thread::start);
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(accepted).hasSize(1);
        assertThat(refused)
                .hasSize(7)
                .allSatisfy(e ->
                        assertThat(e).isInstanceOf(InvalidJobException.class).hasMessageContaining(name));
        bench.completed(name);
        assertThat(bench.log(name, "node-0")).containsExactly("once");
    }

    @Test
    default void anUnknownRuntimeIsRefusedWithTheNearNames(Bench bench) {
        String known = bench.job().build().runtime().orElseThrow().name();
        String wrong = known.substring(0, known.length() - 1) + "x";

        RuntimeNotFoundException error = bench.refuses(
                TrainJobRequest.builder()
                        .name(bench.name())
                        .runtime(wrong)
                        .trainer(bench.sh("true"))
                        .build(),
                RuntimeNotFoundException.class);

        assertThat(error).hasMessageContaining(wrong).hasMessageContaining(known);
        assertThatThrownBy(() -> bench.backend().runtime(wrong)).isInstanceOf(RuntimeNotFoundException.class);
    }

    @Test
    default void aBuiltinTrainerNeedsARuntimeThatHasOne(Bench bench) {
        TrainJobRequest request = bench.job("torch")
                .trainer(BuiltinTrainer.of(TorchTuneConfig.defaults()))
                .build();

        InvalidJobException error = bench.refuses(request, InvalidJobException.class);

        assertThat(error).hasMessageContaining("BuiltinTrainer");
    }

    @Test
    default void aVariableThatTheLaunchSetsIsRefused(Bench bench) {
        bench.refuses(
                bench.job("torch")
                        .trainer(bench.sh("true").env("PET_NODE_RANK", "7"))
                        .build(),
                InvalidJobException.class);
        bench.refuses(
                bench.job().trainer(bench.sh("true").env("TRAINJOB_NAME", "x")).build(), InvalidJobException.class);
    }

    @Test
    default void anInitializerOfAnUnknownSchemeIsRefused(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(InitializerSpec.dataset("nosuchscheme://somewhere"))
                .trainer(bench.sh("true"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)) {
            return;
        }

        InvalidJobException error = bench.refuses(request, InvalidJobException.class);

        assertThat(error).hasMessageContaining("nosuchscheme");
    }

    @Test
    default void anInitializerThatRefusesItsOptionsStopsTheJob(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(InitializerSpec.dataset("test://no-such-action"))
                .trainer(bench.sh("true"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)) {
            return;
        }

        bench.refuses(request, InvalidJobException.class);

        assertThat(bench.actions().started()).isZero();
    }

    @Test
    default void anOptionThatNobodyKnowsIsRefusedByNameAndBackend(Bench bench) {
        UnsupportedFeatureException error = bench.refuses(
                bench.job()
                        .trainer(bench.sh("true"))
                        .option(new UnheardOf("unheardOf"))
                        .option(new UnheardOf("unseen"))
                        .build(),
                UnsupportedFeatureException.class);

        assertThat(error).hasMessageContainingAll("unheardOf", "unseen", bench.backendName());
    }

    @Test
    default void nullIsRefusedEverywhere(Bench bench) {
        Backend backend = bench.backend();
        TrainJobRequest request = bench.script("true");
        String name = bench.complete(bench.script("true")).name();

        nulls(backend, request, name)
                .forEach((what, call) -> assertThatThrownBy(call)
                        .as(what)
                        .isInstanceOfAny(NullPointerException.class, TrainerException.class));
        bench.hasNo(request.name().orElseThrow());
        assertThat(backend.get(name).name()).isEqualTo(name);
    }

    @SuppressWarnings("NullAway") // What this test is about.
    private static Map<String, ThrowingCallable> nulls(Backend backend, TrainJobRequest request, String name) {
        return Map.ofEntries(
                Map.entry("plan(null)", () -> backend.plan(null)),
                Map.entry("train(null, listener)", () -> backend.train(null, ProgressListener.none())),
                Map.entry("train(request, null)", () -> backend.train(request, null)),
                Map.entry("get(null)", () -> backend.get(null)),
                Map.entry("logs(null, query)", () -> backend.logs(null, LogQuery.all())),
                Map.entry("logs(name, null)", () -> backend.logs(name, null)),
                Map.entry("events(null)", () -> backend.events(null)),
                Map.entry("delete(null)", () -> backend.delete(null)),
                Map.entry("watch(null, changed)", () -> backend.watch(null, () -> {})),
                Map.entry("watch(name, null)", () -> backend.watch(name, null)),
                Map.entry("runtime(null)", () -> backend.runtime(null)));
    }
}
