package io.github.trainer4j.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Its life, and what it remembers. */
class FakeHubTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void closingEndsStallsDelaysSlowBodiesAndIdleConnectionsAtOnce() throws Exception {
        FakeHub hub = FakeHub.start();
        hub.model("m").file("stalled", "x".repeat(100)).file("delayed", "x").file("slow", "x".repeat(100_000));
        hub.inject(Fault.stallAfter(10).on("*stalled"));
        InjectedFault delay = hub.inject(Fault.delay(Duration.ofHours(1)).on("*delayed"));
        InjectedFault slow = hub.inject(Fault.bytesPerSecond(1).on("*slow"));
        List<Future<?>> downloads = new ArrayList<>();
        for (String name : List.of("stalled", "delayed", "slow")) {
            downloads.add(threads.submit(() -> Http.get(hub.endpoint(), "/m/resolve/main/" + name)));
        }
        Socket idle = Http.connect(hub.cdn());
        assertThat(hub.awaitStalled(1, LONG)).isTrue();
        assertThat(delay.awaitHits(1, LONG)).isTrue();
        assertThat(slow.awaitHits(1, LONG)).isTrue();

        long start = System.nanoTime();
        hub.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        assertThat(threadsOf(hub)).isEmpty();
        assertThat(hub.stalled()).isZero();
        for (Future<?> download : downloads) {
            assertThatEnds(download);
        }
        idle.close();
    }

    @Test
    void aClosedHubTakesNoConnection() {
        FakeHub hub = FakeHub.start();
        URI endpoint = hub.endpoint();
        hub.close();
        hub.close();

        assertThatThrownBy(() -> Http.get(endpoint, "/")).isInstanceOf(IOException.class);
    }

    @Test
    void aFaultMayCloseTheHub() throws Exception {
        FakeHub hub = FakeHub.start();
        hub.model("m").file("a", "x");
        CountDownLatch closed = new CountDownLatch(1);
        hub.inject(Fault.running(() -> {
            hub.close();
            closed.countDown();
        }));

        Future<?> download = threads.submit(() -> Http.get(hub.endpoint(), "/m/resolve/main/a"));

        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThatEnds(download);
    }

    @Test
    void hubsLiveSideBySide() throws IOException {
        try (FakeHub one = FakeHub.start();
                FakeHub two = FakeHub.start()) {
            one.model("m").file("a", "1");
            two.model("m").file("a", "2");

            assertThat(List.of(
                            one.endpoint().getPort(),
                            one.cdn().getPort(),
                            two.endpoint().getPort(),
                            two.cdn().getPort()))
                    .doesNotHaveDuplicates();
            assertThat(Http.get(one.endpoint(), "/m/resolve/main/a").text()).isEqualTo("1");
            assertThat(Http.get(two.endpoint(), "/m/resolve/main/a").text()).isEqualTo("2");
        }
    }

    @Test
    void requestsAreRememberedWithAllThatAnAssertionNeeds() throws Exception {
        try (FakeHub hub = FakeHub.start()) {
            hub.model("m").file("a b", "0123456789");
            Http.head(hub.endpoint(), "/m/resolve/main/a%20b");
            Thread.sleep(20);
            Http.get(hub.endpoint(), "/m/resolve/main/a%20b?x=1%202&y", "Range: bytes=4-5", "X-Mine: v");

            List<RecordedRequest> all = hub.requests();
            RecordedRequest get = all.get(1);

            assertThat(all).extracting(RecordedRequest::method).containsExactly("HEAD", "GET");
            assertThat(get.origin()).isEqualTo(Origin.HUB);
            assertThat(get.target()).isEqualTo("/m/resolve/main/a%20b?x=1%202&y");
            assertThat(get.path()).isEqualTo("/m/resolve/main/a b");
            assertThat(get.query("x")).contains("1 2");
            assertThat(get.query("y")).contains("");
            assertThat(get.query("z")).isEmpty();
            assertThat(get.range()).contains("bytes=4-5");
            assertThat(get.header("x-mine")).contains("v");
            assertThat(get.status()).isEqualTo(206);
            assertThat(get.since(all.get(0))).isBetween(Duration.ofMillis(20), LONG);
            assertThat(hub.requests("*/a b")).isEqualTo(all);
            assertThat(hub.requests("*/a")).isEmpty();
            assertThat(hub.bytesSent()).isEqualTo(2);

            hub.forget();

            assertThat(hub.requests()).isEmpty();
            assertThat(hub.bytesSent()).isZero();
        }
    }

    @Test
    void answersAtOnceAreCounted() throws Exception {
        try (FakeHub hub = FakeHub.start()) {
            hub.model("m").file("a", "x");
            for (int i = 0; i < 3; i++) {
                Http.get(hub.endpoint(), "/m/resolve/main/a");
            }
            assertThat(hub.mostAtOnce()).isEqualTo(1);
            hub.inject(Fault.stallAfter(0));
            List<Future<?>> downloads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                downloads.add(threads.submit(() -> Http.get(hub.endpoint(), "/m/resolve/main/a")));
            }

            assertThat(hub.awaitStalled(3, LONG)).isTrue();
            assertThat(hub.mostAtOnce()).isEqualTo(3);
            assertThat(hub.connections()).isGreaterThanOrEqualTo(3);
            hub.releaseStalls();
            for (Future<?> download : downloads) {
                download.get(20, TimeUnit.SECONDS);
            }
        }
    }

    private static void assertThatEnds(Future<?> download) throws Exception {
        try {
            download.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(IOException.class);
        }
    }

    private static List<String> threadsOf(FakeHub hub) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("fake-hub-" + hub.endpoint().getPort() + "-")
                        || name.startsWith("fake-hub-" + hub.cdn().getPort() + "-"))
                .toList();
    }
}
