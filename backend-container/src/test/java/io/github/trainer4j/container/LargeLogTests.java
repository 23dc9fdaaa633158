package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.BackendProvider;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A log that is far larger than what this JVM should hold of it, with bytes that are no text, on a real engine. */
@Timeout(600)
abstract class LargeLogTests extends LabTests {
    private static final int MIB = 1 << 20;
    private static final int SIZE = 32 * MIB;
    private static final int LINE = 128;
    private static final int LINES = SIZE / LINE;
    private static final int LONG_LINE = 100_000;

    LargeLogTests(BackendProvider provider, String variable) {
        super(provider, variable);
    }

    @Test
    void isReadLineByLineAndItsEndWithoutItsBeginning() throws InterruptedException {
        ContainerBackend backend = lab.backend(Map.of());
        String script = "yes " + "x".repeat(LINE - 1) + " | head -n " + LINES + "; printf 'a\\377\\376b\\n'; head -c "
                + LONG_LINE + " /dev/zero | tr '\\0' y; echo; printf 'no end'";
        TrainJob job = lab.run(
                backend,
                lab.job().trainer(CommandTrainer.of("sh", "-c", script)).build());
        Lab.isComplete(job);

        long start = System.nanoTime();
        int lines = 0;
        int odd = 0;
        long before = used();
        long most = 0;
        try (LogStream log = backend.logs(job.name(), LogQuery.step("node-0"))) {
            for (Optional<LogLine> line = log.next(); line.isPresent(); line = log.next()) {
                lines++;
                odd += line.get().text().length() == LINE - 1 ? 0 : 1;
                if (lines % (LINES / 4) == 0) {
                    most = Math.max(most, used());
                }
            }
        }
        Duration whole = Duration.ofNanos(System.nanoTime() - start);

        assertThat(lines).isEqualTo(LINES + 3);
        assertThat(odd).as("lines of another length").isEqualTo(3);
        assertThat(most - before).as("bytes held of " + SIZE).isLessThan(SIZE / 3);

        start = System.nanoTime();
        List<String> tail =
                Lab.lines(backend, job.name(), LogQuery.step("node-0").tail(4));
        Duration end = Duration.ofNanos(System.nanoTime() - start);

        assertThat(tail).containsExactly("x".repeat(LINE - 1), "a\uFFFD\uFFFDb", "y".repeat(LONG_LINE), "no end");
        if (provider.name().equals("docker")) {
            // Podman 4 joins the last two lines of a tail, and is asked for the whole log instead.
            assertThat(end)
                    .as("of the whole reading's " + whole)
                    .isLessThan(whole.dividedBy(2).plusMillis(500));
        }
        System.out.println(provider.name() + ": " + SIZE / MIB + " MiB of log read in " + whole.toMillis()
                + " ms, holding " + (most - before) / MIB + " MiB; its last lines in " + end.toMillis() + " ms");
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
