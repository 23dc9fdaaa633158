package io.github.trainer4j.local;

import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A client in a JVM of its own: submits a job, says so, and stays until it is ended. Its main method is what runs there,
 * its instances are what the test has of it.
 */
final class OtherJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private OtherJvm(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts one that submits a job.
     *
     * @param kind {@code plain}, {@code fetching} for one with an initializer that never ends, {@code deadline} for three seconds
     */
    static OtherJvm submit(Path work, String job, String kind, String script, int nodes, String... jvmOptions)
            throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                OtherJvm.class.getName(),
                work.toString(),
                job,
                kind,
                script,
                Integer.toString(nodes)));
        OtherJvm jvm = new OtherJvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        String line = jvm.output.readLine();
        if (!"submitted".equals(line)) {
            throw new IllegalStateException("the other JVM said " + line);
        }
        return jvm;
    }

    long pid() {
        return process.pid();
    }

    /** Ends it as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Lets its main method return, and returns its exit code when it has ended. */
    int leave() throws IOException, InterruptedException {
        process.getOutputStream().close();
        return process.waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    /** The program of the other JVM. */
    public static void main(String[] args) throws Exception {
        Bench bench = new Bench(Path.of(args[0]));
        bench.settings.put("grace-period", "3s");
        bench.fetcher("hang", (directory, context) -> {
            context.log("hanging");
            context.progress(5, OptionalLong.of(100));
            Thread.sleep(Duration.ofHours(1).toMillis());
        });
        try (Backend backend = bench.backend()) {
            TrainJobRequest.Builder request =
                    Bench.shell(args[3], Integer.parseInt(args[4])).name(args[1]);
            if (args[2].equals("fetching")) {
                request.dataset("test://hang");
            }
            if (args[2].equals("deadline")) {
                request.deadline(Duration.ofSeconds(3));
            }
            TrainJob job = backend.train(request.build(), ProgressListener.none());
            if (!args[2].equals("fetching")) {
                Bench.await(
                        backend,
                        job.name(),
                        Duration.ofSeconds(30),
                        io.github.trainer4j.api.JobStatus.RUNNING,
                        io.github.trainer4j.api.JobStatus.COMPLETE,
                        io.github.trainer4j.api.JobStatus.FAILED);
            } else {
                while (backend.get(job.name()).steps().get(0).bytesDone().isEmpty()) {
                    Thread.sleep(10);
                }
            }
            System.out.println("submitted");
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }
}
