package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.BackendUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SightingsTest {
    private final AtomicInteger reads = new AtomicInteger();
    private final PodFacts failed = Recorded.of("one-of-two-failed").facts().get(0);
    private final PodFacts.Ending ending = failed.blamed().orElseThrow();

    @Test
    void linesThatCannotBeReadAreAskedForAgainAFewTimes() {
        Sightings sightings = new Sightings((pod, end) -> {
            if (reads.incrementAndGet() < 3) {
                throw new BackendUnavailableException("not now", List.of(), null);
            }
            return List.of("at last");
        });
        for (int i = 0; i < 5; i++) {
            sightings.see("job", failed);
        }

        assertThat(sightings.tail("job", failed, ending)).containsExactly("at last");
        assertThat(reads).hasValue(3);
    }

    @Test
    void linesThatAreNotThereAreNotAskedForForEver() {
        Sightings sightings = new Sightings((pod, end) -> {
            reads.incrementAndGet();
            throw new BackendUnavailableException("not at all", List.of(), null);
        });
        for (int i = 0; i < 10; i++) {
            sightings.see("job", failed);
        }

        assertThat(sightings.tail("job", failed, ending)).isEmpty();
        assertThat(reads).hasValue(3);
    }

    @Test
    void whoLooksWhileLinesAreReadWaitsForThem() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Sightings sightings = new Sightings((pod, end) -> {
            reading.countDown();
            await(go);
            return List.of("last words");
        });
        Thread first = new Thread(() -> sightings.see("job", failed));
        first.start();
        await(reading);
        Thread second = new Thread(() -> {
            sightings.see("job", failed);
            reads.addAndGet(sightings.tail("job", failed, ending).size());
        });
        second.start();
        go.countDown();
        first.join();
        second.join();

        assertThat(reads).hasValue(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsKeptIsBounded() {
        Sightings sightings = new Sightings((pod, end) -> List.of("x".repeat(1_000_000)));
        for (int i = 0; i < 200; i++) {
            sightings.see("job " + i, failed);
        }

        assertThat(sightings.tail("job 0", failed, ending)).isEmpty();
        assertThat(sightings.tail("job 199", failed, ending).get(0)).hasSizeLessThan(2000);
    }

    @Test
    void aPictureThatComesLateChangesNothing() {
        Sightings sightings = new Sightings((pod, end) -> List.of());
        PodFacts before = Recorded.of("both-run").facts().get(1);
        sightings.see("job", failed);
        sightings.see("job", before);

        assertThat(sightings.withGone("job", Instant.EPOCH, List.of(), false))
                .singleElement()
                .satisfies(pod -> assertThat(pod.blamed()).hasValue(ending));
    }

    @Test
    void podsOfANamesakeAreNotTheJobs() {
        Sightings sightings = new Sightings((pod, end) -> List.of());
        sightings.see("job", failed);

        assertThat(sightings.withGone("job", failed.created().plusSeconds(1), List.of(), true))
                .isEmpty();
        sightings.forget("job");
        assertThat(sightings.withGone("job", Instant.EPOCH, List.of(), true)).isEmpty();
    }
}
