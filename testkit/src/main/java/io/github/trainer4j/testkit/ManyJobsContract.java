package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.TrainJob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The part of the contract about many jobs at once. */
interface ManyJobsContract {
    /** Threads of the JDK that are kept for a while for whoever needs them next. */
    Pattern OF_THE_JDK = Pattern.compile("process reaper.*|ForkJoinPool\\.commonPool.*|Common-Cleaner|Keep-Alive-.*"
            + "|CompletableFutureDelayScheduler|Attach Listener|Signal Dispatcher|JNA Cleaner|Cleaner-.*");

    @Test
    default void twentyJobsAtOnceAllComplete(Bench bench) {
        Set<Thread> before = threads();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            names.add(bench.start(bench.script("echo \"I am $TRAINJOB_NAME\"; sleep 2; echo bye"))
                    .name());
        }

        assertThat(bench.backend().list()).extracting(TrainJob::name).containsAll(names);
        for (String name : names) {
            bench.completed(name);
            assertThat(bench.log(name, "node-0")).containsExactly("I am " + name, "bye");
        }
        bench.backend().close();
        bench.until(() -> "no thread is left; there are " + left(before), () -> {
            // Before Java 21 the JDK's HTTP client cannot be closed: its thread ends when nobody refers to it any more.
            System.gc();
            return left(before).isEmpty();
        });
    }

    @Test
    default void deletingManyJobsAtOnceRemovesThemAll(Bench bench) throws InterruptedException {
        List<String> names = new ArrayList<>();
        List<Sleeper> sleepers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Sleeper sleeper = bench.sleeper();
            sleepers.add(sleeper);
            names.add(bench.start(bench.script(sleeper.command())).name());
        }
        sleepers.forEach(Sleeper::awaitStart);

        Queue<RuntimeException> refusals = new ConcurrentLinkedQueue<>();
        List<Thread> threads = names.stream()
                .map(name -> new Thread(() -> delete(bench, name, refusals), "contract-delete-" + name))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(refusals).isEmpty();
        names.forEach(bench::hasNo);
        sleepers.forEach(Sleeper::awaitEnd);
    }

    private static void delete(Bench bench, String name, Queue<RuntimeException> refusals) {
        try {
            bench.delete(name);
        } catch (RuntimeException e) {
            refusals.add(e);
        }
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    private static Set<String> left(Set<Thread> before) {
        return threads().stream()
                .filter(thread -> thread.isAlive() && !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> !OF_THE_JDK.matcher(name).matches())
                .collect(Collectors.toSet());
    }
}
