package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.Backend;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyJobsTest {
    private Bench bench;

    @BeforeEach
    void open(@TempDir Path work) {
        bench = new Bench(work);
    }

    @AfterEach
    void close() throws InterruptedException {
        bench.close();
    }

    @Test
    void twoHundredJobsAtOnceLeaveNoThreadFileOrProcess() throws Exception {
        Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
        List<String> names = new ArrayList<>();
        try (Backend backend = bench.backend()) {
            for (int i = 0; i < 200; i++) {
                // A third succeeds, a third fails, a third would run for good.
                String script = List.of("echo $$", "exit 3", "sleep 600").get(i % 3);
                names.add(backend.train(Bench.shell(script, 1).build(), ProgressListener.none())
                        .name());
            }
            for (int i = 0; i < 200; i++) {
                if (i % 3 < 2) {
                    assertThat(Bench.await(
                                            backend,
                                            names.get(i),
                                            Duration.ofMinutes(2),
                                            JobStatus.COMPLETE,
                                            JobStatus.FAILED)
                                    .status())
                            .isEqualTo(i % 3 == 0 ? JobStatus.COMPLETE : JobStatus.FAILED);
                }
            }
            assertThat(backend.list()).extracting(TrainJob::name).containsExactlyInAnyOrderElementsOf(names);
            ExecutorService deleters = Executors.newFixedThreadPool(8);
            List<Future<?>> deleted = new ArrayList<>();
            for (String name : names) {
                deleted.add(deleters.submit(() -> {
                    backend.delete(name);
                    return null;
                }));
            }
            for (Future<?> future : deleted) {
                future.get();
            }
            deleters.shutdown();
            assertThat(backend.list()).isEmpty();
        }

        assertThat(bench.jobs()).isEmptyDirectory();
        assertThat(Marked.processes(bench.jobs())).isEmpty();
        Instant limit = Instant.now().plusSeconds(20);
        while (Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> !before.contains(thread) && thread.getName().startsWith("trainer4j-local"))) {
            assertThat(Instant.now()).isBefore(limit);
            Thread.sleep(20);
        }
    }

    @Test
    void aThousandFinishedJobsAreListedInAMillisecondEach() throws Exception {
        Backend backend = bench.backend();
        TrainJob job = Bench.run(
                backend,
                Bench.shell("echo done", 2).name("original").label("a", "b").build());
        for (int i = 0; i < 999; i++) {
            copy(bench.jobs().resolve("original"), bench.jobs().resolve("copy-" + i), "copy-" + i);
        }
        assertThat(backend.list()).hasSize(1000);

        long best = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long start = cpuNanos();
            List<TrainJob> list = backend.list();
            best = Math.min(best, cpuNanos() - start);
            assertThat(list).hasSize(1000).contains(job);
        }
        assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofSeconds(1));
        for (TrainJob each : backend.list()) {
            assertThat(backend.get(each.name())).isEqualTo(each);
        }
    }

    /** The time this thread has worked, whatever else the machine does; what it waits for is not in it. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void copy(Path from, Path to, String name) throws Exception {
        Files.createDirectories(to.resolve("state"));
        Files.writeString(
                to.resolve("job.json"),
                Files.readString(from.resolve("job.json")).replace("\"original\"", "\"" + name + "\""));
        Files.copy(from.resolve("state/final.json"), to.resolve("state/final.json"));
    }

    @Test
    void trainTakesLittleTimeWhenItIsWarm() throws Exception {
        Backend backend = bench.backend();
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            long start = cpuNanos();
            backend.train(Bench.shell("true", 2).build(), ProgressListener.none());
            times.add(Duration.ofNanos(cpuNanos() - start));
        }
        assertThat(times.subList(10, 20).stream().sorted().toList().get(5)).isLessThan(Duration.ofMillis(50));
    }
}
