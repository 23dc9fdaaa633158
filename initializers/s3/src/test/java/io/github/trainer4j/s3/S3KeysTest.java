package io.github.trainer4j.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which objects a URI stands for and what their files are called, with keys that no file system behind a server can hold. */
class S3KeysTest {
    private FakeS3 store;

    @TempDir
    private Path parent;

    private Path target;

    @BeforeEach
    void start() throws IOException {
        store = new FakeS3();
        target = Files.createDirectory(parent.resolve("target"));
    }

    @AfterEach
    void stop() {
        store.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s3://bkt          | m-hf/y m/sub/z m/x n | m-hf/ m-hf/y m/ m/sub/ m/sub/z m/x n",
                "s3://bkt/         | m/x n                | m/ m/x n",
                "s3://bkt/m/       | m m-hf/y m/x         | x",
                "s3://bkt/m        | m m-hf/y m/x         | m",
                "s3://bkt/m        | m-hf/y m/x mm        | x",
                "s3://bkt/m/x      | m m/x m/x/y          | x",
                "s3://bkt/m/       | m/ m/sub/ m/sub/x    | sub/ sub/x",
                "s3://bkt/m/       | m/sub/               | sub/",
                "s3://bkt          | d/ d/f               | d/ d/f",
                "s3://bkt/p//      | p//x p/y             | x",
                "s3://bkt//x       | /x x                 | x",
                "s3://bkt/a/../b/  | a/../b/c b/c         | c",
            })
    void aUriIsExactlyThatObjectOrEverythingBelowIt(String uri, String keys, String files) throws Exception {
        store.put(keys.split(" ", -1));

        new Fetching().fetch(store.dataset(uri), target);

        assertThat(Fetching.files(target)).containsOnlyKeys(files.split(" ", -1));
    }

    @Test
    void keysAreLiteralOnTheWayThereAndBack() throws Exception {
        String[] keys = {"a+b", "a b", "x*y", "100%", "%41", "ä#?", "q=1&r;s", "<t>'\"", "😀", " lead", "dir +/c~d"};
        for (String key : keys) {
            store.put("p/" + key);
        }

        new Fetching().fetch(store.dataset("s3://bkt/p/"), target);

        assertThat(Fetching.files(target)).containsKeys(keys).hasSize(keys.length + 1);
    }

    @Test
    void aListingThatTheStoreEncodesUnaskedNamesTheSameFiles() throws Exception {
        store.put("a+b", "a b", "100%", "ä#?").encodingListings();

        new Fetching().fetch(store.dataset("s3://bkt"), target);

        assertThat(Fetching.files(target)).containsOnlyKeys("a+b", "a b", "100%", "ä#?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../evil",
                "../../evil",
                "a/../../evil",
                "/abs",
                "..\\..\\evil",
                "a//b",
                "C:\\evil",
                "a/./b",
                "..",
                "x\u0085\n"
            })
    void aNameThatCouldLeaveTheDirectoryIsRefusedBeforeAnythingIsWritten(String name) throws Exception {
        store.put("data/ok", "data/" + name);

        refused("s3://bkt/data/", "UnsafeName");

        assertThat(Fetching.files(parent)).containsOnlyKeys("target/");
    }

    @Test
    void aKeyThatIsAFileAndAlsoADirectoryIsOneErrorThatNamesBoth() throws Exception {
        store.put("p/a", "p/a/b");

        refused("s3://bkt/p/", "UnsafeName").hasMessageContaining("'a'").hasMessageContaining("a/b");
        assertThat(Fetching.files(target)).isEmpty();
    }

    @Test
    void aDirectoryMarkerWithBytesInItIsAnError() throws Exception {
        store.put("p/d/", "bytes", "e").put("p/x");
        refused("s3://bkt/p/", "UnsafeName").hasMessageContaining("d/");
        refused("s3://bkt/p/d/", "UnsafeName").hasMessageContaining("p/d/").hasMessageContaining("5 bytes");
    }

    @Test
    void allPagesAreReadAndTheirTokensEncoded() throws Exception {
        store.put("1", "2", "3", "4", "5").pageSize(2);

        new Fetching().fetch(store.dataset("s3://bkt"), target);

        assertThat(Fetching.files(target)).containsOnlyKeys("1", "2", "3", "4", "5");
        assertThat(store.requests().stream().filter(FakeS3.Request::isListing))
                .extracting(request -> request.query().get("continuation-token"))
                .containsExactly(null, "a+b/=2", "a+b/=4");
    }

    @Test
    void aTokenThatComesAgainIsAnErrorAndNoLoop() throws Exception {
        store.fault((request, reply) -> request.isListing() && reply.send(200, page("x", "same")));

        refused("s3://bkt/", "Corrupt").hasMessageContaining("the same page again");
    }

    @Test
    void thePageThatComesAgainWithEverNewTokensIsAnErrorAndNoLoop() throws Exception {
        store.fault((request, reply) -> request.isListing()
                && reply.send(200, page("x", "token" + store.requests().size())));

        refused("s3://bkt/", "Corrupt").hasMessageContaining("the same page again");
    }

    private static String page(String key, String token) {
        return "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>" + token
                + "</NextContinuationToken><Contents><Key>" + key
                + "</Key><Size>1</Size></Contents></ListBucketResult>";
    }

    @Test
    void aListingOfSomethingElseIsAnError() throws Exception {
        store.fault((request, reply) -> request.isListing()
                && reply.send(
                        200, "<ListBucketResult><Contents><Key>q/x</Key><Size>1</Size></Contents></ListBucketResult>"));

        refused("s3://bkt/p/", "Corrupt").hasMessageContaining("q/x");
    }

    @Test
    void nothingThereAndNothingWantedAreTwoErrors() throws Exception {
        store.put("p/a.bin", "p/b.bin");

        refused("s3://bkt/q", "NotFound")
                .hasMessageContaining("no files at s3://bkt/q")
                .hasMessageContaining(store.endpoint());
        assertThatThrownBy(() ->
                        new Fetching().fetch(store.dataset("s3://bkt/p/").option("ignore_patterns", "*.bin"), target))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("NothingSelected"))
                .hasMessageContaining("s3://bkt/p/ at " + store.endpoint())
                .hasMessageContaining("*.bin");
    }

    @Test
    void patternsAreMatchedAgainstThePathBelowTheUri() throws Exception {
        store.put("p/p/a.txt", "p/b/c.txt", "p/b/d.md", "p/e.md");

        new Fetching().fetch(store.dataset("s3://bkt/p/").option("ignore_patterns", "p/*,b*.md"), target);

        assertThat(Fetching.files(target)).containsOnlyKeys("b/", "b/c.txt", "e.md");
    }

    @Test
    void theListingIsAskedForPlainly() throws Exception {
        store.put("p/a");

        new Fetching().fetch(store.dataset("s3://bkt/p/"), target);

        FakeS3.Request listing = store.requests().get(0);
        assertThat(listing.rawPath()).isEqualTo("/bkt");
        assertThat(listing.header("host")).isEqualTo(store.endpoint().substring("http://".length()));
        assertThat(listing.query()).containsOnlyKeys("list-type", "prefix").containsEntry("prefix", "p/");
    }

    @Test
    void noRequestSpeaksOfChecksumsWhichManyStoresRefuse() throws Exception {
        store.put("p/a", "p/b")
                .fault((request, reply) -> request.headers().keySet().stream()
                                .anyMatch(name -> name.contains("checksum") || name.contains("sdk"))
                        && reply.error(400, "InvalidArgument", ""));

        new Fetching().fetch(store.dataset("s3://bkt/p"), target);

        assertThat(Fetching.files(target)).containsOnlyKeys("a", "b");
    }

    private AbstractThrowableAssert<?, ?> refused(String uri, String reason) {
        List<String> before = List.of(uri, reason);
        return assertThatThrownBy(() -> new Fetching().fetch(store.dataset(before.get(0)), target))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains(reason));
    }
}
