package io.github.trainer4j.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** Against a real server, which checks every signature. */
class S3ServerTest {
    private static final int PART = 5 << 20;

    private static Store store;
    private static byte[] big;

    @TempDir
    private Path target;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        store = new Store(directory);
        store.bucket("data");
        for (String key : List.of("a.txt", "dir/b.txt", "dir/deep/c.txt", "dir-2/d.txt", "e")) {
            store.put("data", key, "content of " + key);
        }
        store.put("data", "empty", "");
        store.put("data", "marked/", "");
        store.put("data", "marked/sub/", "");
        store.put("data", "marked/sub/f", "content of f");
        big = new byte[PART + 123_457];
        new Random(42).nextBytes(big);
    }

    @AfterAll
    static void stop() throws Exception {
        store.close();
    }

    @ParameterizedTest
    @CsvSource({
        "s3://data/dir/,        b.txt deep/ deep/c.txt",
        "s3://data/dir,         b.txt deep/ deep/c.txt",
        "s3://data/dir/b.txt,   b.txt",
        "s3://data/dir/deep/c.txt, c.txt",
        "s3://data/empty,       empty",
        "s3://data/e,           e",
        "s3://data/marked/,     sub/ sub/f",
        "s3://data/marked,      sub/ sub/f",
    })
    void aUriIsExactlyThatObjectOrEverythingBelowIt(String uri, String files) throws Exception {
        new Fetching().fetch(store.dataset(uri), target);

        assertThat(Fetching.files(target)).containsOnlyKeys(files.split(" ", -1));
    }

    @Test
    void aWholeBucketIsFetchedWithItsContents() throws Exception {
        store.bucket("whole");
        store.put("whole", "a.txt", "content of a");
        store.put("whole", "d/b.txt", "content of b");

        for (String uri : List.of("s3://whole", "s3://whole/")) {
            Path directory = Files.createDirectory(target.resolve(uri.replaceAll("\\W", "") + uri.length()));
            new Fetching().fetch(store.dataset(uri), directory);
            assertThat(Fetching.files(directory))
                    .containsEntry("a.txt", "content of a")
                    .containsEntry("d/b.txt", "content of b")
                    .hasSize(3);
        }
    }

    @Test
    void keysAreLiteralOnTheWayThereAndBack() throws Exception {
        store.bucket("odd");
        String[] keys = {
            "a+b", "a b", "x*y", "100%", "%41", "ä#?", "q=1&r;s", "<t>'\"", "😀", " lead", "c~d", "(e)!,:@$"
        };
        for (String key : keys) {
            store.put("odd", "p +/" + key, "content of " + key);
        }

        new Fetching().fetch(store.dataset("s3://odd/p +/"), target);
        assertThat(Fetching.files(target)).containsOnlyKeys(keys);

        Path one = Files.createDirectory(target.resolve("one"));
        new Fetching().fetch(store.dataset("s3://odd/p +/ä#?"), one);
        assertThat(Fetching.files(one)).containsOnlyKeys("ä#?");
    }

    @Test
    void moreObjectsThanAPageHoldsAreAllFetched() throws Exception {
        store.bucket("many");
        IntStream.range(0, 1205).forEach(i -> store.put("many", "p/" + i, Integer.toString(i)));

        new Fetching().fetch(store.dataset("s3://many/p"), target);

        assertThat(Fetching.files(target))
                .hasSize(1205)
                .allSatisfy((name, content) -> assertThat(content).isEqualTo(name));
    }

    @Test
    void aBigObjectIsPutTogetherOfItsParts() throws Exception {
        store.bucket("big");
        store.put("big", "single", big);
        String upload = store.client()
                .createMultipartUpload(request -> request.bucket("big").key("multi"))
                .uploadId();
        List<CompletedPart> parts = List.of(part(upload, 1, 0, PART), part(upload, 2, PART, big.length));
        String etag = store.client()
                .completeMultipartUpload(request ->
                        request.bucket("big").key("multi").uploadId(upload).multipartUpload(all -> all.parts(parts)))
                .eTag();
        assertThat(etag).contains("-2");

        new Fetching().pieces(700_001).fetch(store.dataset("s3://big/"), target);

        assertThat(target.resolve("single")).hasBinaryContent(big);
        assertThat(target.resolve("multi")).hasBinaryContent(big);
    }

    private static CompletedPart part(String upload, int number, int from, int end) {
        String etag = store.client()
                .uploadPart(
                        request -> request.bucket("big")
                                .key("multi")
                                .uploadId(upload)
                                .partNumber(number),
                        RequestBody.fromBytes(java.util.Arrays.copyOfRange(big, from, end)))
                .eTag();
        return CompletedPart.builder().partNumber(number).eTag(etag).build();
    }

    @Test
    void fetchingAgainFetchesOnlyWhatChanged() throws Exception {
        store.bucket("again");
        store.put("again", "a", "old a");
        store.put("again", "b", "old b");
        new Fetching().fetch(store.dataset("s3://again"), target);
        store.put("again", "b", "new content of b");

        new Fetching().fetch(store.dataset("s3://again"), target);

        assertThat(Fetching.files(target)).containsEntry("a", "old a").containsEntry("b", "new content of b");
    }

    @Test
    void aBucketThatDoesNotExistIsCalledSo() {
        refused(store.dataset("s3://no-such-bucket/x"), "NotFound")
                .hasMessageContaining("no bucket 'no-such-bucket'")
                .hasMessageContaining(store.endpoint());
    }

    @Test
    void nothingUnderAUriIsAnError() {
        refused(store.dataset("s3://data/nothing"), "NotFound").hasMessageContaining("s3://data/nothing");
        refused(store.dataset("s3://data/nothing/"), "NotFound").hasMessageContaining("s3://data/nothing/");
    }

    @Test
    void wrongKeysAreUnauthorizedAndNotShown() {
        InitializerSpec wrongKey = S3.dataset("s3://data/dir/")
                .endpoint(store.endpoint())
                .credentials(Secret.of(Store.ID), Secret.of("canary-key"))
                .spec();
        InitializerSpec wrongId = S3.dataset("s3://data/dir/")
                .endpoint(store.endpoint())
                .credentials(Secret.of("canary-id"), Secret.of(Store.KEY))
                .spec();

        refused(wrongKey, "Unauthorized")
                .hasMessageContaining("secret_access_key")
                .hasMessageNotContaining("canary");
        refused(wrongId, "Unauthorized").hasMessageContaining("access_key_id").hasMessageNotContaining("canary");
    }

    @Test
    void anonymousIsForbiddenWhereKeysAreWanted() {
        InitializerSpec anonymous = S3.dataset("s3://data/dir/")
                .endpoint(store.endpoint())
                .anonymous()
                .spec();

        refused(anonymous, "Forbidden").hasMessageContaining("leave out anonymous");
    }

    private org.assertj.core.api.AbstractThrowableAssert<?, ?> refused(InitializerSpec spec, String reason) {
        return assertThatThrownBy(() -> new Fetching().fetch(spec, target))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains(reason));
    }
}
