package io.github.trainer4j.transfer;

import static io.github.trainer4j.transfer.MemorySource.stallAfter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Downloads that are interrupted, and several at once. */
class TransferTogetherTest {
    private static final Surroundings NO_LOCKS = new Surroundings(
            Downloads.HERE.budget(),
            (channel, wait) -> {
                throw new IOException("No locks available");
            },
            Downloads.HERE.freeSpace(),
            Downloads.HERE.folding());

    @TempDir
    Path directory;

    private final MemorySource source = new MemorySource();

    @AfterEach
    void noThreadIsLeft() {
        assertThat(Downloads.threads()).isEmpty();
    }

    @Test
    void anInterruptEndsItAtOnceWhateverItHangsIn() throws Exception {
        source.file("a", MemorySource.random(50_000)).always(stallAfter(10));
        TransferSettings patient = Downloads.QUICK.withStallTimeout(Duration.ofMinutes(5));
        CompletableFuture<Throwable> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                Downloads.fetch(source, directory, patient, Downloads.HERE);
                result.complete(null);
            } catch (Throwable e) {
                result.complete(e);
            }
        });
        thread.start();
        await(() -> source.requests.size() == Downloads.QUICK.connections());

        long start = System.nanoTime();
        thread.interrupt();
        Throwable end = result.get(60, TimeUnit.SECONDS);

        assertThat(end).isInstanceOf(InterruptedException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        assertThat(source.aborted).isTrue();
        assertThat(Downloads.threads()).isEmpty();
        assertThat(Downloads.files(directory)).isEmpty();
    }

    @Test
    void anInterruptThatIsThereBeforehandEndsItToo() {
        source.file("a", "text");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Downloads.fetch(source, directory)).isInstanceOf(InterruptedException.class);

        assertThat(Thread.interrupted()).isFalse();
        assertThat(Downloads.threads()).isEmpty();
    }

    @Test
    void anInterruptWhileOurOwnFilesAreWrittenEndsItAndHarmsNothing() throws Exception {
        Thread caller = Thread.currentThread();
        source.put("only/a/marker/", new byte[0], java.util.Optional.empty(), java.util.Optional.empty());
        Surroundings interrupting = new Surroundings(
                Downloads.HERE.budget(),
                Downloads.HERE.locking(),
                own -> {
                    caller.interrupt();
                    return Downloads.HERE.freeSpace().at(own);
                },
                Downloads.HERE.folding());

        assertThatThrownBy(() -> Downloads.fetch(source, directory, Downloads.QUICK, interrupting))
                .isInstanceOf(InterruptedException.class);

        assertThat(Thread.interrupted()).isFalse();
        Downloads.fetch(source, directory);
        assertThat(directory.resolve("only/a/marker")).isDirectory();
    }

    @Test
    void anInterruptedDownloadIsGoneOnWith() throws Exception {
        byte[] bytes = MemorySource.random(20_000);
        source.file("a", bytes)
                .always((from, file, start, end) ->
                        start < 12_000 ? null : stallAfter(10).answer(from, file, start, end));
        Thread thread = new Thread(() -> {
            try {
                Downloads.fetch(
                        source, directory, Downloads.QUICK.withStallTimeout(Duration.ofMinutes(5)), Downloads.HERE);
            } catch (IOException | InterruptedException e) {
                // As intended.
            }
        });
        thread.start();
        await(() -> source.requests.size() == 12 + Downloads.QUICK.connections());
        thread.interrupt();
        thread.join();
        MemorySource again = new MemorySource().file("a", bytes);

        Downloads.fetch(again, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
        assertThat(again.requests).hasSize(8).allMatch(request -> request.from() >= 12_000);
    }

    @Test
    void aSourceThatCannotBeAbortedDoesNotHoldUpTheInterrupt() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        source.file("a", "text").always((from, file, start, end) -> {
            while (release.getCount() > 0) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    // Deaf on purpose.
                }
            }
            return null;
        });
        CompletableFuture<Throwable> result = new CompletableFuture<>();
        RecordingContext context = new RecordingContext();
        Thread thread = new Thread(() -> {
            try {
                new Download(source, Downloads.QUICK, Downloads.HERE, new Report(context)).into(directory);
                result.complete(null);
            } catch (Throwable e) {
                result.complete(e);
            }
        });
        thread.start();
        await(() -> source.requests.size() == 1);

        thread.interrupt();

        assertThat(result.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(context.log()).contains("1 threads hang in a request of the source and are left behind");
        release.countDown();
        await(() -> Downloads.threads().isEmpty());
    }

    @Test
    void aSecondDownloadIntoTheSameDirectoryWaitsAndFindsTheFilesThere() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        source.file("a", MemorySource.random(5000)).always((from, file, start, end) -> {
            go.await();
            return null;
        });
        CompletableFuture<RecordingContext> first = inBackground(source);
        await(() -> !source.requests.isEmpty());
        MemorySource same = new MemorySource().file("a", MemorySource.random(5000));
        RecordingContext waiting = new RecordingContext();
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> {
            try {
                new Download(same, Downloads.QUICK, Downloads.HERE, new Report(waiting)).into(directory);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        await(() -> waiting.log().contains("waiting for another download into the same directory"));

        go.countDown();
        first.get(60, TimeUnit.SECONDS);
        second.get(60, TimeUnit.SECONDS);

        assertThat(same.requests).isEmpty();
        assertThat(waiting.log()).contains("already");
    }

    @Test
    void theWaitForAnotherDownloadCanBeInterrupted() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        source.file("a", "text").always((from, file, start, end) -> {
            go.await();
            return null;
        });
        CompletableFuture<RecordingContext> first = inBackground(source);
        await(() -> !source.requests.isEmpty());
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Downloads.fetch(new MemorySource().file("a", "text"), directory))
                .isInstanceOf(InterruptedException.class);

        go.countDown();
        first.get(60, TimeUnit.SECONDS);
    }

    @Test
    void withoutLocksADownloadWorksAndSaysSo() throws Exception {
        source.file("a", MemorySource.random(5000));

        RecordingContext context = Downloads.fetch(source, directory, Downloads.QUICK, NO_LOCKS);

        assertThat(directory.resolve("a")).hasBinaryContent(MemorySource.random(5000));
        assertThat(context.log()).contains("warning: the file system has no locks (No locks available)");
        assertThat(Downloads.own(directory)).containsExactly("complete.json", "lock");
    }

    @Test
    void withoutLocksTwoProcessesAtOnceDoNotHarmEachOther() throws Exception {
        List<Process> processes = List.of(lockless(), lockless());

        for (Process process : processes) {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(processes).extracting(Process::exitValue).containsExactly(0, 0);
        assertThat(directory.resolve("a")).hasBinaryContent(MemorySource.random(40_000));
        assertThat(Downloads.own(directory)).containsExactly("complete.json", "lock");
    }

    private Process lockless() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Lockless.class.getName(),
                        directory.toString())
                .inheritIO()
                .start();
    }

    /** A download in a process of its own that takes about a second, on a file system that has no locks, it thinks. */
    static final class Lockless {
        private Lockless() {}

        public static void main(String[] args) throws Exception {
            MemorySource slow = new MemorySource().file("a", MemorySource.random(40_000));
            slow.always((from, file, start, end) -> {
                Thread.sleep(200);
                return null;
            });
            Downloads.fetch(slow, Path.of(args[0]), Downloads.QUICK, NO_LOCKS);
        }
    }

    private static CompletableFuture<Void> download(
            MemorySource source, Path target, Surroundings surroundings, String name) {
        return CompletableFuture.runAsync(() -> {
            try {
                Downloads.fetch(source, target, Downloads.QUICK, surroundings);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(name, e);
            }
        });
    }

    @Test
    void whatDownloadsWithoutLocksLeftLongAgoIsSweptAway() throws Exception {
        Path old = Files.createDirectories(directory.resolve(".trainer4j/run-old"));
        Files.writeString(old.resolve("x.part"), "x");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(3))));
        Path live = Files.createDirectories(directory.resolve(".trainer4j/run-live"));
        source.file("a", "text");

        Downloads.fetch(source, directory);

        assertThat(old).doesNotExist();
        assertThat(live).exists();
    }

    @Test
    void aFileThatSomebodyChangesMeanwhileIsNotCalledComplete() {
        source.file("a", "first").file("b", MemorySource.random(3000)).always((from, file, start, end) -> {
            if (file.path().equals("b") && start == 2000) {
                Files.writeString(directory.resolve("a"), "somebody else's");
            }
            return null;
        });

        assertThatThrownBy(() -> Downloads.fetch(source, directory, Downloads.QUICK.withConnections(1), Downloads.HERE))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("somebody changed")
                .hasMessageContaining("have one download at a time write there");

        assertThat(directory.resolve(".trainer4j/complete.json")).doesNotExist();
    }

    @Test
    void allDownloadsTogetherKeepWithinTheBudgetOfConnections() throws Exception {
        Surroundings three = new Surroundings(
                new ConnectionBudget(3),
                Downloads.HERE.locking(),
                Downloads.HERE.freeSpace(),
                Downloads.HERE.folding());
        source.file("a", MemorySource.random(30_000)).always((from, file, start, end) -> {
            RemoteBody body = from.body(file, start, end, start, java.util.OptionalLong.empty());
            Thread.sleep(5);
            return body;
        });
        Path one = Files.createDirectory(directory.resolve("one"));
        Path two = Files.createDirectory(directory.resolve("two"));

        CompletableFuture<Void> first = download(source, one, three, "one");
        CompletableFuture<Void> second = download(source, two, three, "two");
        first.get(60, TimeUnit.SECONDS);
        second.get(60, TimeUnit.SECONDS);

        assertThat(source.mostOpen.get()).isBetween(2, 3);
        assertThat(source.openNow).hasValue(0);
    }

    private CompletableFuture<RecordingContext> inBackground(MemorySource from) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return Downloads.fetch(from, directory);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private interface Condition {
        boolean isMet() throws Exception;
    }

    private static void await(Condition condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.isMet()) {
            assertThat(System.nanoTime()).as("the deadline").isLessThan(deadline);
            Thread.sleep(2);
        }
    }
}
