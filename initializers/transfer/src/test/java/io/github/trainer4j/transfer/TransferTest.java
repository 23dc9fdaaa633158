package io.github.trainer4j.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.spi.FetchContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The normal life of a download: complete, repeated, refreshed, refused. */
class TransferTest {
    @TempDir
    Path directory;

    private final MemorySource source = new MemorySource();

    @Test
    void everythingThatIsListedArrives() throws Exception {
        byte[] large = MemorySource.random(12_345);
        source.file("large.bin", large).file("a/b/small.txt", "small").file("empty", "");

        RecordingContext context = Downloads.fetch(source, directory);

        assertThat(Downloads.files(directory)).containsExactly("a/b/small.txt", "empty", "large.bin");
        assertThat(directory.resolve("large.bin")).hasBinaryContent(large);
        assertThat(directory.resolve("a/b/small.txt")).hasContent("small");
        assertThat(source.requests("large.bin")).hasSize(13);
        assertThat(source.requests("empty")).isEmpty();
        assertThat(context.last()).isEqualTo(new RecordingContext.Progress(12_350, OptionalLong.of(12_350)));
        assertThat(context.log())
                .contains("fetching 3 files, 12.4 kB, of memory://source at r1")
                .contains("fetched 3 files, 12.4 kB, in");
    }

    @Test
    void nothingButTheRecordIsLeftBesideTheFiles() throws Exception {
        source.file("a", MemorySource.random(5000));

        Downloads.fetch(source, directory);

        assertThat(Downloads.own(directory)).containsExactly("complete.json", "lock");
        assertThat(directory.resolve(".trainer4j/complete.json"))
                .content()
                .contains("\"identity\":\"memory://source\"", "\"revision\":\"r1\"", "\"path\":\"a\"", "\"sha256:");
        assertThat(Downloads.threads()).isEmpty();
    }

    @Test
    void progressNeverGoesBackAndNeverBeyondTheTotal() throws Exception {
        source.file("a", MemorySource.random(50_000)).always((from, file, start, end) -> {
            Thread.sleep(5);
            return null;
        });

        RecordingContext context = Downloads.fetch(source, directory);

        assertThat(context.progress)
                .extracting(RecordingContext.Progress::done)
                .isSorted()
                .last()
                .isEqualTo(50_000L);
    }

    @Test
    void aSecondRunOfTheSameRevisionFetchesNothing() throws Exception {
        source.file("a", "text").versioned("b", "more", "v1").file("empty", "");
        Downloads.fetch(source, directory);
        FileTime before = Files.getLastModifiedTime(directory.resolve(".trainer4j/complete.json"));
        source.requests.clear();

        RecordingContext context = Downloads.fetch(source, directory);

        assertThat(source.requests).isEmpty();
        assertThat(context.log()).contains("is in " + directory.toRealPath() + " already: 3 files");
        assertThat(context.last().done()).isEqualTo(8);
        assertThat(Files.getLastModifiedTime(directory.resolve(".trainer4j/complete.json")))
                .isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"truncated", "removed", "longer", "rewritten"})
    void whatSomebodyAlteredIsFetchedAgainAndNothingElse(String how) throws Exception {
        source.file("a", MemorySource.random(3000)).versioned("b", "0123456789", "v1");
        Downloads.fetch(source, directory);
        source.requests.clear();
        Path altered = directory.resolve("b");
        switch (how) {
            case "truncated" -> Files.writeString(altered, "0123");
            case "removed" -> Files.delete(altered);
            case "longer" -> Files.writeString(altered, "0123456789ab");
            default -> {
                Files.writeString(altered, "9876543210");
                Files.setLastModifiedTime(altered, FileTime.fromMillis(1_000_000_000_000L));
            }
        }

        Downloads.fetch(source, directory);

        assertThat(directory.resolve("b")).hasContent("0123456789");
        assertThat(source.requests).extracting(MemorySource.Request::path).containsOnly("b");
    }

    @Test
    void filesThatAreThereWithTheRightDigestAreKeptWhoeverPutThemThere() throws Exception {
        source.file("good", "right bytes").file("bad", "right bytes");
        Files.writeString(directory.resolve("good"), "right bytes");
        Files.writeString(directory.resolve("bad"), "wrong bytes");

        RecordingContext context = Downloads.fetch(source, directory);

        assertThat(source.requests).extracting(MemorySource.Request::path).containsExactly("bad");
        assertThat(directory.resolve("bad")).hasContent("right bytes");
        assertThat(context.log()).contains("checking 2 files");
    }

    @Test
    void anotherRevisionReplacesWhatDiffersAndRemovesWhatIsGone() throws Exception {
        source.file("same", "s").file("changed", "old").file("gone/deep/f", "g").versioned("tagged", "t", "v1");
        Files.writeString(Files.createDirectories(directory.resolve("gone")).resolve("mine"), "not of the source");
        Downloads.fetch(source, directory);
        source.requests.clear();
        source.revision = "r2";
        source.file("changed", "new").remove("gone/deep/f").file("added", "a").versioned("tagged", "u", "v2");

        Downloads.fetch(source, directory);

        assertThat(Downloads.files(directory)).containsExactly("added", "changed", "gone/mine", "same", "tagged");
        assertThat(directory.resolve("changed")).hasContent("new");
        assertThat(directory.resolve("tagged")).hasContent("u");
        assertThat(directory.resolve("gone/deep")).doesNotExist();
        assertThat(source.requests)
                .extracting(MemorySource.Request::path)
                .containsExactlyInAnyOrder("changed", "added", "tagged");
    }

    @Test
    void aRevisionThatOnlyLacksFilesNeedsNoRequest() throws Exception {
        source.file("a", "a").file("b", "b");
        Downloads.fetch(source, directory);
        source.requests.clear();
        source.revision = "r2";
        source.remove("b");

        RecordingContext context = Downloads.fetch(source, directory);

        assertThat(Downloads.files(directory)).containsExactly("a");
        assertThat(source.requests).isEmpty();
        assertThat(context.log()).contains("nothing to fetch; removed 1 file");
        assertThat(directory.resolve(".trainer4j/complete.json")).content().contains("\"revision\":\"r2\"");
    }

    @Test
    void aFileCanBecomeADirectoryAndADirectoryAFile() throws Exception {
        source.file("a", "file").file("b/c", "deep");
        Downloads.fetch(source, directory);
        source.revision = "r2";
        source.remove("a").remove("b/c").file("a/x", "deep").file("b", "file");

        Downloads.fetch(source, directory);

        assertThat(Downloads.files(directory)).containsExactly("a/x", "b");
    }

    @Test
    void withoutDigestOrVersionOnlyTheSameRevisionIsBelieved() throws Exception {
        source.put("plain", new byte[] {1, 2}, Optional.empty(), Optional.empty());
        Downloads.fetch(source, directory);
        source.requests.clear();
        Downloads.fetch(source, directory);
        assertThat(source.requests).isEmpty();

        source.revision = "r2";
        Downloads.fetch(source, directory);

        assertThat(source.requests).hasSize(1);
    }

    @Test
    void anotherSourceWithTheSameVersionTagIsNotTakenForTheFirst() throws Exception {
        source.versioned("a", "one", "v1");
        Downloads.fetch(source, directory);
        MemorySource other = new MemorySource().versioned("a", "two", "v1");
        other.identity = "memory://other";

        Downloads.fetch(other, directory);

        assertThat(directory.resolve("a")).hasContent("two");
    }

    @Test
    void aRecordThatCannotBeReadIsNoRecord() throws Exception {
        source.file("a", "text").versioned("b", "tagged", "v");
        Downloads.fetch(source, directory);
        Files.writeString(directory.resolve(".trainer4j/complete.json"), "{\"format\":1,\"identity\":");

        Downloads.fetch(source, directory);

        assertThat(directory.resolve(".trainer4j/complete.json")).content().contains("\"revision\":\"r1\"");
    }

    @Test
    void markersBecomeDirectories() throws Exception {
        source.put("d/", new byte[0], Optional.empty(), Optional.empty())
                .put("only/deep/", new byte[0], Optional.empty(), Optional.empty())
                .file("d/f", "f");

        Downloads.fetch(source, directory);

        assertThat(directory.resolve("d")).isDirectory();
        assertThat(directory.resolve("only/deep")).isDirectory().isEmptyDirectory();
        assertThat(directory.resolve("d/f")).hasContent("f");
    }

    @Test
    void aListingOfOnlyAMarkerMakesTheDirectory() throws Exception {
        source.put("d/", new byte[0], Optional.empty(), Optional.empty());

        Downloads.fetch(source, directory);
        Downloads.fetch(source, directory);

        assertThat(directory.resolve("d")).isDirectory();
    }

    @Test
    void aHostileNameStopsEverythingBeforeAnythingIsWritten() throws Exception {
        Path inner = Files.createDirectory(directory.resolve("target"));
        source.file("fine", "f").file("../evil", "e");

        assertThatThrownBy(() -> Downloads.fetch(source, inner))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("../evil");

        try (Stream<Path> all = Files.walk(directory)) {
            assertThat(all).containsExactlyInAnyOrder(directory, inner);
        }
        assertThat(source.requests).isEmpty();
    }

    @Test
    void aLinkOutOfTheDirectoryIsNotWrittenThrough() throws Exception {
        Path inner = Files.createDirectory(directory.resolve("target"));
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.createSymbolicLink(inner.resolve("link"), outside);
        source.file("a", "a").file("link/x", "x");

        assertThatThrownBy(() -> Downloads.fetch(source, inner))
                .hasMessageContaining("'link/x' would be written through the link");

        assertThat(outside).isEmptyDirectory();
        assertThat(source.requests).isEmpty();
    }

    @Test
    void aLinkToNothingIsNotWrittenThrough() throws Exception {
        Path inner = Files.createDirectory(directory.resolve("target"));
        Files.createSymbolicLink(inner.resolve("link"), directory.resolve("later"));
        source.file("link/x", "x");

        assertThatThrownBy(() -> Downloads.fetch(source, inner)).hasMessageContaining("link");

        assertThat(directory.resolve("later")).doesNotExist();
    }

    @Test
    void aLinkInPlaceOfAFileIsReplacedAndNotFollowed() throws Exception {
        Path inner = Files.createDirectory(directory.resolve("target"));
        Path outside = Files.writeString(directory.resolve("outside"), "mine!");
        Files.createSymbolicLink(inner.resolve("f"), outside);
        source.file("f", "yours");

        Downloads.fetch(source, inner);

        assertThat(inner.resolve("f")).hasContent("yours");
        assertThat(Files.isSymbolicLink(inner.resolve("f"))).isFalse();
        assertThat(outside).hasContent("mine!");
    }

    @Test
    void aLinkWithinTheDirectoryIsFine() throws Exception {
        Files.createDirectory(directory.resolve("real"));
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("real"));
        source.file("link/x", "x");

        Downloads.fetch(source, directory);

        assertThat(directory.resolve("real/x")).hasContent("x");
    }

    @Test
    void aDirectoryThatIsItselfALinkIsFine() throws Exception {
        Path real = Files.createDirectory(directory.resolve("real"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);
        source.file("x", "x");

        Downloads.fetch(source, link);

        assertThat(real.resolve("x")).hasContent("x");
    }

    @Test
    void somebodysDirectoryInTheWayOfAFileIsToldAndKept() throws Exception {
        Path mine = Files.writeString(
                Files.createDirectories(directory.resolve("a")).resolve("mine"), "keep");
        source.file("a", "file");

        assertThatThrownBy(() -> Downloads.fetch(source, directory))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("is in the way");

        assertThat(mine).hasContent("keep");
    }

    @Test
    void namesThatDifferOnlyInCaseAreRefusedBeforeAnyRequestWhereTheyAreOne() {
        source.file("A.txt", "upper").file("a.txt", "lower");
        Surroundings folding = new Surroundings(
                Downloads.HERE.budget(), Downloads.HERE.locking(), Downloads.HERE.freeSpace(), target -> true);

        assertThatThrownBy(() -> Downloads.fetch(source, directory, Downloads.QUICK, folding))
                .hasMessageContaining("'A.txt' and 'a.txt'");

        assertThat(source.requests).isEmpty();
    }

    @Test
    void aDirectoryThatIsCompleteIsNotWrittenTo() throws Exception {
        source.file("a", "a");
        Downloads.fetch(source, directory);
        Surroundings readOnly = new Surroundings(
                Downloads.HERE.budget(),
                (channel, wait) -> {
                    throw new IOException("Read-only file system");
                },
                own -> {
                    throw new IOException("not asked");
                },
                target -> {
                    throw new IOException("Read-only file system");
                });

        RecordingContext context = Downloads.fetch(source, directory, Downloads.QUICK, readOnly);

        assertThat(context.log()).contains("already: 1 file");
    }

    @Test
    void theRealFileSystemIsAskedWhetherItFoldsCase() throws Exception {
        TargetDirectory target = TargetDirectory.open(directory);
        target.makeOwn();
        Files.createFile(directory.resolve("probe"));

        assertThat(target.foldsCase()).isEqualTo(Files.exists(directory.resolve("PROBE")));
        assertThat(Downloads.own(directory)).isEmpty();
    }

    @Test
    void whatDoesNotFitIsRefusedBeforeTheFirstByte() {
        source.file("a", MemorySource.random(10_000));

        assertThatThrownBy(() -> Downloads.fetch(source, directory, Downloads.QUICK, Downloads.free(1000)))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("DiskFull"))
                .hasMessageContaining("10.0 kB (10000) are needed")
                .hasMessageContaining("1.0 kB (1000) are free")
                .hasMessageContaining(directory.toString());

        assertThat(source.requests).isEmpty();
    }

    @Test
    void roomIsNeededOnlyForWhatIsNotThereYet() throws Exception {
        source.file("a", MemorySource.random(10_000));
        Downloads.fetch(source, directory);
        source.file("b", MemorySource.random(500));

        Downloads.fetch(source, directory, Downloads.QUICK, Downloads.free(600));

        assertThat(Downloads.files(directory)).containsExactly("a", "b");
    }

    @Test
    void aSourceWithoutFilesIsAnError() {
        assertThatThrownBy(() -> Downloads.fetch(source, directory))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("NotFound"));
    }

    @Test
    void aDirectoryThatIsNotThereIsAnError() {
        source.file("a", "a");

        assertThatThrownBy(() -> Downloads.fetch(source, directory.resolve("missing")))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aListenerThatThrowsHarmsNothing() throws Exception {
        source.file("a", MemorySource.random(3000));
        FetchContext broken = new FetchContext() {
            @Override
            public void progress(long bytesDone, OptionalLong bytesTotal) {
                throw new IllegalStateException("progress");
            }

            @Override
            public void log(String line) {
                throw new IllegalStateException("log");
            }

            @Override
            public Map<String, String> environment() {
                return Map.of();
            }
        };

        Transfer.fetch(source, directory, broken);

        assertThat(directory.resolve("a")).hasBinaryContent(MemorySource.random(3000));
    }

    @Test
    void filesCanBeReadByWhoeverMayReadTheDirectory() throws Exception {
        source.file("a", "a");
        Path plain = Files.writeString(directory.resolve("plain"), "x");

        Downloads.fetch(source, directory);

        assertThat(Files.getPosixFilePermissions(directory.resolve("a")))
                .isEqualTo(Files.getPosixFilePermissions(plain));
    }

    @Test
    void anErrorOfTheListingIsToldAsItIs() {
        Source failing = new Source() {
            @Override
            public String identity() {
                return "memory://broken";
            }

            @Override
            public Snapshot resolve(Attempts attempts) throws IOException {
                throw new IOException("no such thing");
            }
        };

        assertThatThrownBy(() -> Downloads.fetch(failing, directory))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("memory://broken cannot be listed: no such thing");
        assertThat(directory).isEmptyDirectory();
    }
}
