package io.github.trainer4j.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.testkit.hub.Http.Reply;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HubListingTest {

    private final FakeHub hub = FakeHub.start();

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void aRevisionTellsItsCommitAndItsFiles() throws IOException {
        HubRepository data = hub.dataset("org/data").file("a.csv", "1").lfs("b/c.bin", new byte[] {2});

        Reply reply = Http.get(hub.endpoint(), "/api/datasets/org/data/revision/main");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).startsWith("application/json");
        assertThat(reply.text())
                .contains("\"sha\":\"" + data.sha() + "\"")
                .contains("\"siblings\":[{\"rfilename\":\"a.csv\"},{\"rfilename\":\"b/c.bin\"}]")
                .contains("\"gated\":false", "\"id\":\"org/data\"", "\"author\":\"org\"");
    }

    @Test
    void aRevisionTellsSizesAndDigestsWhenAskedForBlobs() throws IOException {
        Content big = Content.of("big");
        hub.model("m").lfs("b.bin", big);

        assertThat(Http.get(hub.endpoint(), "/api/models/m/revision/main?blobs=true")
                        .text())
                .contains("\"size\":3")
                .contains("\"lfs\":{\"sha256\":\"" + big.sha256() + "\"");
        assertThat(Http.get(hub.endpoint(), "/api/models/m/revision/main").text())
                .doesNotContain("\"size\"");
    }

    @Test
    void anIdWithoutAnOrganisationIsFound() throws IOException {
        hub.model("gpt2").file("config.json", "{}");

        assertThat(Http.get(hub.endpoint(), "/api/models/gpt2").status()).isEqualTo(200);
        assertThat(Http.get(hub.endpoint(), "/api/models/gpt2/revision/main").status())
                .isEqualTo(200);
        assertThat(Http.get(hub.endpoint(), "/api/models/gpt2/tree/main").text())
                .contains("config.json");
        assertThat(Http.get(hub.endpoint(), "/gpt2/resolve/main/config.json").text())
                .isEqualTo("{}");
    }

    @Test
    void modelsAndDatasetsOfOneNameAreTwo() throws IOException {
        hub.model("org/x").file("model.txt", "m");
        hub.dataset("org/x").file("data.txt", "d");

        assertThat(Http.get(hub.endpoint(), "/api/models/org/x/tree/main").text())
                .contains("model.txt")
                .doesNotContain("data.txt");
        assertThat(Http.get(hub.endpoint(), "/datasets/org/x/resolve/main/data.txt")
                        .text())
                .isEqualTo("d");
    }

    @Test
    void aBareTreeHoldsJustWhatADownloadNeeds() throws IOException {
        Content small = Content.of("small");
        Content big = Content.of("big");
        hub.model("org/m").file("dir/s.txt", small).lfs("b.bin", big);
        hub.listing(Listing.BARE);
        Content pointer =
                Content.of("version https://git-lfs.github.com/spec/v1\noid sha256:" + big.sha256() + "\nsize 3\n");

        assertThat(Http.get(hub.endpoint(), "/api/models/org/m/tree/main?recursive=true")
                        .text())
                .isEqualTo("[{\"type\":\"file\",\"oid\":\"" + pointer.blobSha1()
                        + "\",\"size\":3,\"lfs\":{\"oid\":\"" + big.sha256()
                        + "\",\"size\":3},\"path\":\"b.bin\"},{\"type\":\"directory\",\"oid\":\""
                        + Sha.hex("SHA-1", "tree dir")
                        + "\",\"size\":0,\"path\":\"dir\"},{\"type\":\"file\",\"oid\":\"" + small.blobSha1()
                        + "\",\"size\":5,\"path\":\"dir/s.txt\"}]");
        assertThat(Http.get(hub.endpoint(), "/api/models/org/m/revision/main").text())
                .matches("\\{\"sha\":\"[0-9a-f]{40}\",\"siblings\":\\[.*]}");
    }

    @Test
    void aCrowdedListingHasFiftyUnknownFieldsInEveryObject() throws IOException {
        hub.model("org/m").lfs("b.bin", new byte[1]);
        hub.listing(Listing.CROWDED);

        String tree = Http.get(hub.endpoint(), "/api/models/org/m/tree/main").text();
        String info =
                Http.get(hub.endpoint(), "/api/models/org/m/revision/main").text();

        assertThat(Pattern.compile("\"unknown\\d+\":").matcher(tree).results()).hasSize(100);
        assertThat(Pattern.compile("\"unknown\\d+\":").matcher(info).results()).hasSize(100);
        assertThat(tree).contains(":null", ":1.5E300", ":false", ":[1,\"two\",[]]", "\\\"with\\\" \\\\");
    }

    @Test
    void aTreeIsFlatOrRecursiveAndMayStartInAFolder() throws IOException {
        hub.dataset("d").file("x/y/1", "").file("x/2", "").file("3", "").file("x/y/4", "");

        assertThat(paths(Http.get(hub.endpoint(), "/api/datasets/d/tree/main"))).containsExactly("3", "x");
        assertThat(paths(Http.get(hub.endpoint(), "/api/datasets/d/tree/main/x")))
                .containsExactly("x/2", "x/y");
        assertThat(paths(Http.get(hub.endpoint(), "/api/datasets/d/tree/main/x%2Fy?recursive=True")))
                .containsExactly("x/y/1", "x/y/4");
        assertThat(paths(Http.get(hub.endpoint(), "/api/datasets/d/tree/main?recursive=true")))
                .containsExactly("3", "x", "x/2", "x/y", "x/y/1", "x/y/4");
        assertThat(Http.get(hub.endpoint(), "/api/datasets/d/tree/main/nowhere").status())
                .isEqualTo(404);
    }

    @Test
    void expandAddsTheLastCommit() throws IOException {
        HubRepository model = hub.model("m").file("a", "");

        assertThat(Http.get(hub.endpoint(), "/api/models/m/tree/main?expand=true")
                        .text())
                .contains("\"lastCommit\":{")
                .contains(model.sha());
        assertThat(Http.get(hub.endpoint(), "/api/models/m/tree/main").text()).doesNotContain("lastCommit");
    }

    @Test
    void aTreeComesInPagesThatAreLinked() throws IOException {
        HubRepository data = hub.dataset("org/data");
        IntStream.range(0, 7).forEach(i -> data.file("f" + i, "x"));
        hub.pageSize(3);
        List<String> all = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();

        Reply reply = Http.get(hub.endpoint(), "/api/datasets/org/data/tree/main?recursive=true&expand=false");
        while (true) {
            all.addAll(paths(reply));
            sizes.add(paths(reply).size());
            String link = reply.header("Link");
            if (link.isEmpty()) {
                break;
            }
            assertThat(link).startsWith("<" + hub.endpoint()).endsWith(">; rel=\"next\"");
            assertThat(link).contains("recursive=true", "expand=false");
            reply = Http.get(URI.create(link.substring(1, link.indexOf('>'))));
        }

        assertThat(sizes).containsExactly(3, 3, 1);
        assertThat(all).containsExactly("f0", "f1", "f2", "f3", "f4", "f5", "f6");
    }

    @Test
    void aClientMayAskForSmallerPagesOnly() throws IOException {
        HubRepository data = hub.dataset("d");
        IntStream.range(0, 9).forEach(i -> data.file("f" + i, "x"));
        hub.pageSize(5);

        assertThat(paths(Http.get(hub.endpoint(), "/api/datasets/d/tree/main?limit=2")))
                .hasSize(2);
        assertThat(paths(Http.get(hub.endpoint(), "/api/datasets/d/tree/main?limit=8")))
                .hasSize(5);
    }

    @Test
    void hostileNamesAreListedAsTheyAre() throws IOException {
        List<String> names =
                List.of("../x", "a/../../x", "/etc/x", "C:\\x", "\\\\h\\s\\x", "a\\..\\x", "nul\0byte", "new\nline");
        HubRepository data = hub.dataset("d");
        names.forEach(name -> data.file(name, "evil"));

        String tree = Http.get(hub.endpoint(), "/api/datasets/d/tree/main?recursive=true")
                .text();

        assertThat(tree)
                .contains("\"path\":\"../x\"", "\"path\":\"a/../../x\"", "\"path\":\"/etc/x\"")
                .contains("\"path\":\"C:\\\\x\"", "\"path\":\"\\\\\\\\h\\\\s\\\\x\"", "\"path\":\"a\\\\..\\\\x\"")
                .contains("\"path\":\"nul\\u0000byte\"", "\"path\":\"new\\u000aline\"");
        assertThat(Http.get(hub.endpoint(), "/datasets/d/resolve/main//etc/x").text())
                .isEqualTo("evil");
        assertThat(Http.get(hub.endpoint(), "/datasets/d/resolve/main/C%3A%5Cx").text())
                .isEqualTo("evil");
    }

    @Test
    void aRevisionIsABranchATagAPullRequestOrACommit() throws IOException {
        HubRepository model = hub.model("org/m").file("v", "1").ref("v1.0").ref("refs/pr/7");
        String first = model.sha();
        model.file("v", "2");

        assertThat(model.sha()).isNotEqualTo(first);
        for (String revision : List.of("v1.0", "refs%2Fpr%2F7", "refs/pr/7", first)) {
            assertThat(Http.get(hub.endpoint(), "/api/models/org/m/revision/" + revision)
                            .text())
                    .contains(first);
            assertThat(Http.get(hub.endpoint(), "/org/m/resolve/" + revision + "/v")
                            .text())
                    .isEqualTo("1");
            assertThat(Http.get(hub.endpoint(), "/api/models/org/m/tree/" + revision)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(Http.get(hub.endpoint(), "/org/m/resolve/main/v").text()).isEqualTo("2");
    }

    @Test
    void whatIsMissingIsToldApart() throws IOException {
        hub.model("org/m").file("a", "");

        Reply revision = Http.get(hub.endpoint(), "/api/models/org/m/revision/nope");
        Reply tree = Http.get(hub.endpoint(), "/api/models/org/m/tree/nope");
        Reply entry = Http.get(hub.endpoint(), "/org/m/resolve/main/nope");
        Reply repository = Http.get(hub.endpoint(), "/api/models/org/nope/revision/main");

        assertThat(List.of(revision.status(), tree.status(), entry.status(), repository.status()))
                .containsExactly(404, 404, 404, 401);
        assertThat(revision.header("X-Error-Code")).isEqualTo("RevisionNotFound");
        assertThat(revision.header("X-Error-Message")).isEqualTo("Invalid rev id: nope");
        assertThat(revision.text()).isEqualTo("{\"error\":\"Invalid rev id: nope\"}");
        assertThat(tree.header("X-Error-Code")).isEqualTo("RevisionNotFound");
        assertThat(entry.header("X-Error-Code")).isEqualTo("EntryNotFound");
        assertThat(entry.header("X-Repo-Commit")).hasSize(40);
        assertThat(repository.header("X-Error-Code")).isEqualTo("RepoNotFound");
        assertThat(Http.get(hub.endpoint(), "/api/models/org/m/nothing").status())
                .isEqualTo(404);
    }

    @Test
    void aRenamedRepositoryRedirectsWithinTheHub() throws IOException {
        hub.model("new/name").formerly("old.er").file("a", "here");

        Reply api = Http.get(hub.endpoint(), "/api/models/old.er/revision/main?blobs=true");

        assertThat(api.status()).isEqualTo(307);
        assertThat(api.header("Location")).isEqualTo("/api/models/new/name/revision/main?blobs=true");
        assertThat(Http.follow(hub.endpoint(), "/old.er/resolve/main/a").text()).isEqualTo("here");
    }

    private static List<String> paths(Reply tree) {
        return Pattern.compile("\"path\":\"([^\"]*)\"")
                .matcher(tree.text())
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }
}
