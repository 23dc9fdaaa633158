package io.github.trainer4j.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts and their packages; needs a Python interpreter with pip, but no network. */
class PythonTest {
    private Bench bench;
    private Backend backend;

    @BeforeEach
    void open(@TempDir Path work) {
        bench = new Bench(work);
        assumeTrue(
                new Host(System.getenv(), Path.of("/dev"), Optional.empty())
                        .find("python3", System.getenv())
                        .isPresent(),
                "there is no python3");
        backend = bench.backend();
    }

    @AfterEach
    void close() throws InterruptedException {
        bench.close();
    }

    private TrainJob run(CustomTrainer trainer) throws InterruptedException {
        return Bench.run(
                backend,
                TrainJobRequest.builder().runtime(Bench.PLAIN).trainer(trainer).build());
    }

    @Test
    void aScriptRunsWithItsArguments() throws Exception {
        TrainJob job = run(
                CustomTrainer.source("train.py", "import sys, os\nprint(sys.argv[1:], os.path.basename(sys.argv[0]))")
                        .args("", "a b", "$HOME"));

        assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.COMPLETE);
        assertThat(LogsTest.lines(backend, job.name(), LogQuery.all()))
                .containsExactly("['', 'a b', '$HOME'] train.py");
    }

    @Test
    void whatAScriptPrintsIsInTheLogAtOnce() throws Exception {
        TrainJob job = backend.train(
                TrainJobRequest.builder()
                        .runtime(Bench.PLAIN)
                        .trainer(CustomTrainer.source("train.py", "import time\nprint('first')\ntime.sleep(600)"))
                        .build(),
                io.github.trainer4j.api.ProgressListener.none());
        try (var stream = backend.logs(job.name(), LogQuery.all().following())) {
            assertThat(stream.next().orElseThrow().text()).isEqualTo("first");
        }
    }

    @Test
    void packagesAreInstalledForTheJobAloneAndThoseOfTheHostStay() throws Exception {
        Path wheel = wheel("trainer4j_toy", "1.0", "answer = 42\n");

        TrainJob job = run(CustomTrainer.source(
                        "train.py",
                        "import sys, trainer4j_toy\nprint(trainer4j_toy.answer, trainer4j_toy.__file__)\nimport pip\nprint('pip')")
                .packagesToInstall("trainer4j-toy @ " + wheel.toUri()));

        assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.COMPLETE);
        assertThat(job.step("python-environment").orElseThrow().status()).isEqualTo(JobStatus.COMPLETE);
        assertThat(LogsTest.lines(backend, job.name(), LogQuery.step("node-0")))
                .hasSize(2)
                .satisfies(lines -> assertThat(lines.get(0))
                        .startsWith("42 " + bench.jobs().resolve(job.name()).resolve("python")));
        backend.delete(job.name());
        assertThat(bench.jobs()).isEmptyDirectory();
    }

    @Test
    void aPackageThatCannotBeInstalledFailsTheJobWithPipsWords() throws Exception {
        TrainJob job = run(CustomTrainer.source("train.py", "print('never')")
                .packagesToInstall("trainer4j-toy @ file:///no/such/wheel-1.0-py3-none-any.whl"));

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.failure().orElseThrow().step()).hasValue("python-environment");
        assertThat(job.failure().orElseThrow().message()).contains("pip");
        assertThat(String.join("\n", job.failure().orElseThrow().logTail())).contains("/no/such/wheel");
        assertThat(job.step("node-0").orElseThrow().startTime()).isEmpty();
    }

    @Test
    void anAddressOfAnIndexKeepsItsPasswordToItself() throws Exception {
        String canary = "pw-5d2c8f1a";
        TrainJob job = run(CustomTrainer.source("train.py", "pass")
                .packagesToInstall("trainer4j-no-such-package")
                .pipIndexUrls(
                        "http://user:" + canary + "@127.0.0.1:9/simple", "http://u:" + canary + "@127.0.0.1:9/more")
                .env("PIP_RETRIES", "0"));

        assertThat(job.status()).isEqualTo(JobStatus.FAILED);
        assertThat(job.toString()).contains("***@127.0.0.1").doesNotContain(canary);
        try (var files = Files.walk(bench.jobs())) {
            assertThat(files.filter(Files::isRegularFile))
                    .allSatisfy(file -> assertThat(file)
                            .content(StandardCharsets.ISO_8859_1)
                            .doesNotContain(canary));
        }
    }

    @Test
    void theHostTellsWhatIsInstalled() throws Exception {
        assertThat(backend.runtimePackages(Bench.TORCH)).contains("Python 3", "pip==", "GPUs");
    }

    /** Makes a package by hand, as no index is asked. */
    private Path wheel(String name, String version, String source) throws Exception {
        Path file = bench.work.resolve(name + "-" + version + "-py3-none-any.whl");
        String info = name + "-" + version + ".dist-info/";
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put(name + ".py", source);
        entries.put(
                info + "METADATA",
                "Metadata-Version: 2.1\nName: " + name.replace('_', '-') + "\nVersion: " + version + "\n");
        entries.put(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
        entries.put(
                info + "RECORD", name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return file;
    }
}
