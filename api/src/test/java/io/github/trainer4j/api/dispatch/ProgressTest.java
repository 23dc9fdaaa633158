package io.github.trainer4j.api.dispatch;

import static io.github.trainer4j.api.dispatch.Tasks.await;
import static io.github.trainer4j.api.dispatch.Tasks.awaitDeaf;
import static io.github.trainer4j.api.dispatch.Tasks.deaf;
import static io.github.trainer4j.api.dispatch.Tasks.failing;
import static io.github.trainer4j.api.dispatch.Tasks.forever;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.ProgressEvent;
import io.github.trainer4j.api.ProgressListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ProgressTest {
    private static final OptionalLong UNKNOWN = OptionalLong.empty();
    private static final OptionalLong TEN = OptionalLong.of(10);

    private final List<ProgressEvent> seen = new CopyOnWriteArrayList<>();
    private final AtomicLong clock = new AtomicLong();
    private final ProgressRelay relay = new ProgressRelay(seen::add, clock::get);

    @Test
    void theFirstStateIsDeliveredAndTheNextOnlyAfterAWhile() {
        relay.publish("dataset", 1, UNKNOWN);
        relay.publish("dataset", 2, UNKNOWN);
        clock.addAndGet(ProgressRelay.INTERVAL_NANOS - 1);
        relay.publish("dataset", 3, UNKNOWN);
        assertThat(seen).containsExactly(state("dataset", 1));

        clock.addAndGet(1);
        relay.publish("dataset", 4, UNKNOWN);

        assertThat(seen).containsExactly(state("dataset", 1), state("dataset", 4));
    }

    @Test
    void stepsAreThrottledEachForItself() {
        relay.publish("dataset", 1, UNKNOWN);
        relay.publish("model", 1, UNKNOWN);

        assertThat(seen).containsExactly(state("dataset", 1), state("model", 1));
    }

    @Test
    void aStateThatWasHeldBackIsDeliveredWhenAnotherStepReports() {
        relay.publish("dataset", 1, UNKNOWN);
        relay.publish("dataset", 2, UNKNOWN);
        clock.addAndGet(ProgressRelay.INTERVAL_NANOS);
        relay.publish("model", 1, UNKNOWN);

        assertThat(seen).containsExactly(state("dataset", 1), state("dataset", 2), state("model", 1));
    }

    @Test
    void aCompleteStepIsDeliveredAtOnceAndThenThrottledAgain() {
        relay.publish("dataset", 1, TEN);
        relay.publish("dataset", 10, TEN);
        relay.publish("dataset", 11, TEN);
        relay.publish("dataset", 12, TEN);

        assertThat(seen).containsExactly(state("dataset", 1, 10), state("dataset", 10, 10));

        relay.drain();
        assertThat(seen).endsWith(state("dataset", 12, 10));
    }

    @Test
    void theLastStateOfAStepIsDeliveredWhenItEnds() {
        relay.publish("dataset", 1, UNKNOWN);
        relay.publish("dataset", 2, UNKNOWN);
        relay.publish("model", 1, UNKNOWN);
        relay.publish("model", 2, UNKNOWN);

        relay.flush("dataset");
        assertThat(seen).endsWith(state("dataset", 2)).doesNotContain(state("model", 2));

        relay.close();
        assertThat(seen).endsWith(state("model", 2));
    }

    @Test
    void nothingIsDeliveredAfterTheEnd() {
        relay.close();
        relay.publish("dataset", 1, UNKNOWN);
        relay.drain();

        assertThat(seen).isEmpty();
    }

    @Test
    void aListenerThatPublishesIsNotCalledWithinItself() {
        AtomicInteger depth = new AtomicInteger();
        List<ProgressRelay> self = new ArrayList<>();
        ProgressRelay nested = new ProgressRelay(
                event -> {
                    assertThat(depth.incrementAndGet()).isEqualTo(1);
                    seen.add(event);
                    if (event.bytesDone() < 3) {
                        self.get(0).publish("step-" + event.bytesDone(), event.bytesDone() + 1, UNKNOWN);
                    }
                    depth.decrementAndGet();
                },
                clock::get);
        self.add(nested);

        nested.publish("step", 1, UNKNOWN);

        assertThat(seen).extracting(ProgressEvent::bytesDone).containsExactly(1L, 2L, 3L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aListenerThatThrowsHarmsNothing(boolean error) throws InterruptedException {
        ProgressListener broken = event -> {
            seen.add(event);
            if (error) {
                throw new AssertionError("listener");
            }
            throw new IllegalStateException("listener");
        };
        Task<String> task = Task.of("task", context -> {
            context.progress(1, TEN);
            context.progress(10, TEN);
            return "done";
        });

        List<TaskResult<String>> results = dispatcher().run(List.of(task), broken);

        assertThat(results).extracting(TaskResult::value).containsExactly("done");
        assertThat(seen).containsExactly(state("task", 1, 10), state("task", 10, 10));
    }

    @Test
    void theListenerIsCalledByOneThreadAtATimeAndSeesEveryLastState() throws InterruptedException {
        AtomicBoolean inside = new AtomicBoolean();
        AtomicInteger overlaps = new AtomicInteger();
        ProgressListener listener = event -> {
            if (!inside.compareAndSet(false, true)) {
                overlaps.incrementAndGet();
            }
            seen.add(event);
            Thread.onSpinWait();
            inside.set(false);
        };
        int count = 8;
        CyclicBarrier start = new CyclicBarrier(count);
        List<Task<String>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(Task.of("task-" + i, context -> {
                start.await();
                for (int bytes = 0; bytes <= 2_000; bytes++) {
                    context.progress(bytes, UNKNOWN);
                }
                return "";
            }));
        }

        dispatcher().run(tasks, listener);

        assertThat(overlaps).hasValue(0);
        for (int i = 0; i < count; i++) {
            String name = "task-" + i;
            assertThat(seen).contains(state(name, 2_000));
            List<Long> bytes = seen.stream()
                    .filter(event -> event.step().equals(name))
                    .map(ProgressEvent::bytesDone)
                    .toList();
            assertThat(bytes).isSorted().doesNotHaveDuplicates().hasSizeLessThan(1_000);
        }
    }

    @Test
    void aWorkerIsNotHeldUpBehindAListenerThatIsBusyWithAnother() throws InterruptedException {
        CountDownLatch listenerIsBusy = new CountDownLatch(1);
        CountDownLatch otherIsDone = new CountDownLatch(1);
        ProgressListener listener = event -> {
            seen.add(event);
            if (event.step().equals("first")) {
                listenerIsBusy.countDown();
                await(otherIsDone);
            }
        };
        Task<String> first = Task.of("first", context -> {
            context.progress(1, UNKNOWN);
            return "";
        });
        Task<String> second = Task.of("second", context -> {
            listenerIsBusy.await();
            context.progress(1, UNKNOWN);
            context.progress(2, UNKNOWN);
            otherIsDone.countDown();
            return "";
        });

        dispatcher().run(List.of(first, second), listener);

        assertThat(seen).containsExactly(state("first", 1), state("second", 2));
    }

    @Test
    void theLastStatesOfAFailedRunAreDeliveredToo() {
        CountDownLatch reported = new CountDownLatch(1);
        Task<String> failing = Task.of("failing", context -> {
            context.progress(1, UNKNOWN);
            context.progress(2, UNKNOWN);
            reported.await();
            throw new IOException("broken");
        });
        Task<String> cancelled = Task.of("cancelled", context -> {
            context.progress(1, UNKNOWN);
            context.progress(2, UNKNOWN);
            reported.countDown();
            forever();
            return "";
        });

        assertThatThrownBy(() -> dispatcher().run(List.of(failing, cancelled), seen::add))
                .isInstanceOf(DispatchException.class);
        assertThat(seen).contains(state("failing", 2), state("cancelled", 2));
    }

    @Test
    void aListenerThatSwallowsTheInterruptOfACancellationDoesNotKeepTheTask() {
        CountDownLatch inListener = new CountDownLatch(1);
        AtomicBoolean swallowed = new AtomicBoolean();
        ProgressListener sleepy = event -> {
            inListener.countDown();
            try {
                forever();
            } catch (InterruptedException e) {
                swallowed.set(true);
            }
        };
        Task<String> failing = Task.of("failing", context -> {
            inListener.await();
            throw new IOException("broken");
        });
        Task<String> reporting = Task.of("reporting", context -> {
            context.progress(1, UNKNOWN);
            forever();
            return "";
        });

        DispatchException failure = catchThrowableOfType(
                DispatchException.class, () -> dispatcher().run(List.of(failing, reporting), sleepy));

        assertThat(swallowed).isTrue();
        assertThat(failure.cancelled()).containsExactly("reporting");
    }

    @Test
    void aStuckTaskReportsToNobodyAfterTheRun() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch runIsOver = new CountDownLatch(1);
        CountDownLatch reported = new CountDownLatch(1);
        Task<String> failing = Task.of("failing", context -> {
            runs.await();
            throw new IOException("broken");
        });
        Task<String> deaf = Task.of("deaf", context -> {
            runs.countDown();
            awaitDeaf(runIsOver);
            context.progress(1, UNKNOWN);
            reported.countDown();
            return "";
        });

        assertThatThrownBy(() -> new Dispatcher("progress-test-", Duration.ZERO).run(List.of(failing, deaf), seen::add))
                .hasMessageContaining("deaf ignores its cancellation");
        runIsOver.countDown();
        reported.await();

        assertThat(seen).isEmpty();
    }

    @Test
    void impossibleNumbersAreRefused() {
        assertThatThrownBy(() -> relay.publish("dataset", -1, UNKNOWN))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("negative");
    }

    private static Dispatcher dispatcher() {
        return new Dispatcher("progress-test-", Duration.ofSeconds(30));
    }

    private static ProgressEvent state(String step, long bytes) {
        return new ProgressEvent(step, bytes, UNKNOWN);
    }

    private static ProgressEvent state(String step, long bytes, long total) {
        return new ProgressEvent(step, bytes, OptionalLong.of(total));
    }
}
