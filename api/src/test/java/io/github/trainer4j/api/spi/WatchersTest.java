package io.github.trainer4j.api.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WatchersTest {
    private final Watchers watchers = new Watchers();
    private final List<String> called = new ArrayList<>();

    @Test
    void allWhoWatchAJobAreCalledUntilTheyCloseAndNoOther() throws Exception {
        AutoCloseable first = watchers.add("a", () -> called.add("first"));
        AutoCloseable second = watchers.add("a", () -> called.add("second"));
        AutoCloseable other = watchers.add("b", () -> called.add("other"));
        assertThat(watchers.jobs()).containsExactlyInAnyOrder("a", "b");

        watchers.tell("a");
        assertThat(called).containsExactly("first", "second");
        first.close();
        watchers.tell("a");
        assertThat(called).containsExactly("first", "second", "second");
        second.close();
        watchers.tell("a");
        assertThat(called).hasSize(3);
        assertThat(watchers.jobs()).containsExactly("b");
        other.close();
        assertThat(watchers.jobs()).isEmpty();
    }

    @Test
    void oneCallbackCanBeAddedTwiceAndEachIsClosedForItself() throws Exception {
        Runnable callback = () -> called.add("called");
        AutoCloseable first = watchers.add("a", callback);
        AutoCloseable second = watchers.add("a", callback);

        first.close();
        first.close();
        watchers.tell("a");
        assertThat(called).hasSize(1);
        second.close();
        assertThat(watchers.jobs()).isEmpty();
    }

    @Test
    void oneThatThrowsKeepsNoOtherFromBeingCalled() {
        watchers.add("a", () -> {
            throw new IllegalStateException("on purpose");
        });
        watchers.add("a", () -> called.add("second"));

        watchers.tell("a");

        assertThat(called).containsExactly("second");
    }

    @Test
    @Timeout(60)
    void whoComesAsTheLastOtherOneGoesIsCalled() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(2);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            for (int round = 1; round <= 20_000; round++) {
                AutoCloseable last = watchers.add("a", () -> {});
                Future<?> going = executor.submit(() -> {
                    together.await();
                    last.close();
                    return null;
                });
                together.await();
                AutoCloseable coming = watchers.add("a", calls::incrementAndGet);
                going.get(30, TimeUnit.SECONDS);
                watchers.tell("a");
                assertThat(calls).hasValue(round);
                coming.close();
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
