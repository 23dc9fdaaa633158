package io.github.trainer4j.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.testkit.hub.Http.Reply;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers that are wrong from their head on, and which answers a fault chooses. */
class FaultyAnswerTest {

    private static final String FILE = "/m/resolve/main/f.txt";

    private final FakeHub hub = FakeHub.start();

    @BeforeEach
    void fill() {
        hub.model("m").file("f.txt", "0123456789").lfs("big.bin", new byte[] {1, 2, 3});
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void tooManyRequestsThreeTimesThenGood() throws IOException {
        InjectedFault fault = hub.inject(Fault.tooManyRequests(1).on("/api/*").times(3));
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            statuses.add(Http.get(hub.endpoint(), "/api/models/m").status());
        }

        assertThat(statuses).containsExactly(429, 429, 429, 200, 200);
        assertThat(fault.hits()).isEqualTo(3);
        assertThat(hub.requests()).extracting(RecordedRequest::status).isEqualTo(statuses);
    }

    @Test
    void theTimeToWaitIsToldInThreeForms() throws IOException {
        hub.inject(Fault.tooManyRequests(7).times(1));
        assertThat(Http.get(hub.endpoint(), FILE).header("Retry-After")).isEqualTo("7");
        hub.clearFaults();

        hub.inject(Fault.tooManyRequests(Instant.parse("2030-01-02T03:04:05Z")));
        assertThat(Http.get(hub.endpoint(), FILE).header("Retry-After")).isEqualTo("Wed, 2 Jan 2030 03:04:05 GMT");
        hub.clearFaults();

        hub.inject(Fault.rateLimited(9));
        Reply limited = Http.get(hub.endpoint(), FILE);
        assertThat(limited.status()).isEqualTo(429);
        assertThat(limited.header("Retry-After")).isEmpty();
        assertThat(limited.header("RateLimit")).isEqualTo("\"resolvers\";r=0;t=9");
    }

    @Test
    void aServerErrorIsAPageOfAProxy() throws IOException {
        hub.inject(Fault.status(503));

        Reply reply = Http.get(hub.endpoint(), "/api/models/m");

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.text()).startsWith("<html>");
        assertThat(reply.header("X-Error-Code")).isEmpty();
    }

    @Test
    void aRefusalInTheHubsOwnWay() throws IOException {
        hub.inject(Fault.error(403, "", "Access to this resource is disabled."));

        Reply reply = Http.get(hub.endpoint(), "/api/models/m");

        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.header("X-Error-Message")).isEqualTo("Access to this resource is disabled.");
        assertThat(reply.text()).isEqualTo("{\"error\":\"Access to this resource is disabled.\"}");
    }

    @Test
    void somethingElseComesWithAGoodStatus() throws IOException {
        hub.inject(Fault.instead("text/html", "<html>log in</html>"));

        Reply reply = Http.get(hub.endpoint(), FILE);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).isEqualTo("<html>log in</html>");
    }

    @Test
    void redirectsRelativeAndToTheOtherOrigin() throws IOException {
        hub.inject(Fault.redirect(307, "{target}").on("*f.txt").times(1));
        Reply relative = Http.get(hub.endpoint(), FILE + "?download=true");
        hub.inject(Fault.redirect(302, hub.cdn() + "{target}").on("*f.txt").at(Origin.HUB));
        Reply across = Http.get(hub.endpoint(), FILE);

        assertThat(relative.status()).isEqualTo(307);
        assertThat(relative.header("Location")).isEqualTo(FILE + "?download=true");
        assertThat(relative.header("Content-Length")).isEqualTo(String.valueOf(relative.body().length));
        assertThat(across.location()).isEqualTo(hub.cdn().resolve(FILE));
        assertThat(Http.get(across.location()).text()).isEqualTo("0123456789");
    }

    @Test
    void aMirrorDropsTheHubsHeaders() throws IOException {
        hub.inject(Fault.withoutHubHeaders());

        Reply file = Http.get(hub.endpoint(), FILE);
        Reply redirect = Http.get(hub.endpoint(), "/m/resolve/main/big.bin");
        Reply missing = Http.get(hub.endpoint(), "/m/resolve/main/nope");

        for (Reply reply : List.of(file, redirect, missing)) {
            assertThat(reply.headerNames())
                    .doesNotContain("ETag", "X-Repo-Commit", "X-Linked-Size", "X-Linked-Etag", "X-Error-Code");
        }
        assertThat(file.text()).isEqualTo("0123456789");
        assertThat(redirect.status()).isEqualTo(302);
        assertThat(missing.status()).isEqualTo(404);
    }

    @Test
    void headersAreSetAndLeftOut() throws IOException {
        hub.inject(Fault.header("X-Linked-Size", "0").and(Fault.withoutHeaders("ETag", "X-Linked-Etag")));

        Reply redirect = Http.get(hub.endpoint(), "/m/resolve/main/big.bin");

        assertThat(redirect.header("X-Linked-Size")).isEqualTo("0");
        assertThat(redirect.header("X-Linked-Etag")).isEmpty();
        assertThat(redirect.header("X-Repo-Commit")).isNotEmpty();
    }

    @Test
    void theNextPageIsLinkedAtAnotherOrigin() throws IOException {
        hub.pageSize(1);
        hub.inject(Fault.nextPageAt(hub.cdn()));

        String link = Http.get(hub.endpoint(), "/api/models/m/tree/main").header("Link");

        assertThat(link).startsWith("<" + hub.cdn() + "/api/models/m/tree/main?");
        assertThat(Http.get(URI.create(link.substring(1, link.indexOf('>')))).text())
                .contains("f.txt");
        assertThat(hub.requests().get(1).origin()).isEqualTo(Origin.CDN);
    }

    @Test
    void aRangeIsIgnored() throws IOException {
        InjectedFault fault = hub.inject(Fault.ignoringRange());

        Reply reply = Http.get(hub.endpoint(), FILE, "Range: bytes=5-");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Range")).isEmpty();
        assertThat(reply.text()).isEqualTo("0123456789");
        assertThat(Http.get(hub.endpoint(), FILE).status()).isEqualTo(200);
        assertThat(fault.hits()).isEqualTo(1);
    }

    @Test
    void anotherRangeComesAndIsToldHonestly() throws IOException {
        hub.inject(Fault.rangeFrom(2));

        Reply reply = Http.get(hub.endpoint(), FILE, "Range: bytes=5-7");

        assertThat(reply.status()).isEqualTo(206);
        assertThat(reply.header("Content-Range")).isEqualTo("bytes 2-7/10");
        assertThat(reply.text()).isEqualTo("234567");
    }

    @Test
    void aContentRangeLies() throws IOException {
        hub.inject(Fault.contentRange("bytes 0-4/99"));

        Reply reply = Http.get(hub.endpoint(), FILE, "Range: bytes=5-");

        assertThat(reply.status()).isEqualTo(206);
        assertThat(reply.header("Content-Range")).isEqualTo("bytes 0-4/99");
        assertThat(reply.text()).isEqualTo("56789");
    }

    @Test
    void aGoodRangeIsRefused() throws IOException {
        hub.inject(Fault.rangeNotSatisfiable().times(1));

        Reply refused = Http.get(hub.endpoint(), FILE, "Range: bytes=5-");

        assertThat(refused.status()).isEqualTo(416);
        assertThat(refused.header("Content-Range")).isEqualTo("bytes */10");
        assertThat(Http.get(hub.endpoint(), FILE, "Range: bytes=5-").status()).isEqualTo(206);
    }

    @Test
    void aTaskMovesTheBranchAfterTheListing() throws IOException {
        HubRepository model = hub.model("m");
        String first = model.sha();
        hub.inject(Fault.running(() -> model.file("f.txt", "moved"))
                .on("/api/models/m/revision/*")
                .times(1));

        String info = Http.get(hub.endpoint(), "/api/models/m/revision/main").text();

        assertThat(info).contains(first);
        assertThat(model.sha()).isNotEqualTo(first);
        assertThat(Http.get(hub.endpoint(), FILE).text()).isEqualTo("moved");
        assertThat(Http.get(hub.endpoint(), "/m/resolve/" + first + "/f.txt").text())
                .isEqualTo("0123456789");
    }

    @Test
    void aFaultIsNarrowedByMethodListenerConditionAndCount() throws IOException {
        InjectedFault fault = hub.inject(Fault.status(500)
                .on("*big.bin")
                .method("GET")
                .at(Origin.CDN)
                .when(request -> request.range().isEmpty())
                .skip(1)
                .times(1));

        assertThat(Http.head(hub.endpoint(), "/m/resolve/main/big.bin").status())
                .isEqualTo(302);
        assertThat(Http.follow(hub.endpoint(), "/m/resolve/main/big.bin").status())
                .as("the one it skips")
                .isEqualTo(200);
        assertThat(Http.follow(hub.endpoint(), "/m/resolve/main/big.bin").status())
                .isEqualTo(500);
        assertThat(Http.follow(hub.endpoint(), "/m/resolve/main/big.bin").status())
                .isEqualTo(200);
        assertThat(fault.hits()).isEqualTo(1);
        assertThat(fault)
                .hasToString(
                        "status 500 on *big.bin for GET at CDN on a condition, not the first 1, 1 times (1 so far)");
    }

    @Test
    void faultsTakePartInTheirOrder() throws IOException {
        hub.inject(Fault.status(500).times(1));
        InjectedFault header = hub.inject(Fault.header("X-Also", "yes"));
        InjectedFault cut = hub.inject(Fault.corruptByteAt(0));

        Reply reply = Http.get(hub.endpoint(), FILE);

        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.header("X-Also")).isEqualTo("yes");
        assertThat(header.hits()).isEqualTo(1);
        assertThat(cut.hits()).as("an error page is no file").isZero();
    }

    @Test
    void aCountHoldsUnderManyClients() throws Exception {
        InjectedFault fault = hub.inject(Fault.status(503).times(5));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Integer>> statuses = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                statuses.add(threads.submit(() -> Http.get(hub.endpoint(), FILE).status()));
            }
            int failed = 0;
            for (Future<Integer> status : statuses) {
                failed += status.get(30, TimeUnit.SECONDS) == 503 ? 1 : 0;
            }
            assertThat(failed).isEqualTo(5);
            assertThat(fault.hits()).isEqualTo(5);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void hitsCanBeAwaited() throws Exception {
        InjectedFault fault = hub.inject(Fault.status(500));

        assertThat(fault.awaitHits(1, Duration.ofMillis(20))).isFalse();
        Http.get(hub.endpoint(), FILE);
        assertThat(fault.awaitHits(1, Duration.ofSeconds(20))).isTrue();
        fault.remove();
        assertThat(Http.get(hub.endpoint(), FILE).status()).isEqualTo(200);
    }

    @Test
    void impossibleFaultsAreRefused() {
        assertThatThrownBy(() -> Fault.status(500).times(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fault.status(500).skip(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fault.bytesPerSecond(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
