package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.ProgressEvent;
import io.github.trainer4j.api.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The part of the contract of initializers about the fetch itself. */
interface FetchContract {
    private static void assumeItFetches(FetchBench bench) {
        assumeThat(bench.under().fetches()).as("it fetches within a JVM").isTrue();
    }

    @Test
    default void thereIsAFetcherWhereItSaysSo(FetchBench bench) {
        assertThat(bench.create().fetcher().isPresent()).isEqualTo(bench.under().fetches());
    }

    @Test
    default void anEmptyDirectoryGetsAllFilesAndNothingElse(FetchBench bench) throws Exception {
        assumeItFetches(bench);
        assertThat(bench.under().files()).as("files to expect").isNotEmpty();
        Path directory = bench.directory("dataset");

        bench.fetch(directory);

        bench.hasAllAndNothingElse(directory);
        try (Stream<Path> around = Files.list(bench.targets())) {
            assertThat(around).as("nothing is written outside of the directory").containsExactly(directory);
        }
    }

    @Test
    default void everyTargetGetsItsFiles(FetchBench bench) throws Exception {
        assumeItFetches(bench);
        for (InitializerTarget target : bench.under().targets()) {
            Path directory = bench.directory(target.directory());

            bench.fetch(bench.under().spec(target), directory);

            assertThat(FetchBench.times(directory))
                    .as("the files of the " + target)
                    .isNotEmpty();
        }
    }

    @Test
    default void progressReachesTheWhole(FetchBench bench) throws Exception {
        assumeItFetches(bench);
        long size = bench.under().files().values().stream()
                .mapToLong(content -> content.length)
                .sum();

        List<ProgressEvent> progress = bench.fetch(bench.directory("dataset")).progress();

        assertThat(progress).as("what is reported on the way").isNotEmpty();
        ProgressEvent last = progress.get(progress.size() - 1);
        assertThat(last.bytesDone()).isEqualTo(size);
        assertThat(last.bytesTotal()).hasValue(size);
        assertThat(progress)
                .allMatch(event -> event.bytesDone() <= event.bytesTotal().orElse(Long.MAX_VALUE));
    }

    @Test
    default void aSecondFetchLeavesTheFilesAsTheyAre(FetchBench bench) throws Exception {
        assumeItFetches(bench);
        Path directory = bench.directory("dataset");
        bench.fetch(directory);
        Map<String, FileTime> before = FetchBench.times(directory);

        bench.fetch(directory);

        bench.hasAllAndNothingElse(directory);
        assertThat(FetchBench.times(directory)).as("times of last change").isEqualTo(before);
    }

    @Test
    default void aMissingFileIsFetchedAgain(FetchBench bench) throws Exception {
        heals(bench, Files::delete);
    }

    @Test
    default void aTruncatedFileIsFetchedAgain(FetchBench bench) throws Exception {
        heals(bench, file -> {
            byte[] content = Files.readAllBytes(file);
            Files.write(file, Arrays.copyOf(content, content.length / 2));
        });
    }

    @Test
    default void aFileWithOtherBytesIsFetchedAgain(FetchBench bench) throws Exception {
        heals(bench, file -> {
            byte[] content = Files.readAllBytes(file);
            content[content.length / 2] ^= 1;
            Files.write(file, content);
            // Whoever looks at times must be able to see it, however coarse the clock of the file system is.
            Files.setLastModifiedTime(
                    file,
                    FileTime.from(Files.getLastModifiedTime(file).toInstant().plusSeconds(5)));
        });
    }

    private static void heals(FetchBench bench, Damage damage) throws Exception {
        assumeItFetches(bench);
        Path directory = bench.directory("dataset");
        bench.fetch(directory);
        String victim = bench.under().files().entrySet().stream()
                .filter(file -> file.getValue().length > 0)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no file to expect has any content"));
        damage.on(directory.resolve(victim));

        bench.fetch(directory);

        bench.hasAllAndNothingElse(directory);
    }

    /** Does something bad to a file. */
    @FunctionalInterface
    interface Damage {
        void on(Path file) throws IOException;
    }

    @Test
    default void twoFetchesAtOnceDoNotDisturbEachOther(FetchBench bench) throws Exception {
        assumeItFetches(bench);
        List<Path> directories = List.of(bench.directory("one"), bench.directory("other"));
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Path directory : directories) {
            threads.add(new Thread(
                    () -> {
                        try {
                            bench.fetch(directory);
                        } catch (IOException | InterruptedException | RuntimeException e) {
                            failures.add(e);
                        }
                    },
                    "contract-fetch"));
        }

        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failures).isEmpty();
        for (Path directory : directories) {
            bench.hasAllAndNothingElse(directory);
        }
    }

    @Test
    default void afterAFailureTheNextFetchBelievesNothingThatIsNotTrue(FetchBench bench) throws Exception {
        assumeItFetches(bench);
        assumeThat(bench.under().fails()).as("a way to make a fetch fail").isPresent();
        Path directory = bench.directory("dataset");
        bench.under().fails().orElseThrow().run();

        assertThatThrownBy(() -> bench.fetch(directory))
                .isInstanceOfAny(InitializerException.class, IOException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .isNotBlank();
        for (String file : FetchBench.times(directory).keySet()) {
            assertThat(directory.resolve(file))
                    .as("a file that stands under its name is whole")
                    .hasBinaryContent(bench.under().files().getOrDefault(file, new byte[0]));
        }

        bench.fetch(directory);

        bench.hasAllAndNothingElse(directory);
    }

    @Test
    default void anInterruptEndsAFetchAtOnce(FetchBench bench) throws Exception {
        assumeItFetches(bench);
        assumeThat(bench.under().hangs()).as("a way to make a fetch hang").isPresent();
        Path directory = bench.directory("dataset");
        BooleanSupplier hanging = bench.hanging();
        bench.under().hangs().orElseThrow().run();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread fetching = new Thread(
                () -> {
                    try {
                        bench.fetch(directory);
                    } catch (IOException | InterruptedException | RuntimeException e) {
                        thrown.set(e);
                    }
                },
                "contract-fetch");

        fetching.start();
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!hanging.getAsBoolean() && fetching.isAlive() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        assertThat(fetching.isAlive())
                .as("the fetch hangs; it ended with " + thrown.get())
                .isTrue();
        fetching.interrupt();
        fetching.join(Duration.ofSeconds(10).toMillis());

        assertThat(fetching.isAlive())
                .as("the fetch goes on after the interrupt")
                .isFalse();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);

        bench.fetch(directory);

        bench.hasAllAndNothingElse(directory);
    }

    @Test
    default void aFetchLogsNoSecret(FetchBench bench) throws Exception {
        assumeItFetches(bench);
        assumeThat(bench.under().secretOption())
                .as("an option that takes a secret")
                .isPresent();
        Path directory = bench.directory("dataset");

        List<String> log = bench.fetch(
                        bench.under()
                                .spec()
                                .secret(bench.under().secretOption().orElseThrow(), Secret.of("canary-secret")),
                        directory)
                .log();

        assertThat(log).noneMatch(line -> line.contains("canary-secret"));
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as("what is in " + file)
                        .doesNotContain("canary-secret");
            }
        }
    }
}
