package io.github.trainer4j.transfer;

import static io.github.trainer4j.transfer.MemorySource.corrupting;
import static io.github.trainer4j.transfer.MemorySource.cutAfter;
import static io.github.trainer4j.transfer.MemorySource.failing;
import static io.github.trainer4j.transfer.MemorySource.ignoringRanges;
import static io.github.trainer4j.transfer.MemorySource.stallAfter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLHandshakeException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a source can do to a download, and how it ends: with the right bytes, or with an error and no file. */
class TransferFaultTest {
    @TempDir
    Path directory;

    private final MemorySource source = new MemorySource();
    private final byte[] bytes = MemorySource.random(10_500);

    @AfterEach
    void noThreadIsLeft() {
        assertThat(Downloads.threads()).isEmpty();
    }

    @Test
    void anAnswerThatBreaksOffIsGoneOnWithFromThere() throws Exception {
        source.file("a", bytes).times(4, cutAfter(600));

        RecordingContext context = Downloads.fetch(source, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
        assertThat(source.bytesRequested()).isLessThan(10_500 + 4 * 400 + 1);
        assertThat(context.log())
                .contains("'a': IOException (the answer broke off at byte")
                .contains("(try 2 of 6)");
    }

    @Test
    void whatAlwaysBreaksOffFailsAndLeavesNoFile() throws Exception {
        source.file("a", bytes).always((from, file, start, end) -> {
            // Never gets beyond the middle of the file.
            long middle = Math.min(end, 5250);
            return start >= middle
                    ? from.body(file, start, start, start, OptionalLong.empty())
                    : from.body(file, start, middle, start, OptionalLong.empty());
        });

        fails("Network", () -> Downloads.fetch(source, directory)).hasMessageContaining("after 6 tries");

        assertThat(Downloads.files(directory)).isEmpty();
        assertThat(directory.resolve(".trainer4j/complete.json")).doesNotExist();
    }

    @Test
    void theNextRunGoesOnFromThePiecesThatAreThere() throws Exception {
        source.file("a", bytes).always((from, file, start, end) -> {
            if (start == 3000) {
                throw new ConnectException("refused");
            }
            return null;
        });
        fails("Network", () -> Downloads.fetch(source, directory, Downloads.QUICK.withConnections(1), Downloads.HERE));
        assertThat(Downloads.own(directory)).anyMatch(name -> name.endsWith(".part"));
        MemorySource healed = new MemorySource().file("a", bytes);

        RecordingContext context = Downloads.fetch(healed, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
        assertThat(healed.requests).noneMatch(request -> request.from() < 3000);
        assertThat(healed.requests).hasSize(8);
        assertThat(context.last().done()).isEqualTo(10_500);
    }

    @Test
    void aPieceThatTheDiskLostIsFetchedAgain() throws Exception {
        source.file("a", bytes).always((from, file, start, end) -> {
            if (start == 3000) {
                throw new ConnectException("refused");
            }
            return null;
        });
        fails("Network", () -> Downloads.fetch(source, directory, Downloads.QUICK.withConnections(1), Downloads.HERE));
        String part = Downloads.own(directory).stream()
                .filter(name -> name.endsWith(".part"))
                .findFirst()
                .orElseThrow();
        try (var channel = java.nio.channels.FileChannel.open(
                directory.resolve(".trainer4j").resolve(part), java.nio.file.StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.wrap(new byte[20]), 1500);
        }
        MemorySource healed = new MemorySource().file("a", bytes);

        Downloads.fetch(healed, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
        assertThat(healed.requests)
                .extracting(MemorySource.Request::from)
                .contains(1000L)
                .doesNotContain(0L, 2000L);
    }

    @Test
    void aPartThatIsWholeNeedsNoRequestAtAll() throws Exception {
        source.file("a", bytes);
        Path run = wholePart(bytes);

        Downloads.fetch(source, directory);

        assertThat(source.requests).isEmpty();
        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
        assertThat(run).doesNotExist();
    }

    @Test
    void aPartThatIsTooLongIsCutToItsSize() throws Exception {
        source.file("a", bytes);
        byte[] longer = java.util.Arrays.copyOf(bytes, 12_000);
        wholePart(longer);

        Downloads.fetch(source, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
    }

    /** Lays what a download leaves that was killed between its last byte and the move of the file. */
    private Path wholePart(byte[] content) throws Exception {
        RemoteFile file = source.resolve(null).files().get(0);
        String name = Part.name(file, file.digest().orElseThrow().toString(), 1000);
        Path run = java.nio.file.Files.createDirectories(directory.resolve(".trainer4j/run"));
        java.nio.file.Files.write(run.resolve(name), content);
        try (Journal journal = Journal.start(run, java.util.List.of(), java.util.Map.of())) {
            for (int piece = 0; piece * 1000 < bytes.length; piece++) {
                var crc = new java.util.zip.CRC32C();
                crc.update(bytes, piece * 1000, Math.min(1000, bytes.length - piece * 1000));
                journal.finished(name, piece, (int) crc.getValue());
            }
        }
        return run;
    }

    @Test
    void aDamagedByteIsFoundAndTheFileFetchedAgain() throws Exception {
        source.file("a", bytes).times(3, corrupting(700));

        RecordingContext context = Downloads.fetch(source, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
        assertThat(context.log()).contains("'a' arrived damaged: its digest is sha256:");
    }

    @Test
    void whatAlwaysArrivesDamagedFailsAndLeavesNoFile() throws Exception {
        source.file("a", bytes).always(corrupting(700));

        fails("Corrupt", () -> Downloads.fetch(source, directory))
                .hasMessageContaining("'a'")
                .hasMessageContaining("twice");

        assertThat(Downloads.files(directory)).isEmpty();
    }

    @Test
    void aGitDigestIsCheckedToo() throws Exception {
        byte[] hello = "hello\n".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        // git hash-object
        Digest right = new Digest(Digest.Algorithm.GIT_BLOB_SHA1, "ce013625030ba8dba906f756967f9e9ca394464a");
        source.put("a", hello, Optional.of(right), Optional.empty());

        Downloads.fetch(source, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(hello);
        MemorySource wrong = new MemorySource()
                .put(
                        "a",
                        hello,
                        Optional.of(new Digest(Digest.Algorithm.GIT_BLOB_SHA1, "0".repeat(40))),
                        Optional.empty());
        fails("Corrupt", () -> Downloads.fetch(wrong, directory));
    }

    @Test
    void tooManyRequestsPauseAllConnectionsAndCostNoTries() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        source.file("a", bytes).times(12, failing(() -> {
            refusals.incrementAndGet();
            return SourceException.rateLimited("429", Optional.of(Duration.ofMillis(50)));
        }));

        RecordingContext context =
                Downloads.fetch(source, directory, Downloads.QUICK.withConnections(1), Downloads.HERE);

        assertThat(refusals).hasValue(12);
        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
        assertThat(context.log()).contains("429; all connections pause for");
    }

    @Test
    void noRequestIsSentBeforeTheSourceAllowsIt() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        java.util.concurrent.atomic.AtomicLong allowed = new java.util.concurrent.atomic.AtomicLong();
        source.file("a", bytes).always((from, file, start, end) -> {
            if (refused.getAndIncrement() == 0) {
                allowed.set(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300));
                throw SourceException.rateLimited("429", Optional.of(Duration.ofMillis(300)));
            }
            return null;
        });

        Downloads.fetch(source, directory, Downloads.QUICK.withConnections(1), Downloads.HERE);

        assertThat(source.requests).hasSize(12);
        assertThat(source.requests.get(1).nanoTime() - allowed.get()).isNotNegative();
    }

    @Test
    void theWaitForFewerRequestsHasAnEnd() {
        source.file("a", bytes)
                .always(failing(() -> SourceException.rateLimited("slow down", Optional.of(Duration.ofMillis(40)))));

        fails(
                        "RateLimited",
                        () -> Downloads.fetch(
                                source,
                                directory,
                                Downloads.QUICK.withRatePatience(Duration.ofMillis(200)),
                                Downloads.HERE))
                .hasMessageContaining("slow down");
    }

    @Test
    void aPauseThatIsLongerThanAllPatienceIsNotBegun() {
        source.file("a", bytes)
                .always(failing(() -> SourceException.rateLimited("slow down", Optional.of(Duration.ofHours(1)))));
        long start = System.nanoTime();

        fails("RateLimited", () -> Downloads.fetch(source, directory));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aConnectionWithoutBytesIsDroppedAndItsRangeResumed() throws Exception {
        source.file("a", bytes).times(2, stallAfter(100));

        RecordingContext context = Downloads.fetch(source, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
        assertThat(context.log()).contains("no byte for 0.4 s; again in");
        assertThat(source.requests).anyMatch(request -> request.from() % 1000 == 100);
    }

    @Test
    void aSourceThatAlwaysStallsIsToldAsStalled() {
        source.file("a", bytes).always(stallAfter(0));

        fails(
                "Stalled",
                () -> Downloads.fetch(
                        source,
                        directory,
                        Downloads.QUICK
                                .withStallTimeout(Duration.ofMillis(150))
                                .withAttempts(2, Duration.ofMillis(1), Duration.ofMillis(1)),
                        Downloads.HERE));
    }

    @Test
    void progressIsToldWhileNothingHappens() throws Exception {
        source.file("a", bytes).times(1, stallAfter(0));

        RecordingContext context = Downloads.fetch(
                source, directory, Downloads.QUICK.withStallTimeout(Duration.ofSeconds(5)), Downloads.HERE);

        assertThat(context.progress.size()).isGreaterThan(4);
    }

    @Test
    void aSourceThatIgnoresRangesIsReadOnceFromTheBeginning() throws Exception {
        byte[] large = MemorySource.random(5 << 20);
        source.file("a", large).always(ignoringRanges());

        RecordingContext context =
                Downloads.fetch(source, directory, Downloads.QUICK.withPieceSize(1 << 20), Downloads.HERE);

        assertThat(directory.resolve("a")).hasBinaryContent(large);
        assertThat(context.log()).containsOnlyOnce("the source ignores ranges");
        assertThat(context.last().done()).isEqualTo(large.length);
        assertThat(source.requests).hasSizeLessThan(8);
    }

    @Test
    void aSourceThatIgnoresRangesAndBreaksOffIsReadFromTheBeginningAgain() throws Exception {
        byte[] large = MemorySource.random(5 << 20);
        AtomicInteger answers = new AtomicInteger();
        source.file("a", large).always((from, file, start, end) -> {
            int answer = answers.incrementAndGet();
            return from.body(file, 0, answer == 3 ? 3_500_000 : file.size(), 0, OptionalLong.empty());
        });

        RecordingContext context = Downloads.fetch(
                source, directory, Downloads.QUICK.withPieceSize(1 << 20).withConnections(2), Downloads.HERE);

        assertThat(directory.resolve("a")).hasBinaryContent(large);
        assertThat(context.last().done()).isEqualTo(large.length);
    }

    @Test
    void anAnswerThatStartsALittleEarlyIsReadUpToTheRange() throws Exception {
        source.file("a", bytes).always((from, file, start, end) -> {
            long early = Math.max(0, start - 30);
            return from.body(file, early, end, early, OptionalLong.of(file.size()));
        });

        Downloads.fetch(source, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
    }

    @Test
    void anAnswerThatStartsLateIsNotTakenForTheRange() throws Exception {
        source.file("a", bytes)
                .times(
                        1,
                        (from, file, start, end) ->
                                from.body(file, start + 10, end, start + 10, OptionalLong.of(file.size())));

        RecordingContext context = Downloads.fetch(source, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
        assertThat(context.log()).contains("the answer starts at byte");
    }

    @Test
    void anAnswerThatGoesOnBeyondTheRangeIsReadToItsEndOnly() throws Exception {
        source.file("a", bytes)
                .always((from, file, start, end) ->
                        from.body(file, start, file.size(), start, OptionalLong.of(file.size())));

        Downloads.fetch(source, directory);

        assertThat(directory.resolve("a")).hasBinaryContent(bytes);
    }

    @Test
    void aFileThatChangesMeanwhileIsListedAgainAndFetchedInItsNewForm() throws Exception {
        source.versioned("a", "x".repeat(5000), "v1").file("same", "kept");
        AtomicInteger answers = new AtomicInteger();
        source.always((from, file, start, end) -> {
            if (!file.path().equals("a")) {
                return null;
            }
            if (answers.getAndIncrement() == 2) {
                source.versioned("a", "y".repeat(4000), "v2");
            }
            if (answers.get() > 2 && file.version().equals(Optional.of("v1"))) {
                throw SourceException.changed("412 for a");
            }
            return null;
        });

        RecordingContext context =
                Downloads.fetch(source, directory, Downloads.QUICK.withConnections(1), Downloads.HERE);

        assertThat(directory.resolve("a")).hasContent("y".repeat(4000));
        assertThat(source.listings).hasValue(2);
        assertThat(context.log()).contains("412 for a; listing memory://source again");
        assertThat(source.aborted).as("aborted, though it was still needed").isFalse();
    }

    @Test
    void aFileThatAlwaysChangesIsAnError() throws Exception {
        source.versioned("a", "x".repeat(5000), "v1").always(failing(() -> SourceException.changed("412")));

        fails("Changed", () -> Downloads.fetch(source, directory)).hasMessageContaining("changed twice");

        assertThat(source.listings).hasValue(2);
        assertThat(Downloads.files(directory)).isEmpty();
    }

    @Test
    void aFileThatIsShorterThanListedIsListedAgainOnce() {
        source.file("a", bytes).always(failing(() -> SourceException.unsatisfiable("416")));

        fails("Changed", () -> Downloads.fetch(source, directory)).hasMessageContaining("416");

        assertThat(source.listings).hasValue(2);
    }

    @Test
    void anAnswerThatSaysAnotherSizeThanTheListingIsAChange() {
        source.file("a", bytes)
                .always((from, file, start, end) -> from.body(file, start, end, start, OptionalLong.of(99)));

        fails("Changed", () -> Downloads.fetch(source, directory)).hasMessageContaining("has 99 bytes now");
    }

    @Test
    void whatNoRepetitionMendsFailsAtOnce() {
        InitializerException refused = new InitializerException("no access", "Forbidden", null);
        source.file("a", bytes).file("b", bytes).always((from, file, start, end) -> {
            throw refused;
        });

        assertThatThrownBy(() -> Downloads.fetch(source, directory)).isSameAs(refused);

        assertThat(source.requests.size()).isLessThanOrEqualTo(Downloads.QUICK.connections());
        assertThat(source.aborted).isTrue();
    }

    @Test
    void aCertificateThatIsNotTrustedIsNotTriedAgain() {
        source.file("a", "small").always((from, file, start, end) -> {
            SSLHandshakeException failure = new SSLHandshakeException("PKIX path building failed");
            failure.initCause(new CertificateException("unknown authority"));
            throw failure;
        });

        fails("Untrusted", () -> Downloads.fetch(source, directory)).hasMessageContaining("javax.net.ssl.trustStore");

        assertThat(source.requests).hasSize(1);
    }

    @Test
    void aProgrammingErrorInASourceIsNotSwallowed() {
        source.file("a", "small").always((from, file, start, end) -> {
            throw new IllegalStateException("bug");
        });

        assertThatThrownBy(() -> Downloads.fetch(source, directory)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRequestOfTheListingIsRepeatedWithinTheBudget() throws Exception {
        source.file("a", "text");
        AtomicInteger tries = new AtomicInteger();
        Source flaky = new Source() {
            @Override
            public String identity() {
                return source.identity();
            }

            @Override
            public Snapshot resolve(Attempts attempts) throws IOException, InterruptedException {
                attempts.of("the listing", () -> {
                    if (tries.incrementAndGet() < 4) {
                        throw SourceException.retry("status 500", Optional.empty());
                    }
                    return "listed";
                });
                return source.resolve(attempts);
            }
        };

        RecordingContext context = Downloads.fetch(flaky, directory);

        assertThat(tries).hasValue(4);
        assertThat(context.log()).contains("the listing: status 500; again in");
    }

    private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> fails(
            String reason, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains(reason));
    }
}
