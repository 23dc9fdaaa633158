package io.github.trainer4j.container;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.BackendProvider;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * A client in a JVM of its own. It waits until it is told of a job, launches or deletes it, says how that went, and ends.
 * Its main method is what runs there, its instances are what a test has of it.
 */
final class OtherClient implements Closeable {
    /** The number of containers of its job. */
    static final int STEPS = 3;

    private final Process process;
    private final BufferedReader output;

    private OtherClient(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts one over a test's state and engine; it does nothing yet. */
    static OtherClient start(BackendProvider provider, String host, Path work) throws IOException {
        return new OtherClient(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherClient.class.getName(),
                        provider.getClass().getName(),
                        host,
                        work.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Has it do something with a job: {@code launch} or {@code delete}. */
    void tell(String what, String job) throws IOException {
        process.getOutputStream().write((what + " " + job + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Returns what it said in the end; empty if it was killed before. */
    String answer() throws IOException, InterruptedException {
        String line = output.readLine();
        process.waitFor();
        return line == null ? "" : line;
    }

    /** Ends it as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
        boolean interrupted = false;
        while (true) {
            try {
                process.waitFor();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }

    /** The job: something to fetch, and two nodes. */
    static TrainJobRequest request(Lab lab, String name) {
        return lab.job(name)
                .runtime("torch")
                .dataset(Lab.fetch(InitializerSpec.dataset("hf://test/sleep-0.3")))
                .trainer(nodes())
                .build();
    }

    /** Two nodes that go on until they are asked to end. */
    static CommandTrainer nodes() {
        return CommandTrainer.of("sh", "-c", "trap exit TERM; sleep 600 & wait").numNodes(2);
    }

    /** The program of the other JVM. */
    public static void main(String[] args) throws Exception {
        BackendProvider provider = Class.forName(args[0])
                .asSubclass(BackendProvider.class)
                .getDeclaredConstructor()
                .newInstance();
        Lab lab = new Lab(provider, args[1], Path.of(args[2]));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = input.readLine();
        if (line == null) {
            return;
        }
        String[] words = line.split(" ", 2);
        String answer;
        try (ContainerBackend backend = lab.backend(Map.of())) {
            if (words[0].equals("launch")) {
                lab.start(backend, request(lab, words[1]));
            } else {
                backend.delete(words[1]);
            }
            answer = "done";
        } catch (RuntimeException e) {
            answer = e.toString();
        }
        System.out.println(answer.replace('\n', ' '));
    }
}
