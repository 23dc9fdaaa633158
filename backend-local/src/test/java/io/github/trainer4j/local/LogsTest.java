package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.spi.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogsTest extends BenchTests {
    static List<String> lines(Backend backend, String job, LogQuery query) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        try (LogStream stream = backend.logs(job, query)) {
            stream.forEach(line -> lines.add(line.text()));
        }
        return lines;
    }

    @Test
    void linesComeInTheirOrderAndEachOnce() throws Exception {
        TrainJob job = Bench.run(backend, Bench.shell("seq 1 1000", 1).build());

        assertThat(lines(backend, job.name(), LogQuery.step("node-0")))
                .isEqualTo(IntStream.rangeClosed(1, 1000)
                        .mapToObj(Integer::toString)
                        .toList());
        assertThat(lines(backend, job.name(), LogQuery.step("node-0").tail(3))).containsExactly("998", "999", "1000");
        assertThat(lines(backend, job.name(), LogQuery.step("node-0").tail(0))).isEmpty();
        assertThat(lines(backend, job.name(), LogQuery.step("node-0").tail(5000)))
                .hasSize(1000);
    }

    @Test
    void allStepsAreMergedWithTheirNames() throws Exception {
        TrainJob job = Bench.run(
                backend,
                Bench.shell("seq -f \"$PET_NODE_RANK %g\" 1 100", 2)
                        .runtime(Bench.TORCH)
                        .build());

        List<LogLine> lines = new ArrayList<>();
        try (LogStream stream = backend.logs(job.name(), LogQuery.all())) {
            stream.forEach(lines::add);
        }
        assertThat(lines)
                .hasSize(200)
                .allSatisfy(line ->
                        assertThat(line.step()).isEqualTo("node-" + line.text().charAt(0)));
        assertThat(lines(backend, job.name(), LogQuery.all().tail(1))).containsExactlyInAnyOrder("0 100", "1 100");
    }

    @Test
    void aFollowDeliversEverythingAndEndsWithTheJob() throws Exception {
        TrainJob job = backend.train(
                Bench.shell("for i in 1 2 3; do echo line $i; sleep 0.2; done; printf 'no line break'", 1)
                        .build(),
                ProgressListener.none());

        assertThat(lines(backend, job.name(), LogQuery.step("node-0").following()))
                .containsExactly("line 1", "line 2", "line 3", "no line break");
    }

    @Test
    void aStepThatAJobDoesNotHaveIsAnErrorAndSilenceIsNot() throws Exception {
        TrainJob job = Bench.run(backend, Bench.shell("true", 1).build());

        assertThat(lines(backend, job.name(), LogQuery.step("node-0"))).isEmpty();
        assertThatThrownBy(() -> backend.logs(job.name(), LogQuery.step("node-9")))
                .isInstanceOf(JobNotFoundException.class)
                .hasMessageContaining("node-0");
        assertThatThrownBy(() -> backend.logs("nobody", LogQuery.all())).isInstanceOf(JobNotFoundException.class);
        assertThatThrownBy(() -> backend.logs(job.name(), LogQuery.all().previousAttempt()))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("local");
    }

    @Test
    void closingEndsAFollowThatWaits() throws Exception {
        TrainJob job = backend.train(Bench.shell("sleep 600", 1).build(), ProgressListener.none());
        LogStream stream = backend.logs(job.name(), LogQuery.all().following());

        CompletableFuture<Optional<LogLine>> next = CompletableFuture.supplyAsync(() -> {
            try {
                return stream.next();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Thread.sleep(200);
        assertThat(next).isNotDone();
        stream.close();
        assertThat(next.get(5, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void deletingTheJobEndsAFollowWithAnError() throws Exception {
        TrainJob job = backend.train(Bench.shell("echo one; sleep 600", 1).build(), ProgressListener.none());
        try (LogStream stream = backend.logs(job.name(), LogQuery.all().following())) {
            assertThat(stream.next()).map(LogLine::text).hasValue("one");
            Backend other = bench.backend();
            CompletableFuture<Void> deleted = CompletableFuture.runAsync(() -> {
                try {
                    other.delete(job.name());
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> stream.forEach(line -> {})).isInstanceOf(JobNotFoundException.class);
            deleted.get(10, TimeUnit.SECONDS);
        }
    }
}
