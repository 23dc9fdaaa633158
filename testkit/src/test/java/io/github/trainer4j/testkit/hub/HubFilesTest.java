package io.github.trainer4j.testkit.hub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.testkit.hub.Http.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HubFilesTest {

    private static final Content BIG = Content.generated(11, 300_000);

    private final FakeHub hub = FakeHub.start();

    @TempDir
    Path dir;

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void aSmallFileIsServedByTheHub() throws IOException {
        HubRepository data = hub.dataset("org/data").file("train/a.csv", "1,2\n");

        Reply reply = Http.get(hub.endpoint(), "/datasets/org/data/resolve/main/train/a.csv");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).isEqualTo("1,2\n");
        assertThat(reply.header("X-Repo-Commit")).isEqualTo(data.sha());
        assertThat(reply.header("ETag")).isEqualTo('"' + Content.of("1,2\n").blobSha1() + '"');
        assertThat(reply.header("Accept-Ranges")).isEqualTo("bytes");
        assertThat(reply.header("Content-Length")).isEqualTo("4");
    }

    @Test
    void aLargeFileIsRedirectedToTheStoreAtAnotherOrigin() throws IOException {
        HubRepository model = hub.model("org/m").lfs("sub dir/big.bin", BIG);

        Reply redirect = Http.get(hub.endpoint(), "/org/m/resolve/main/sub%20dir/big.bin");

        assertThat(redirect.status()).isEqualTo(302);
        assertThat(redirect.header("X-Linked-Size")).isEqualTo("300000");
        assertThat(redirect.header("X-Linked-Etag")).isEqualTo('"' + BIG.sha256() + '"');
        assertThat(redirect.header("X-Repo-Commit")).isEqualTo(model.sha());
        assertThat(redirect.header("Location")).startsWith(hub.cdn() + "/");
        assertThat(redirect.header("Content-Length"))
                .as("of the redirect's own text")
                .isNotEqualTo("300000")
                .isEqualTo(String.valueOf(redirect.body().length));
        Reply file = Http.get(redirect.location());
        assertThat(file.status()).isEqualTo(200);
        assertThat(file.body()).isEqualTo(BIG.bytes());
        assertThat(hub.requests("*/sub dir/big.bin"))
                .extracting(RecordedRequest::origin)
                .containsExactly(Origin.HUB, Origin.CDN);
    }

    @Test
    void headTellsTheSameWithoutABody() throws IOException {
        hub.model("m").lfs("big.bin", BIG).file("small", "abc");

        Reply large = Http.head(hub.endpoint(), "/m/resolve/main/big.bin");
        Reply small = Http.head(hub.endpoint(), "/m/resolve/main/small");

        assertThat(large.status()).isEqualTo(302);
        assertThat(large.header("X-Linked-Size")).isEqualTo("300000");
        assertThat(small.status()).isEqualTo(200);
        assertThat(small.header("Content-Length")).isEqualTo("3");
        assertThat(small.body()).isEmpty();
        assertThat(hub.bytesSent()).isZero();
    }

    @Test
    void rangesAreServedInAllThreeForms() throws IOException {
        hub.model("m").file("f", "0123456789");

        Reply middle = Http.get(hub.endpoint(), "/m/resolve/main/f", "Range: bytes=2-4");
        Reply tail = Http.get(hub.endpoint(), "/m/resolve/main/f", "Range: bytes=7-");
        Reply suffix = Http.get(hub.endpoint(), "/m/resolve/main/f", "Range: bytes=-2");
        Reply beyond = Http.get(hub.endpoint(), "/m/resolve/main/f", "Range: bytes=8-99");

        assertThat(middle.status()).isEqualTo(206);
        assertThat(middle.header("Content-Range")).isEqualTo("bytes 2-4/10");
        assertThat(middle.header("Content-Length")).isEqualTo("3");
        assertThat(List.of(middle.text(), tail.text(), suffix.text(), beyond.text()))
                .containsExactly("234", "789", "89", "89");
        assertThat(beyond.header("Content-Range")).isEqualTo("bytes 8-9/10");
    }

    @Test
    void aRangeBehindTheEndCannotBeSatisfied() throws IOException {
        hub.model("m").file("f", "0123456789");

        Reply reply = Http.get(hub.endpoint(), "/m/resolve/main/f", "Range: bytes=10-");

        assertThat(reply.status()).isEqualTo(416);
        assertThat(reply.header("Content-Range")).isEqualTo("bytes */10");
    }

    @Test
    void severalRangesOrNonsenseAreIgnored() throws IOException {
        hub.model("m").file("f", "0123456789");

        for (String range : List.of("bytes=0-1,3-4", "lines=1-2", "bytes=4-2", "bytes=-")) {
            assertThat(Http.get(hub.endpoint(), "/m/resolve/main/f", "Range: " + range)
                            .status())
                    .as(range)
                    .isEqualTo(200);
        }
    }

    @Test
    void ifRangeAndIfNoneMatchCompareTheEntityTag() throws IOException {
        hub.model("m").file("f", "0123456789");
        String etag = Http.head(hub.endpoint(), "/m/resolve/main/f").header("ETag");

        assertThat(Http.get(hub.endpoint(), "/m/resolve/main/f", "Range: bytes=5-", "If-Range: " + etag)
                        .status())
                .isEqualTo(206);
        assertThat(Http.get(hub.endpoint(), "/m/resolve/main/f", "Range: bytes=5-", "If-Range: \"old\"")
                        .status())
                .isEqualTo(200);
        assertThat(Http.get(hub.endpoint(), "/m/resolve/main/f", "If-None-Match: " + etag)
                        .status())
                .isEqualTo(304);
    }

    @Test
    void smallFilesMayBeRedirectedWithinTheHub() throws IOException {
        HubRepository model = hub.model("org/m").file("a b.json", "{\"x\":1}");
        hub.redirectingSmallFiles();

        Reply redirect = Http.get(hub.endpoint(), "/org/m/resolve/main/a%20b.json");

        assertThat(redirect.status()).isEqualTo(307);
        assertThat(redirect.header("Location"))
                .isEqualTo("/api/resolve-cache/models/org/m/" + model.sha() + "/a%20b.json");
        assertThat(redirect.header("X-Linked-Size")).isEqualTo("7");
        assertThat(Http.get(redirect.location()).text()).isEqualTo("{\"x\":1}");
        assertThat(Http.get(redirect.location()).header("X-Repo-Commit")).isEqualTo(model.sha());
    }

    @Test
    void namesWithEveryKindOfCharacterAreFoundOnBothListeners() throws IOException {
        List<String> names = List.of("a b", "a+b", "50%", "a#b?c", "\u00e4\u4e2d", "C:\\x", "q=\"1\"&r");
        HubRepository model = hub.model("org/m");
        names.forEach(name -> model.lfs("dir/" + name, name.getBytes(UTF_8)));

        for (String name : names) {
            assertThat(Http.follow(hub.endpoint(), "/org/m/resolve/main/dir/" + Urls.component(name))
                            .text())
                    .isEqualTo(name);
            assertThat(hub.requests("/*/dir/" + name)).as(name).hasSize(2);
        }
    }

    @Test
    void theStoreMayHaveAHostNameOfItsOwn() throws IOException {
        hub.model("m").lfs("big.bin", BIG);
        hub.cdnHost("localhost");

        URI link = Http.get(hub.endpoint(), "/m/resolve/main/big.bin").location();

        assertThat(link.getHost()).isEqualTo(hub.cdn().getHost()).isEqualTo("localhost");
        assertThat(Http.get(link).body()).isEqualTo(BIG.bytes());
    }

    @Test
    void linksToTheStoreExpireWhenTold() throws IOException {
        hub.model("m").lfs("big.bin", BIG);
        URI link = Http.get(hub.endpoint(), "/m/resolve/main/big.bin").location();
        assertThat(Http.get(link).status()).isEqualTo(200);

        hub.expireLinks();

        assertThat(Http.get(link).status()).isEqualTo(403);
        assertThat(Http.follow(hub.endpoint(), "/m/resolve/main/big.bin").status())
                .isEqualTo(200);
    }

    @Test
    void aFileLargerThanTheBuffersArrivesWholeOverJavasOtherClient() throws Exception {
        Content large = Content.generated(5, 20_000_000);
        hub.model("m").lfs("big.bin", large);
        HttpRequest request = HttpRequest.newBuilder(hub.endpoint().resolve("/m/resolve/main/big.bin"))
                .build();

        HttpResponse<Path> response = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.ALWAYS)
                .build()
                .send(request, HttpResponse.BodyHandlers.ofFile(dir.resolve("big.bin")));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(large.isIn(response.body())).isTrue();
        assertThat(hub.bytesSent()).isEqualTo(20_000_000);
    }

    @Test
    void theEndOfAFileOfManyGigabytesIsServedAtOnce() throws IOException {
        Content huge = Content.phantom(3_000_000_000_000L);
        hub.dataset("d").lfs("huge.bin", huge);
        URI link = Http.get(hub.endpoint(), "/datasets/d/resolve/main/huge.bin").location();

        Reply tail = Http.get(
                URI.create("http://" + link.getAuthority()),
                link.getRawPath() + "?" + link.getRawQuery(),
                "Range: bytes=2999999999997-");

        assertThat(tail.header("Content-Range")).isEqualTo("bytes 2999999999997-2999999999999/3000000000000");
        assertThat(tail.body()).hasSize(3);
    }

    @Test
    void connectionsAreKeptAliveAcrossAnswers() throws Exception {
        hub.model("m").file("a", "aaaa").file("b", "bb");
        try (Socket socket = Http.connect(hub.endpoint())) {
            InputStream in = socket.getInputStream();
            for (String name : List.of("a", "b", "a")) {
                socket.getOutputStream()
                        .write(("GET /m/resolve/main/" + name + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(UTF_8));
                String head = "";
                while (!head.endsWith("\r\n\r\n")) {
                    head += (char) in.read();
                }
                int length = name.equals("a") ? 4 : 2;
                assertThat(new String(in.readNBytes(length), UTF_8)).isEqualTo(name.repeat(length));
            }
        }
        assertThat(hub.requests()).hasSize(3);
    }

    @Test
    void aMovedBranchLeavesOlderCommitsAsTheyWere() throws IOException {
        HubRepository data = hub.dataset("d").file("a", "old").file("gone", "x");
        String before = data.sha();

        String after =
                data.commit(change -> change.file("a", "new").file("b", "b").remove("gone"));

        assertThat(after).isEqualTo(data.sha()).isNotEqualTo(before);
        assertThat(Http.get(hub.endpoint(), "/datasets/d/resolve/" + before + "/a")
                        .text())
                .isEqualTo("old");
        assertThat(Http.get(hub.endpoint(), "/datasets/d/resolve/" + before + "/gone")
                        .status())
                .isEqualTo(200);
        assertThat(Http.get(hub.endpoint(), "/datasets/d/resolve/main/a").text())
                .isEqualTo("new");
        assertThat(Http.get(hub.endpoint(), "/datasets/d/resolve/main/gone").status())
                .isEqualTo(404);
        assertThat(data.content("a").bytes()).isEqualTo("new".getBytes(UTF_8));
    }

    @Test
    void theSameFilesHaveTheSameCommitInEveryRun() {
        try (FakeHub other = FakeHub.start()) {
            String here = hub.model("org/m").file("a", "1").lfs("b", BIG).sha();
            String there = other.model("org/m").lfs("b", BIG).file("a", "1").sha();

            assertThat(here).isEqualTo(there).matches("[0-9a-f]{40}");
        }
    }

    @Test
    void mistakesOfTheTestAreTold() {
        HubRepository model = hub.model("m").file("a", "");

        assertThatThrownBy(() -> model.remove("b"))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("[a]");
        assertThatThrownBy(() -> model.content("b")).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(() -> model.ref("main")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> hub.model("a/b/c")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> hub.pageSize(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Arrays.asList(model.id(), model.toString())).containsExactly("m", "MODEL m");
    }

    @Test
    void onlyReadingIsPlayedAndBadAddressesAreTold() throws Exception {
        hub.model("m").file("a", "");
        HttpRequest post = HttpRequest.newBuilder(hub.endpoint().resolve("/api/models/m"))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();

        assertThat(HttpClient.newHttpClient()
                        .send(post, HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(405);
        try (Socket socket = Http.connect(hub.endpoint())) {
            socket.getOutputStream().write("GET /m/resolve/%ZZ HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(UTF_8));
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 400 ");
        }
        assertThat(hub.requests("*%ZZ")).hasSize(1);
    }
}
