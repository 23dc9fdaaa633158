package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.container.JobRecord.StepRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobStoreTest {
    @TempDir
    Path work;

    private JobStore store;

    @BeforeEach
    void make() {
        store = new JobStore(work);
    }

    @Test
    void theWorkspaceLiesWhereThePythonSdkHasIt() {
        JobDirectory directory = store.claim(record("a"));

        assertThat(directory.workspace())
                .isEqualTo(work.resolve("containers/a"))
                .isDirectory();
        assertThat(store.find("a")).hasValue(directory);
        assertThat(store.all()).containsExactly(directory);
        assertThat(Sightings.record(directory)).hasValue(record("a"));
    }

    @Test
    void everyUserOfAContainerMayWriteThereAndNobodyElseComesThatFar() throws IOException {
        JobDirectory directory = store.claim(record("a"));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.workspace())))
                .isEqualTo("rwxrwxrwx");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(work.resolve("containers"))))
                .isEqualTo("rwx------");
    }

    @Test
    void ofManyAtOnceOneGetsTheName() throws Exception {
        int many = 16;
        CyclicBarrier barrier = new CyclicBarrier(many);
        ExecutorService pool = Executors.newFixedThreadPool(many);
        List<Future<Boolean>> claims = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            claims.add(pool.submit(() -> {
                barrier.await();
                try {
                    new JobStore(work).claim(record("same"));
                    return true;
                } catch (InvalidJobException e) {
                    return false;
                }
            }));
        }
        int won = 0;
        for (Future<Boolean> claim : claims) {
            won += claim.get() ? 1 : 0;
        }
        pool.shutdown();

        assertThat(won).isEqualTo(1);
        try (var entries = Files.list(work.resolve("containers/.trainer4j"))) {
            assertThat(entries)
                    .extracting(Path::getFileName)
                    .extracting(Path::toString)
                    .containsExactly("same");
        }
    }

    @Test
    void aDirectoryThatIsThereAlreadyIsLeftAlone() throws IOException {
        Path precious = work.resolve("containers/a");
        Files.createDirectories(precious);
        Files.writeString(precious.resolve("checkpoint"), "precious");

        assertThatThrownBy(() -> store.claim(record("a")))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining(precious.toString());
        assertThat(precious.resolve("checkpoint")).hasContent("precious");
        assertThat(store.all()).isEmpty();
    }

    @Test
    void aJobWhoseWorkspaceSomebodyRemovedIsGoneAndItsNameFree() throws IOException {
        JobDirectory directory = store.claim(record("a"));
        Files.delete(directory.workspace());

        assertThat(store.find("a")).isEmpty();
        assertThat(store.all()).isEmpty();
        assertThat(store.claim(record("a")).workspace()).isDirectory();
    }

    @Test
    void aNameThatIsAPathIsNoJob() {
        store.claim(record("a"));

        assertThat(store.find("../a")).isEmpty();
        assertThat(store.find("")).isEmpty();
    }

    @Test
    void aWorkDirectoryThatCannotBeWrittenIsToldAsSuch() throws IOException {
        Path file = Files.writeString(work.resolve("file"), "");

        assertThatThrownBy(() -> new JobStore(file).claim(record("a")))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("another work directory");
    }

    @Test
    void nothingIsLeftOfAStateThatWasRemoved() throws IOException {
        JobDirectory directory = store.claim(record("a"));
        List<String> problems = new ArrayList<>();

        store.removeState(directory, problems);

        assertThat(problems).isEmpty();
        try (var entries = Files.list(work.resolve("containers/.trainer4j"))) {
            assertThat(entries).isEmpty();
        }
    }

    @Test
    void whatKilledClientsLeftIsRemovedWhenAnotherJobIsMade() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path states = Files.createDirectories(work.resolve("containers/.trainer4j"));
        Files.createDirectories(states.resolve(".new-" + dead.pid() + "-1/steps"));
        Files.createDirectories(states.resolve(".deleted-b-1/steps"));
        Path busy = Files.createDirectory(
                states.resolve(".new-" + ProcessHandle.current().pid() + "-1"));

        JobDirectory made = store.claim(record("a"));

        try (var entries = Files.list(states)) {
            assertThat(entries).containsExactlyInAnyOrder(made.state(), busy);
        }
    }

    static JobRecord record(String name) {
        return new JobRecord(
                name,
                "uid-" + name,
                "docker",
                "unix:///x",
                "torch",
                Instant.parse("2026-11-30T12:00:00Z"),
                Optional.empty(),
                Duration.ofSeconds(10),
                1,
                Map.of(),
                Map.of(),
                "/work/" + name,
                Optional.empty(),
                LauncherIdentity.self(),
                List.of(),
                new StepRecord("node", Optional.of("n:1"), List.of(), Optional.empty(), Optional.empty()));
    }
}
