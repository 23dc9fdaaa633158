package io.github.trainer4j.benchmarks;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.WaitOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two million log lines; run it under {@code -Xmx64m} to see that memory does not grow with them. */
final class LogBenchmark {
    private static final int LINES = 2_000_000;

    private LogBenchmark() {}

    static void run() throws Exception {
        LocalBenchmarks.inClient((client, work) -> {
            TrainJob job = client.train(TrainJobRequest.builder()
                    .trainer(CommandTrainer.of("seq", Integer.toString(LINES)))
                    .build());
            long start = System.nanoTime();
            long lines = 0;
            try (LogStream logs =
                    client.logs(job.name(), LogQuery.step("node-0").following())) {
                while (logs.next().isPresent()) {
                    lines++;
                }
            }
            double seconds = Benchmarks.millisecondsSince(start) / 1000;
            if (lines != LINES) {
                throw new AssertionError("followed " + lines + " lines");
            }
            Benchmarks.print("follow: %d lines in %.2f s, %.0f lines/s", lines, seconds, lines / seconds);
            client.waitFor(job.name(), WaitOptions.complete().within(Duration.ofMinutes(5)));
            List<String> tail = new ArrayList<>();
            double milliseconds = Benchmarks.median(() -> {
                tail.clear();
                long begin = System.nanoTime();
                try (LogStream logs =
                        client.logs(job.name(), LogQuery.step("node-0").tail(5))) {
                    logs.forEach((LogLine line) -> tail.add(line.text()));
                }
                return Benchmarks.millisecondsSince(begin);
            });
            Benchmarks.print("tail(5): %s in %.2f ms", tail, milliseconds);
            Benchmarks.print("heap limit %d MiB", Runtime.getRuntime().maxMemory() >> 20);
        });
    }
}
