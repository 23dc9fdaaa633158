package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node is given, seen by the node. */
class LaunchTest {
    private Bench bench;

    @BeforeEach
    void open(@TempDir Path work) {
        bench = new Bench(work);
    }

    @AfterEach
    void close() throws InterruptedException {
        bench.close();
    }

    private List<String> output(CommandTrainer trainer) throws InterruptedException {
        Backend backend = bench.backend();
        TrainJob job = Bench.run(
                backend,
                TrainJobRequest.builder().runtime(Bench.TORCH).trainer(trainer).build());
        assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.COMPLETE);
        return LogsTest.lines(backend, job.name(), LogQuery.all());
    }

    @Test
    void aNodeInheritsTheEnvironmentAndTheJobsOwnWins() throws Exception {
        bench.environment.put("FROM_CLIENT", "client");
        bench.environment.put("BOTH", "client");
        bench.environment.put("KUBEFLOW_TRAINER_SERVER_URL", "the server of a job that we are a part of");

        assertThat(output(CommandTrainer.of(
                                "sh",
                                "-c",
                                "echo \"$KUBEFLOW_TRAINER_SERVER_URL$FROM_CLIENT,$BOTH,$FOO,${PATH:+path},$PWD=$(pwd)\"")
                        .env("BOTH", "job")
                        .env("FOO", "a b\nc")))
                .satisfies(lines -> {
                    assertThat(lines.get(0)).isEqualTo("client,job,a b");
                    assertThat(lines.get(1)).startsWith("c,path,");
                    String[] directories =
                            lines.get(1).substring("c,path,".length()).split("=", -1);
                    assertThat(directories[0]).isEqualTo(directories[1]).endsWith("/workspace");
                });
    }

    @Test
    void variablesThatAShellDropsArriveToo() throws Exception {
        assertThat(output(CommandTrainer.of("env")
                        .env("my.var", "1")
                        .env("a-b", "x y")
                        .secretEnv("s-1", Secret.of("hidden"))))
                .contains("my.var=1", "a-b=x y", "s-1=hidden");
    }

    @Test
    void noVariableOfTheScriptTouchesOneOfTheJob() throws Exception {
        List<String> names = List.of("step", "state", "seconds", "grace", "code", "boot", "stat", "i", "UID", "HOME");
        CommandTrainer trainer = CommandTrainer.of("env");
        for (String name : names) {
            trainer = trainer.env(name, "value of " + name);
        }

        assertThat(output(trainer))
                .containsAll(
                        names.stream().map(name -> name + "=value of " + name).toList());
    }

    @Test
    void aProgramIsTheOneOnThePathAndNoCommandOfTheShell() throws Exception {
        Path bin = Files.createDirectory(bench.work.resolve("bin"));
        Path echo = Files.writeString(bin.resolve("echo"), "#!/bin/sh\nprintf 'ours %s\\n' \"$@\"\n");
        assertThat(echo.toFile().setExecutable(true)).isTrue();

        assertThat(output(CommandTrainer.of("echo", "a\\tb").env("PATH", bin + ":" + System.getenv("PATH"))))
                .containsExactly("ours a\\tb");
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "KILL, 137", "SEGV, 139", "HUP, 129", "QUIT, 131"})
    void aSignalThatEndsAProgramIsNamed(String signal, int code) throws Exception {
        assumeThat(inheritedIgnored() >> (code - 128 - 1) & 1)
                .as("whoever started this JVM ignores SIG" + signal + ", as nohup does, and so do all its processes")
                .isZero();
        Backend backend = bench.backend();
        TrainJob job = Bench.run(
                backend, Bench.shell("kill -s " + signal + " $$; sleep 5", 1).build());

        assertThat(job.failure().orElseThrow().exitCode()).hasValue(code);
        assertThat(job.failure().orElseThrow().message()).contains("SIG" + signal);
        assertThat(LogsTest.lines(backend, job.name(), LogQuery.all())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"IFS", "PPID", "SHLVL", "_"})
    void aVariableThatAShellWouldChangeIsRefused(String name) {
        Backend backend = bench.backend();
        assertThatThrownBy(() -> backend.plan(TrainJobRequest.builder()
                        .runtime(Bench.PLAIN)
                        .trainer(CommandTrainer.of("true").env(name, "x"))
                        .build()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining(name);
    }

    @Test
    void noSignalIsIgnoredOrBlockedInANode() throws Exception {
        List<String> lines = output(CommandTrainer.of("grep", "-E", "^Sig(Ign|Blk)", "/proc/self/status"));

        // HUP, INT and TERM. A JVM blocks QUIT in all it starts, and only some shells undo that.
        long signals = (1L | 1L << 1 | 1L << 14) & ~inheritedIgnored();
        assertThat(lines)
                .hasSize(2)
                .allSatisfy(line -> assertThat(signals(line) & signals).as(line).isZero());
    }

    /** The signals that this JVM itself was started with as ignored: a process cannot help but hand that down. */
    private static long inheritedIgnored() throws IOException {
        return signals(Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn"))
                .findFirst()
                .orElseThrow());
    }

    private static long signals(String line) {
        return Long.parseUnsignedLong(line.replaceAll(".*\\s", ""), 16);
    }

    @Test
    void aNodeReadsNoInputAndHasNoTerminal() throws Exception {
        assertThat(output(CommandTrainer.of(
                        "sh", "-c", "cat; echo end; (: </dev/tty) 2>/dev/null && echo tty || echo none")))
                .containsExactly("end", "none");
    }

    private static void program(Path bin, String name) throws IOException {
        Path real = new Host(System.getenv(), Path.of("/dev"), java.util.Optional.empty())
                .find(name, System.getenv())
                .orElseThrow();
        Path script = Files.writeString(bin.resolve(name), "#!/bin/sh\nexec " + real + " \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"setsid", "perl"})
    void everyNodeLeadsASessionOfItsOwn(String starter) throws Exception {
        Path bin = Files.createDirectory(bench.work.resolve("bin"));
        for (String program : List.of(starter, "sh", "cut", "grep", "sleep")) {
            program(bin, program);
        }
        bench.environment.put("PATH", bin.toString());

        Set<String> sessions = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            sessions.addAll(output(CommandTrainer.of("cut", "-d", " ", "-f", "6", "/proc/self/stat")));
        }
        assertThat(sessions).hasSize(2);
    }

    @Test
    void aSecretReachesTheProcessAndNoFileAndNoArgument() throws Exception {
        String canary = "canary-1f2e3d4c5b6a";
        Backend backend = bench.backend();
        Path gate = bench.work.resolve("gate");
        TrainJob job = backend.train(
                TrainJobRequest.builder()
                        .runtime(Bench.PLAIN)
                        .trainer(CommandTrainer.of(
                                        "sh",
                                        "-c",
                                        "echo ${#TOKEN}; until [ -e " + gate + " ]; do sleep 0.05; done; exit 1")
                                .secretEnv("TOKEN", Secret.of(canary)))
                        .build(),
                ProgressListener.none());
        Bench.await(backend, job.name(), java.time.Duration.ofSeconds(20), JobStatus.RUNNING);

        Process ps = new ProcessBuilder("ps", "-A", "-ww", "-o", "args").start();
        String arguments = new String(ps.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(arguments).contains("run.sh").doesNotContain(canary);
        Files.createFile(gate);
        TrainJob failed = Bench.await(backend, job.name());

        assertThat(LogsTest.lines(backend, job.name(), LogQuery.all())).containsExactly("" + canary.length());
        assertThat(failed.toString() + failed.failure() + backend.events(job.name()))
                .doesNotContain(canary);
        assertNoFileHas(canary);
    }

    private void assertNoFileHas(String canary) throws IOException {
        try (var files = Files.walk(bench.jobs())) {
            assertThat(files.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file)
                            .content(java.nio.charset.StandardCharsets.ISO_8859_1)
                            .doesNotContain(canary));
        }
    }

    @Test
    void nodesAreGivenTheirShareOfTheDevices() throws Exception {
        bench.environment.put("CUDA_VISIBLE_DEVICES", "3,5,GPU-7,9");
        Backend backend = bench.backend();
        TrainJob job = Bench.run(
                backend,
                TrainJobRequest.builder()
                        .runtime(Bench.PLAIN)
                        .trainer(CommandTrainer.of("sh", "-c", "echo $CUDA_VISIBLE_DEVICES")
                                .numNodes(2)
                                .resources(r -> r.gpu(2)))
                        .build());

        assertThat(LogsTest.lines(backend, job.name(), LogQuery.step("node-0"))).containsExactly("3,5");
        assertThat(LogsTest.lines(backend, job.name(), LogQuery.step("node-1"))).containsExactly("GPU-7,9");
        assertThat(job.steps()).allSatisfy(step -> {
            assertThat(step.device()).hasValue("gpu");
            assertThat(step.deviceCount()).hasValue("2");
        });
    }

    @Test
    void theDevicesOfAHostAreItsDeviceFiles(@TempDir Path devices) throws Exception {
        for (String name : List.of("nvidia0", "nvidia2", "nvidiactl", "nvidia-uvm", "null")) {
            Files.createFile(devices.resolve(name));
        }
        java.util.Map<String, String> environment = new java.util.HashMap<>(System.getenv());
        environment.remove("CUDA_VISIBLE_DEVICES");

        assertThat(new Host(environment, devices, java.util.Optional.empty()).gpus())
                .containsExactly("0", "1");
        assertThat(new Host(environment, devices.resolve("none"), java.util.Optional.empty()).gpus())
                .isEmpty();
    }

    @Test
    void limitsThatAreNotEnforcedAreSaid() throws Exception {
        Backend backend = bench.backend();
        TrainJob job = Bench.run(
                backend,
                TrainJobRequest.builder()
                        .runtime(Bench.PLAIN)
                        .trainer(CommandTrainer.of("true")
                                .resources(r -> r.cpu(2).memory("4Gi")))
                        .build());

        assertThat(job.status()).isEqualTo(JobStatus.COMPLETE);
        assertThat(backend.events(job.name())).anySatisfy(event -> {
            assertThat(event.type()).isEqualTo(Event.Type.WARNING);
            assertThat(event.message()).contains("cpu 2", "memory 4Gi", "not enforced");
        });
    }

    @Test
    void aJavaTrainerRunsOnTheJvmThatRunsUs() throws Exception {
        Backend backend = bench.backend();
        TrainJob job = Bench.run(
                backend,
                TrainJobRequest.builder()
                        .runtime(Bench.PLAIN)
                        .trainer(JavaTrainer.mainClass(EchoMain.class.getName())
                                .classPath(Path.of(EchoMain.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI()))
                                .jvmOptions("-XX:TieredStopAtLevel=1", "-Dfoo=a b")
                                .args("", "x y"))
                        .build());

        assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.COMPLETE);
        assertThat(LogsTest.lines(backend, job.name(), LogQuery.all()))
                .containsExactly(System.getProperty("java.home"), "a b", "[]", "[x y]");
    }

    /** The program of a node. */
    static final class EchoMain {
        public static void main(String[] args) {
            System.out.println(System.getProperty("java.home"));
            System.out.println(System.getProperty("foo"));
            for (String arg : args) {
                System.out.println("[" + arg + "]");
            }
        }
    }

    @Test
    void fiveJobsAtOnceHaveADirectoryEachAndOursStays() throws Exception {
        Backend backend = bench.backend();
        String before = System.getProperty("user.dir");
        List<String> names = IntStream.range(0, 5)
                .mapToObj(i -> backend.train(Bench.shell("pwd", 1).build(), ProgressListener.none())
                        .name())
                .toList();
        Set<String> directories = new HashSet<>();
        for (String name : names) {
            Bench.await(backend, name);
            directories.addAll(LogsTest.lines(backend, name, LogQuery.all()));
        }
        assertThat(directories).hasSize(5);
        assertThat(System.getProperty("user.dir")).isEqualTo(before);
    }

    @Test
    void aHostWithoutAWayToStartASessionIsRefused() {
        bench.environment.put("PATH", bench.work.toString());
        assertThatThrownBy(bench::backend)
                .isInstanceOf(io.github.trainer4j.api.BackendUnavailableException.class)
                .hasMessageContaining("setsid")
                .hasMessageContaining("perl");
        bench.environment.put("PATH", System.getenv("PATH"));
    }

    @Test
    void withoutBashAVariableThatShDropsIsRefused() throws Exception {
        Path bin = Files.createDirectory(bench.work.resolve("bin"));
        for (String program : List.of("setsid", "env")) {
            program(bin, program);
        }
        bench.environment.put("PATH", bin.toString());
        Backend backend = bench.backend();

        assertThatThrownBy(() -> backend.train(
                        TrainJobRequest.builder()
                                .runtime(Bench.PLAIN)
                                .trainer(CommandTrainer.of("env").env("my.var", "1"))
                                .build(),
                        ProgressListener.none()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("my.var")
                .hasMessageContaining("bash");
        assertThat(bench.jobs()).doesNotExist();
    }
}
