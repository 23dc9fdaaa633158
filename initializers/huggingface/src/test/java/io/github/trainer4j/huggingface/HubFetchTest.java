package io.github.trainer4j.huggingface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.testkit.hub.Content;
import io.github.trainer4j.testkit.hub.FakeHub;
import io.github.trainer4j.testkit.hub.Fault;
import io.github.trainer4j.testkit.hub.HubRepository;
import io.github.trainer4j.testkit.hub.Listing;
import io.github.trainer4j.testkit.hub.Origin;
import io.github.trainer4j.testkit.hub.RecordedRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fetches from a Hub that is honest, over real sockets. */
class HubFetchTest {
    @TempDir
    Path directory;

    private final FakeHub hub = FakeHub.start();

    @AfterEach
    void closeTheHub() throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (hub.connections() > 0) {
            assertThat(System.nanoTime()).as("connections are given back").isLessThan(deadline);
            Thread.sleep(5);
        }
        hub.close();
    }

    private HuggingFace dataset(String uri) {
        return HuggingFace.dataset(uri).endpoint(hub.endpoint().toString());
    }

    private HuggingFace model(String uri) {
        return HuggingFace.model(uri).endpoint(hub.endpoint().toString());
    }

    @Test
    void aDatasetArrivesWholeAndIsFetchedByItsCommit() throws Exception {
        Content large = Content.generated(1, 5_000_000);
        HubRepository repository = hub.dataset("org/data")
                .file("README.md", "card")
                .lfs("data/train.bin", large)
                .file("empty", "");

        Fetches context = Fetches.fetch(dataset("hf://org/data"), directory);

        assertThat(Fetches.files(directory)).containsExactly("README.md", "data/train.bin", "empty");
        assertThat(large.isIn(directory.resolve("data/train.bin"))).isTrue();
        assertThat(directory.resolve("README.md")).hasContent("card");
        assertThat(hub.requests("/datasets/*"))
                .isNotEmpty()
                .allSatisfy(request -> assertThat(request.path()).contains("/resolve/" + repository.sha() + "/"));
        assertThat(context.log()).contains("of " + hub.endpoint() + "/datasets/org/data at " + repository.sha());
    }

    @Test
    void oneRequestForTheCommitOneForTheListingAndOneRedirectForEachLargeFile() throws Exception {
        hub.dataset("org/data").file("a", "1").file("b", "2").lfs("c", Content.generated(2, 5_000_000));

        Fetches.fetch(dataset("hf://org/data"), directory, Map.of());

        assertThat(hub.requests("/api/*")).hasSize(2);
        assertThat(hub.requests("*/resolve/*/a")).hasSize(1);
        assertThat(hub.requests("*/resolve/*/c").size()).isLessThanOrEqualTo(5);
        assertThat(hub.requests()).noneMatch(request -> request.method().equals("HEAD"));
    }

    @Test
    void aLinkToTheStoreIsUsedForMoreThanOneRange() throws Exception {
        hub.dataset("org/data").lfs("c", Content.generated(2, 5_000_000));

        Fetches.fetch(dataset("hf://org/data").spec(), directory, Map.of(), Fetches.QUICK.withConnections(1));

        assertThat(hub.requests("*/resolve/*/c")).hasSize(1);
        assertThat(hub.requests("/lfs/*")).hasSize(5);
    }

    @Test
    void aLinkThatExpiresIsAskedForAgain() throws Exception {
        Content large = Content.generated(2, 5_000_000);
        hub.dataset("org/data").lfs("c", large);
        hub.inject(Fault.running(hub::expireLinks).at(Origin.CDN).skip(1).times(1));

        Fetches.fetch(dataset("hf://org/data").spec(), directory, Map.of(), Fetches.QUICK.withConnections(1));

        assertThat(large.isIn(directory.resolve("c"))).isTrue();
        assertThat(hub.requests("*/resolve/*/c")).hasSize(2);
    }

    @Test
    void aModelIsFetchedWithoutWhatNoTrainingReads() throws Exception {
        hub.model("org/base")
                .file("config.json", "{}")
                .file("README.md", "card")
                .lfs("model.safetensors", Content.generated(3, 1000))
                .lfs("pytorch_model.bin", Content.generated(4, 1000))
                .lfs("model.gguf", Content.generated(5, 1000))
                .file("tokenizer.model", "t")
                .file("vocab.txt", "v");

        Fetches context = Fetches.fetch(model("hf://org/base"), directory);

        assertThat(Fetches.files(directory))
                .containsExactly("config.json", "model.gguf", "model.safetensors", "tokenizer.model", "vocab.txt");
        assertThat(context.log()).contains("left out 2 of 7 files").contains("pytorch_model.bin");
    }

    @Test
    void aModelWhoseWeightsAreAllLeftOutIsWarnedOf() throws Exception {
        hub.model("org/base").file("config.json", "{}").lfs("model.pt", Content.generated(1, 10));

        Fetches context = Fetches.fetch(model("hf://org/base"), directory);

        assertThat(context.log()).contains("warning: no weight file left: model.pt");
    }

    @Test
    void patternsAreMatchedOnTheWholePathAndNothingSaidIsNotTheSameAsAnEmptyList() throws Exception {
        hub.model("org/base")
                .file("a.json", "1")
                .file("sub/fp16/b.json", "2")
                .file("original/c.json", "3")
                .file("d.safetensors", "4");

        Fetches.fetch(model("hf://org/base").ignorePatterns("*fp16*", "original/"), directory);

        assertThat(Fetches.files(directory)).containsExactly("a.json", "d.safetensors");
    }

    @Test
    void everythingLeftOutIsAnErrorThatNamesPlaceAndPatterns() {
        hub.dataset("org/data").file("a", "1");

        assertThatThrownBy(() -> Fetches.fetch(dataset("hf://org/data").ignorePatterns("*"), directory))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("none of the 1 files at " + hub.endpoint() + "/datasets/org/data");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1.0", "refs/pr/1", "feature%2Fx"})
    void aRevisionIsFetchedByItsName(String revision) throws Exception {
        HubRepository repository = hub.dataset("org/data")
                .file("a", "old")
                .ref("v1.0")
                .ref("refs/pr/1")
                .ref("feature/x");
        repository.file("a", "new");

        Fetches.fetch(dataset("hf://org/data@" + revision), directory);

        assertThat(directory.resolve("a")).hasContent("old");
    }

    @Test
    void aCommitNeedsNoRequestToBeResolved() throws Exception {
        HubRepository repository = hub.dataset("org/data").file("a", "old");
        String commit = repository.sha();
        repository.file("a", "new");

        Fetches.fetch(dataset("hf://org/data@" + commit), directory);

        assertThat(directory.resolve("a")).hasContent("old");
        assertThat(hub.requests("/api/*")).hasSize(1);
    }

    @Test
    void aPushMeanwhileMixesNothing() throws Exception {
        HubRepository repository = hub.dataset("org/data").file("a", "a1").file("b", "b1");
        String first = repository.sha();
        hub.inject(Fault.running(
                        () -> repository.commit(it -> it.file("a", "a2").file("b", "b2")))
                .on("*/tree/*")
                .times(1));

        Fetches.fetch(dataset("hf://org/data"), directory);

        assertThat(directory.resolve("a")).hasContent("a1");
        assertThat(directory.resolve("b")).hasContent("b1");
        assertThat(hub.requests("*/resolve/*"))
                .allSatisfy(request -> assertThat(request.path()).contains(first));
        assertThat(directory.resolve(".trainer4j/complete.json")).content().contains(first);
    }

    @Test
    void aDirectoryOfARepositoryLandsWithoutItsName() throws Exception {
        hub.dataset("org/data")
                .file("README.md", "r")
                .file("data/train/a", "a")
                .file("data/train/b/c", "c")
                .file("data/trainer", "no");

        Fetches.fetch(dataset("hf://org/data/data/train"), directory);

        assertThat(Fetches.files(directory)).containsExactly("a", "b/c");
    }

    @Test
    void aFileOfARepositoryLandsByItsLastName() throws Exception {
        hub.model("org/base")
                .file("onnx/model.onnx", "weights")
                .file("onnx/other.onnx", "no")
                .file("top.bin", "t");

        Fetches.fetch(model("hf://org/base/onnx/model.onnx"), directory);
        assertThat(Fetches.files(directory)).containsExactly("model.onnx");

        Fetches.fetch(model("hf://org/base/top.bin"), directory);
        assertThat(Fetches.files(directory)).containsExactly("top.bin");
    }

    @Test
    void aPathThatIsNotThereIsAnErrorThatNamesIt() {
        hub.dataset("org/data").file("data/a", "a");

        assertThatThrownBy(() -> Fetches.fetch(dataset("hf://org/data/data/train"), directory))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("NotFound"))
                .hasMessageContaining("no file or directory 'data/train'");
    }

    @Test
    void aNameWithoutAnOrganizationIsFine() throws Exception {
        hub.model("gpt2").file("config.json", "{}");

        Fetches.fetch(model("hf://gpt2"), directory);

        assertThat(Fetches.files(directory)).containsExactly("config.json");
    }

    @Test
    void aRepositoryThatWasRenamedIsFound() throws Exception {
        hub.dataset("org/fresh").file("a", "a").formerly("org/stale");

        Fetches.fetch(dataset("hf://org/stale"), directory);

        assertThat(directory.resolve("a")).hasContent("a");
    }

    @Test
    void aListingOfManyPagesIsReadToItsEnd() throws Exception {
        HubRepository repository = hub.dataset("org/data");
        for (int i = 0; i < 25; i++) {
            repository.file("dir/" + i, "x" + i);
        }
        hub.pageSize(4);

        Fetches.fetch(dataset("hf://org/data"), directory);

        assertThat(Fetches.files(directory)).hasSize(25);
    }

    @Test
    void aListingThatLeadsInACircleIsAnError() {
        String commit = hub.dataset("org/data").file("a", "a").sha();
        hub.inject(Fault.header(
                        "Link",
                        "<" + hub.endpoint() + "/api/datasets/org/data/tree/" + commit + "?cursor=c0>; rel=\"next\"")
                .on("*/tree/*"));

        assertThatThrownBy(() -> Fetches.fetch(dataset("hf://org/data"), directory))
                .hasMessageContaining("leads in a circle");
    }

    @ParameterizedTest
    @EnumSource(Listing.class)
    void onlyWhatIsNeededOfAListingIsRead(Listing style) throws Exception {
        hub.listing(style).dataset("org/data").file("a", "a").lfs("b", Content.generated(1, 100));

        Fetches.fetch(dataset("hf://org/data"), directory);

        assertThat(Fetches.files(directory)).containsExactly("a", "b");
    }

    @Test
    void namesWithStrangeLettersAreAskedForAndWrittenAsTheyAre() throws Exception {
        List<String> names = List.of(
                "a+b",
                "a b",
                "x*y?",
                "100%",
                "\u00e4#?",
                "\ud83d\ude00.txt",
                "q&a=b;c",
                "per%20cent",
                "dir one/\u00df");
        HubRepository repository = hub.dataset("org/data");
        names.forEach(name -> repository.file(name, "<" + name + ">"));

        Fetches.fetch(dataset("hf://org/data"), directory);

        for (String name : names) {
            assertThat(directory.resolve(name)).hasContent("<" + name + ">");
        }
        assertThat(hub.requests()).noneMatch(request -> request.target().contains("%5C"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../x", "a/../../x", "/etc/x", "C:\\x", "\\\\h\\s\\x", "a\\..\\x", "nul\0byte", ".trainer4j/x"})
    void aNameThatCouldLeaveTheDirectoryStopsEverything(String name) throws Exception {
        Path inner = Files.createDirectory(directory.resolve("inner"));
        hub.dataset("org/data").file("fine", "fine").file(name, "evil");

        assertThatThrownBy(() -> Fetches.fetch(dataset("hf://org/data"), inner))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("UnsafeName"));

        try (Stream<Path> all = Files.walk(directory)) {
            assertThat(all).containsExactlyInAnyOrder(directory, inner);
        }
        assertThat(hub.requests("*/resolve/*")).isEmpty();
    }

    @Test
    void nothingIsALinkAndNothingIsWrittenTwice() throws Exception {
        hub.dataset("org/data").lfs("big", Content.generated(1, 10_000_000)).file("small", "s");

        Fetches.fetch(dataset("hf://org/data"), directory);

        long bytes = 0;
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.toList()) {
                assertThat(Files.isSymbolicLink(path)).isFalse();
                bytes += Files.isRegularFile(path) ? Files.size(path) : 0;
            }
        }
        assertThat(bytes).isBetween(10_000_000L, 10_100_000L);
    }

    @Test
    void aHomeThatCannotBeUsedIsNotUsed() throws Exception {
        hub.dataset("org/data").file("a", "a");

        Fetches.fetch(
                dataset("hf://org/data"), directory, Map.of("HOME", "/proc", "HF_HOME", "/proc/no", "TMPDIR", "/proc"));

        assertThat(directory.resolve("a")).hasContent("a");
    }

    @Test
    void aPrivateRepositoryIsFetchedWithTheToken() throws Exception {
        hub.dataset("org/data")
                .file("a", "a")
                .lfs("b", Content.generated(1, 100))
                .privateTo("hf_good");

        Fetches context = Fetches.fetch(dataset("hf://org/data").accessToken(Secret.of("hf_good\n")), directory);

        assertThat(Fetches.files(directory)).containsExactly("a", "b");
        assertThat(context.log()).doesNotContain("hf_good");
    }

    @Test
    void theTokenGoesToTheHubAndToNobodyElse() throws Exception {
        hub.cdnHost("localhost")
                .dataset("org/data")
                .file("a", "a")
                .lfs("b", Content.generated(1, 3_000_000))
                .privateTo("hf_good");

        Fetches.fetch(dataset("hf://org/data").accessToken(Secret.of("hf_good")), directory);

        assertThat(hub.requests())
                .filteredOn(request -> request.origin() == Origin.CDN)
                .isNotEmpty()
                .allSatisfy(
                        request -> assertThat(request.header("Authorization")).isEmpty());
        assertThat(hub.requests())
                .filteredOn(request -> request.origin() == Origin.HUB)
                .allSatisfy(
                        request -> assertThat(request.header("Authorization")).contains("Bearer hf_good"));
    }

    @Test
    void theNextPageAtAnotherOriginIsNotGivenTheToken() {
        hub.tokens("hf_good").pageSize(1);
        hub.dataset("org/data").file("a", "a").file("b", "b");
        hub.inject(Fault.nextPageAt(hub.cdn()).on("*/tree/*").times(1));

        try {
            Fetches.fetch(dataset("hf://org/data").accessToken(Secret.of("hf_good")), directory);
        } catch (Exception e) {
            assertThat(e).isInstanceOf(InitializerException.class);
        }

        assertThat(hub.requests())
                .filteredOn(request -> request.origin() == Origin.CDN)
                .isNotEmpty()
                .allSatisfy(
                        request -> assertThat(request.header("Authorization")).isEmpty());
    }

    @Test
    void aSecondFetchAsksOnlyWhatThereIs() throws Exception {
        hub.dataset("org/data").file("a", "a").lfs("b", Content.generated(1, 100));
        Fetches.fetch(dataset("hf://org/data"), directory);
        hub.forget();

        Fetches context = Fetches.fetch(dataset("hf://org/data"), directory);

        assertThat(hub.requests()).extracting(RecordedRequest::path).allMatch(path -> path.startsWith("/api/"));
        assertThat(context.log()).contains("already");
    }

    @Test
    void aNewCommitReplacesWhatChangedOnly() throws Exception {
        HubRepository repository =
                hub.dataset("org/data").file("same", "s").file("gone", "g").lfs("big", Content.generated(1, 100));
        Fetches.fetch(dataset("hf://org/data"), directory);
        repository.remove("gone").lfs("big", Content.generated(2, 100));
        hub.forget();

        Fetches.fetch(dataset("hf://org/data"), directory);

        assertThat(Fetches.files(directory)).containsExactly("big", "same");
        assertThat(Content.generated(2, 100).isIn(directory.resolve("big"))).isTrue();
        assertThat(hub.requests("*/resolve/*")).hasSize(1);
    }

    @Test
    void whatDoesNotFitIsRefusedBeforeTheFirstByte() {
        hub.dataset("org/data").lfs("huge", Content.phantom(1L << 60));

        assertThatThrownBy(() -> Fetches.fetch(dataset("hf://org/data"), directory))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("DiskFull"))
                .hasMessageContaining("1152921504606846976");

        assertThat(hub.requests("*/resolve/*")).isEmpty();
    }

    @Test
    void theEndpointCanComeFromTheEnvironment() throws Exception {
        hub.dataset("org/data").file("a", "a");

        Fetches.fetch(HuggingFace.dataset("hf://org/data"), directory, Map.of("HF_ENDPOINT", hub.endpoint() + "/"));

        assertThat(directory.resolve("a")).hasContent("a");
    }
}
