package io.github.trainer4j.api.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.json.Fields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StateTest {
    private static final Failure FAILURE = new Failure(
            Optional.of("node-1"),
            Cause.EXIT_CODE,
            "exited with 3",
            OptionalInt.of(3),
            List.of("last", "lines"),
            List.of(Failure.of(Cause.STOPPED, "stopped too")));

    @TempDir
    Path directory;

    @Test
    void ofManyThatWriteOnceExactlyOneSucceedsAndNoLitterStays() throws Exception {
        Path file = directory.resolve("once");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Boolean>> writers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String text = "writer " + i;
                writers.add(() -> StateFiles.writeOnce(file, text));
            }
            int winners = 0;
            for (Future<Boolean> written : threads.invokeAll(writers)) {
                winners += written.get() ? 1 : 0;
            }

            assertThat(winners).isEqualTo(1);
            assertThat(StateFiles.read(file).orElseThrow()).startsWith("writer ");
            assertThat(list()).containsExactly(file);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void anInterruptedThreadWritesAllTheSame() throws IOException {
        Path file = directory.resolve("file");
        Thread.currentThread().interrupt();
        try {
            StateFiles.write(file, "text");
            StateFiles.writeOnce(directory.resolve("once"), "text");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(StateFiles.read(file)).contains("text");
    }

    @Test
    void whatIsNotThereIsEmpty() throws IOException {
        assertThat(StateFiles.read(directory.resolve("absent"))).isEmpty();
        assertThat(StateFiles.changed(directory.resolve("absent"))).isEmpty();
    }

    @Test
    void aCauseIsReadAsItWasWrittenAndTheFirstStays() throws IOException {
        Path file = directory.resolve("cause.json");
        Cause cause = new Cause(Instant.parse("2026-11-30T12:00:00.123Z"), FAILURE);

        assertThat(Cause.read(file)).isEmpty();
        cause.write(file);
        new Cause(Instant.EPOCH, Failure.of("Other", "later")).write(file);

        assertThat(Cause.read(file)).contains(cause);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{\"at\":\"2026-11-30T12:00:00Z\"}",
                "{\"at\":\"never\",\"failure\":{\"reason\":\"a\",\"message\":\"b\"}}",
                "{\"at\":\"2026-11-30T12:00:00Z\",\"failure\":{\"reason\":\" \",\"message\":\"b\"}}",
                "{\"at\":\"2026-11-30T12:00:00Z\",\"failure\":{\"reason\":\"a\",\"message\":\"b\",\"exitCode\":4294967296}}"
            })
    void aDamagedCauseIsACauseAllTheSame(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("cause.json"), text);

        assertThat(Cause.read(file).orElseThrow().failure().reason()).isEqualTo(Cause.STOPPED);
    }

    @Test
    void aTreeIsRemovedWithProtectedDirectoriesAndWithoutWhatLinksLeadTo() throws IOException {
        Path kept = Files.writeString(directory.resolve("kept"), "kept");
        Path tree = Files.createDirectories(directory.resolve("tree"));
        Path inner = Files.createDirectories(tree.resolve("inner/deeper"));
        Files.writeString(inner.resolve("file"), "text");
        Files.createSymbolicLink(tree.resolve("link"), kept);
        Files.setPosixFilePermissions(inner, PosixFilePermissions.fromString("---------"));
        List<String> problems = new ArrayList<>();

        FileTree.remove(tree, problems);

        assertThat(problems).isEmpty();
        assertThat(list()).containsExactly(kept);
    }

    @ParameterizedTest
    @CsvSource({
        "1, exited with 1",
        "126, exited with 126: its program could not be executed",
        "127, exited with 127: a program was not found",
        "137, 'was ended by SIGKILL, as the kernel does to a process when memory runs out'",
        "143, was ended by SIGTERM",
        "255, exited with 255"
    })
    void exitCodesAreToldInWords(int code, String words) {
        assertThat(ExitCodes.describe(code)).isEqualTo(words);
    }

    @Test
    void aFieldOfAnotherTypeIsAnErrorThatNamesIt() {
        Fields fields =
                Fields.parse("{\"text\":1,\"number\":1.5,\"small\":4294967296,\"time\":\"noon\",\"none\":null}");

        assertThatThrownBy(() -> fields.text("text")).hasMessageContaining("text is no String");
        assertThatThrownBy(() -> fields.number("number")).hasMessageContaining("number is not a whole number");
        assertThatThrownBy(() -> fields.smallNumber("small")).hasMessageContaining("small is too large");
        assertThatThrownBy(() -> fields.time("time")).hasMessageContaining("time is not a time");
        assertThatThrownBy(() -> fields.need("none")).hasMessageContaining("no none");
        assertThat(fields.text("none")).isEmpty();
    }

    private List<Path> list() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
