package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.Backend;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BigLogTest {
    private static final int LINES = 2_000_000;

    @Test
    void twoMillionLinesFitThroughAHeapOf64Mebibytes(@TempDir Path work) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BigLogTest.class.getName(),
                        work.toString())
                .redirectErrorStream(true)
                .start();
        jvm.getOutputStream().close();
        String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(jvm.waitFor()).as(output).isZero();
        assertThat(output).contains("followed " + LINES + ", tail [1999996, 1999997, 1999998, 1999999, 2000000]");
    }

    /** The program of the JVM with the small heap. */
    public static void main(String[] args) throws Exception {
        Bench bench = new Bench(Path.of(args[0]));
        try (bench;
                Backend backend = bench.backend()) {
            TrainJob job = backend.train(Bench.shell("seq 1 " + LINES, 1).build(), ProgressListener.none());
            int count = 0;
            try (LogStream stream = backend.logs(job.name(), LogQuery.all().following())) {
                for (Optional<LogLine> line = stream.next(); line.isPresent(); line = stream.next()) {
                    count++;
                    if (!line.get().text().equals(Integer.toString(count))) {
                        throw new AssertionError(
                                "line " + count + " is " + line.get().text());
                    }
                }
            }
            List<String> tail = new ArrayList<>();
            try (LogStream stream = backend.logs(job.name(), LogQuery.all().tail(5))) {
                stream.forEach(line -> tail.add(line.text()));
            }
            System.out.println("followed " + count + ", tail " + tail);
        }
    }
}
