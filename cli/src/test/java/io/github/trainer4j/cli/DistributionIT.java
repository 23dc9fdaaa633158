package io.github.trainer4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.testkit.hub.FakeHub;
import io.github.trainer4j.testkit.hub.Fault;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as people get it, in a process of its own. */
class DistributionIT {
    private static final Path HOME = Path.of(System.getProperty("distribution"));

    private Path directory;

    @BeforeEach
    void begin(@TempDir Path directory) {
        this.directory = directory;
    }

    private Process start(String script) throws Exception {
        // Whoever started the tests in the background had them ignore SIGINT, and so would all that they start.
        ProcessBuilder builder = new ProcessBuilder("env", "--default-signal=INT", "bash", "-c", script)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("TRAINER4J_BACKEND", "local");
        builder.environment().put("PATH", HOME.resolve("bin") + ":" + System.getenv("PATH"));
        return builder.start();
    }

    private int run(String script) throws Exception {
        Process process = start(script);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(script).isTrue();
        return process.exitValue();
    }

    private String out() throws Exception {
        return Files.readString(directory.resolve("out"), StandardCharsets.UTF_8);
    }

    private String err() throws Exception {
        return Files.readString(directory.resolve("err"), StandardCharsets.UTF_8);
    }

    @Test
    void archivesHoldTheProgramAndAllFirstPartyPlugins() throws Exception {
        Path target = HOME.getParent().getParent();
        String name = HOME.getFileName().toString();
        assertThat(target.resolve(name + ".tar.gz")).exists();
        assertThat(target.resolve(name + ".zip")).exists();
        assertThat(run("tar -tvzf '" + target.resolve(name + ".tar.gz") + "'")).isZero();
        assertThat(out())
                .containsPattern("-rwxr-xr-x .* " + name + "/bin/trainer4j\n")
                .contains("lib/ext/README.txt")
                .contains("trainer4j-backend-local-", "trainer4j-backend-container-", "trainer4j-backend-kubernetes-")
                .contains("trainer4j-huggingface-", "trainer4j-s3-", "trainer4j-datacache-")
                .doesNotContain("testkit", "junit");
    }

    @Test
    void itStartsByALinkAndFromAnywhere() throws Exception {
        Files.createSymbolicLink(directory.resolve("t4j"), HOME.resolve("bin/trainer4j"));
        assertThat(run("cd / && '" + directory + "/t4j' version -o name")).isZero();
        assertThat(out()).isEqualTo(HOME.getFileName().toString().replace("trainer4j-", "") + "\n");
    }

    @Test
    void withoutJavaItSaysWhatToDo() throws Exception {
        assertThat(run("JAVA_HOME=/nowhere trainer4j list")).isEqualTo(4);
        assertThat(err()).contains("there is no Java in JAVA_HOME=/nowhere; install version 17 or newer");
    }

    @Test
    void nobodyWhoReadsAnyMoreIsNoError() throws Exception {
        assertThat(run("set -o pipefail; trainer4j train --name long --wait -- seq 100000 >/dev/null 2>&1;"
                        + " trainer4j logs long | head -n 1"))
                .isZero();
        assertThat(out()).isEqualTo("1\n");
        assertThat(err()).isEmpty();
    }

    @Test
    void aFullDiskIsAnError() throws Exception {
        assertThat(run("trainer4j version >/dev/full")).isEqualTo(1);
        assertThat(err()).contains("the output cannot be written: No space left on device");
    }

    @Test
    void logsAreUtf8WhateverTheLocaleSays() throws Exception {
        assertThat(run("LC_ALL=C trainer4j train --name ü-no -- true")).isEqualTo(2);
        assertThat(err()).contains("'ü-no'");
        assertThat(run("LC_ALL=C LANG=C trainer4j train --name umlaut --follow -- echo 'ä €'"))
                .isZero();
        assertThat(out()).contains("[node-0] ä €\n");
    }

    @Test
    void closedStreamsHarmNothing() throws Exception {
        assertThat(run("trainer4j train -f - <&-")).isEqualTo(2);
        assertThat(err()).contains("standard input");
        assertThat(run("trainer4j list >&- 2>&-")).isZero();
    }

    @Test
    void jarsInExtAreOnTheClassPath() throws Exception {
        assertThat(run("cp -r '" + HOME + "' dist && cp '" + BrokenPlugin.jar(directory) + "' dist/lib/ext/"
                        + " && dist/bin/trainer4j list"))
                .isZero();
        assertThat(err()).contains("com.example.Broken", "lib/ext/plugin.jar");
    }

    @Test
    void ctrlCLeavesAJobThatRunsAndSaysHowToComeBack() throws Exception {
        Process process = start("exec trainer4j train --name led --wait -- sleep 60");
        await("node-0 is Running");
        interrupt(process);
        assertThat(process.exitValue()).isEqualTo(130);
        assertThat(err()).contains("Job led goes on. Come back with: trainer4j wait led | logs led -f | delete led");
        assertThat(run("trainer4j get led -o json")).isZero();
        assertThat(out()).contains("\"status\": \"Running\"");
        assertThat(run("trainer4j delete led")).isZero();
    }

    @Test
    void ctrlCWhileInitializersRunCancelsAndCleansUp() throws Exception {
        try (FakeHub hub = FakeHub.start()) {
            hub.dataset("org/data").file("a.bin", new byte[1 << 20]);
            hub.inject(Fault.stallAfter(1000));
            Process process = start("exec trainer4j train --name led --dataset hf://org/data --dataset-option endpoint="
                    + hub.endpoint() + " -- true");
            assertThat(hub.awaitStalled(1, Duration.ofSeconds(30))).isTrue();
            interrupt(process);
            assertThat(process.exitValue()).as(err()).isEqualTo(130);
            assertThat(err()).contains("Cancelling led.", "Removed job led.");
            assertThat(run("trainer4j get led")).isEqualTo(5);
        }
    }

    @Test
    void onATerminalCtrlCAsksOnce() throws Exception {
        try (FakeHub hub = FakeHub.start()) {
            hub.dataset("org/data").file("a.bin", new byte[1 << 20]);
            hub.inject(Fault.stallAfter(1000));
            Process process =
                    start("exec script -qfec 'stty cols 20; trainer4j train --name led --dataset hf://org/data"
                            + " --dataset-option endpoint=" + hub.endpoint() + " -- true' /dev/null");
            assertThat(hub.awaitStalled(1, Duration.ofSeconds(30))).isTrue();
            process.getOutputStream().write(3);
            process.getOutputStream().flush();
            awaitIn("out", "[y/N]");
            assertThat(process.isAlive()).isTrue();
            process.getOutputStream().write(3);
            process.getOutputStream().flush();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
            assertThat(out()).contains("Removed job led.");
            assertThat(out().lines().filter(line -> line.contains("dataset-initializer")))
                    .allMatch(
                            line -> line.replaceAll("\u001b\\[[0-9]*[A-Z]", "").length() < 400);
        }
    }

    @Test
    void listingOnLocalLoadsNoClassOfOtherBackends() throws Exception {
        assertThat(run("TRAINER4J_JAVA_OPTIONS=-Xlog:class+load:file=classes.log trainer4j list"))
                .isZero();
        assertThat(Files.readString(directory.resolve("classes.log")))
                .contains("io.github.trainer4j.local.LocalBackend")
                .doesNotContain("com.github.dockerjava", "io.fabric8", "software.amazon.awssdk")
                .contains(
                        "io.github.trainer4j.client.TrainerClient source: shared objects file",
                        "picocli.CommandLine source: shared objects file");
    }

    private void interrupt(Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    private void await(String text) throws Exception {
        awaitIn("err", text);
    }

    private void awaitIn(String file, String text) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!Files.readString(directory.resolve(file)).contains(text)) {
            assertThat(System.nanoTime())
                    .as(() -> text + " in time, but there is " + read(file))
                    .isLessThan(end);
            Thread.sleep(50);
        }
    }

    private String read(String file) {
        try {
            return Files.readString(directory.resolve(file));
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }
}
