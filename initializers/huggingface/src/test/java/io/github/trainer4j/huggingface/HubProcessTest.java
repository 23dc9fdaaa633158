package io.github.trainer4j.huggingface;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.testkit.hub.Content;
import io.github.trainer4j.testkit.hub.FakeHub;
import io.github.trainer4j.testkit.hub.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches in processes of their own: killed, short of memory, two at once. */
class HubProcessTest {
    @TempDir
    Path directory;

    private final FakeHub hub = FakeHub.start();
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endEverything() {
        processes.forEach(Process::destroyForcibly);
        hub.close();
    }

    /** Fetches a dataset; what is said goes to the test's own output. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            Fetches context = Fetches.fetch(
                    HuggingFace.dataset("hf://org/data").endpoint(args[0]).spec(),
                    Path.of(args[1]),
                    Map.of(),
                    Fetches.QUICK.withConnections(Integer.parseInt(args[2])));
            System.out.println(context.log());
        }
    }

    private List<String> command(int connections, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                hub.endpoint().toString(),
                directory.toString(),
                Integer.toString(connections)));
        return command;
    }

    private Process start(int connections, String... options) throws IOException {
        Process process =
                new ProcessBuilder(command(connections, options)).inheritIO().start();
        processes.add(process);
        return process;
    }

    private static void succeeds(Process process) throws InterruptedException {
        assertThat(process.waitFor(100, TimeUnit.SECONDS)).as("it ends").isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void aFetchThatIsKilledInTheMiddleIsGoneOnWithFromThere() throws Exception {
        Content content = Content.generated(21, 32 << 20);
        hub.dataset("org/data").lfs("big", content).file("small", "s");
        hub.inject(Fault.bytesPerSecond(1_500_000).on("/lfs/*"));
        Process process = start(8);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (hub.bytesSent() < content.size() / 2) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(10);
        }

        process.destroyForcibly().waitFor();

        assertThat(directory.resolve("big")).doesNotExist();
        assertThat(directory.resolve(".trainer4j/complete.json")).doesNotExist();
        hub.clearFaults();
        hub.forget();
        Fetches.fetch(
                HuggingFace.dataset("hf://org/data").endpoint(hub.endpoint().toString()), directory);
        assertThat(content.isIn(directory.resolve("big"))).isTrue();
        assertThat(hub.bytesSent()).isLessThan(content.size() * 3 / 4);
    }

    @Test
    void aNameThatTheLocaleCannotWriteIsToldWithTheWayOut() throws Exception {
        hub.dataset("org/data").file("\u00e4.txt", "a");
        Path errors = directory.resolveSibling(directory.getFileName() + "-errors");
        ProcessBuilder builder = new ProcessBuilder(command(1)).redirectError(errors.toFile());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        processes.add(process);

        assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();

        String text = Files.readString(errors);
        Files.delete(errors);
        if (process.exitValue() != 0) {
            assertThat(text).contains("start the JVM in a UTF-8 locale, for example with LC_ALL=C.UTF-8");
        } else {
            // From JDK 18 on the names of files are UTF-8 in this locale, too.
            assertThat(directory.resolve("\u00e4.txt")).hasContent("a");
        }
    }

    @Test
    void memoryDoesNotGrowWithTheFile() throws Exception {
        Content content = Content.generated(22, 64 << 20);
        Content other = Content.generated(23, 64 << 20);
        hub.dataset("org/data").lfs("one", content).lfs("two", other);

        succeeds(start(
                4, "-Xmx32m", "-XX:MaxDirectMemorySize=8m", "-Dio.github.trainer4j.transfer.piece-size=16777216"));

        assertThat(content.isIn(directory.resolve("one"))).isTrue();
        assertThat(other.isIn(directory.resolve("two"))).isTrue();
    }

    @Test
    void twoProcessesThatFetchIntoOneDirectoryFetchOnce() throws Exception {
        Content content = Content.generated(24, 8 << 20);
        hub.dataset("org/data").lfs("big", content);
        hub.inject(Fault.bytesPerSecond(2_000_000).on("/lfs/*"));

        Process one = start(8);
        Process two = start(8);
        succeeds(one);
        succeeds(two);

        assertThat(content.isIn(directory.resolve("big"))).isTrue();
        assertThat(hub.bytesSent()).isEqualTo(content.size());
    }
}
