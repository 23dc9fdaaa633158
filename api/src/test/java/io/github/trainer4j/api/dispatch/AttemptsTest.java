package io.github.trainer4j.api.dispatch;

import static io.github.trainer4j.api.dispatch.Tasks.awaitDeaf;
import static io.github.trainer4j.api.dispatch.Tasks.deaf;
import static io.github.trainer4j.api.dispatch.Tasks.failing;
import static io.github.trainer4j.api.dispatch.Tasks.failingAfter;
import static io.github.trainer4j.api.dispatch.Tasks.failureOf;
import static io.github.trainer4j.api.dispatch.Tasks.forever;
import static io.github.trainer4j.api.dispatch.Tasks.threads;
import static io.github.trainer4j.api.dispatch.Tasks.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.ProgressListener;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Timeouts, retries, and the actions of a cancellation. */
@Timeout(60)
class AttemptsTest {
    private static final String PREFIX = "attempts-test-";
    private static final ProgressListener SILENT = ProgressListener.none();
    private static final Optional<Duration> SHORT = Optional.of(Duration.ofMillis(20));

    private final Dispatcher dispatcher = new Dispatcher(PREFIX, Duration.ofSeconds(30));
    private final Dispatcher impatient = new Dispatcher(PREFIX, Duration.ofMillis(50));

    @AfterEach
    void noThreadIsLeft() {
        assertThat(threads(PREFIX)).isEmpty();
    }

    @Test
    void aTaskThatTakesTooLongFailsWithATimeout() {
        Task<String> slow = new Task<>("slow", SHORT, 0, context -> {
            forever();
            return "";
        });

        DispatchException failure = failureOf(dispatcher, slow, waiting("other"));

        assertThat(failure)
                .hasMessage("slow failed: not done within its timeout of PT0.02S; other was cancelled")
                .hasCauseInstanceOf(TimeoutException.class);
        assertThat(failure.toFailure(step -> List.of()).reason()).isEqualTo("Timeout");
    }

    @Test
    void aTaskThatIsDoneInTimeIsLeftAlone() throws InterruptedException {
        Task<Boolean> quick = new Task<>("quick", Optional.of(Duration.ofDays(1)), 0, TaskContext::isCancelled);

        assertThat(dispatcher.run(List.of(quick), SILENT).get(0).value()).isFalse();
    }

    @Test
    void aTimeoutBeyondAllBoundsIsNone() throws InterruptedException {
        Task<String> task = new Task<>("task", Optional.of(Duration.ofSeconds(Long.MAX_VALUE)), 0, context -> "done");

        assertThat(dispatcher.run(List.of(task), SILENT).get(0).value()).isEqualTo("done");
    }

    @Test
    void aTaskThatIgnoresItsTimeoutIsGivenUpAndNamed() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        AtomicReference<Thread> thread = new AtomicReference<>();
        Task<String> deaf = new Task<>("deaf", SHORT, 3, context -> {
            thread.set(Thread.currentThread());
            awaitDeaf(release);
            return "";
        });

        DispatchException failure = failureOf(impatient, deaf);

        assertThat(failure).hasCauseInstanceOf(TimeoutException.class);
        assertThat(failure.stuck()).containsExactly("deaf");
        release.countDown();
        thread.get().join();
    }

    @Test
    void aFailedAttemptIsTriedAgain() throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        Task<Integer> flaky = new Task<>("flaky", Optional.empty(), 2, context -> {
            assertThat(context.attempt()).isEqualTo(attempts.incrementAndGet());
            if (context.attempt() < 3) {
                throw new IOException("not yet");
            }
            return context.attempt();
        });

        TaskResult<Integer> result = dispatcher.run(List.of(flaky), SILENT).get(0);

        assertThat(result.value()).isEqualTo(3);
        assertThat(result.attempts()).isEqualTo(3);
    }

    @Test
    void theLastAttemptsFailureIsReported() {
        AtomicInteger attempts = new AtomicInteger();
        Task<String> hopeless = new Task<>("hopeless", Optional.empty(), 2, context -> {
            throw new IOException("attempt " + attempts.incrementAndGet());
        });

        assertThat(failureOf(dispatcher, hopeless)).hasMessageContaining("attempt 3");
    }

    @Test
    void anAttemptAfterATimeoutStartsAfresh() throws InterruptedException {
        // Many retries: on a busy machine even an attempt that returns at once may take too long.
        Task<Boolean> second = new Task<>("second", SHORT, 1_000, context -> {
            if (context.attempt() == 1) {
                forever();
            }
            return context.isCancelled() || Thread.currentThread().isInterrupted();
        });

        TaskResult<Boolean> result = dispatcher.run(List.of(second), SILENT).get(0);

        assertThat(result.attempts()).isGreaterThan(1);
        assertThat(result.value()).isFalse();
    }

    @Test
    void aCancelledTaskIsNotTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch runs = new CountDownLatch(1);
        Task<String> eager = new Task<>("eager", Optional.empty(), 100, context -> {
            attempts.incrementAndGet();
            runs.countDown();
            try {
                forever();
            } catch (InterruptedException e) {
                throw new IOException("looks like any other failure");
            }
            return "";
        });
        Task<String> failing = Task.of("failing", context -> {
            runs.await();
            throw new IOException("broken");
        });

        DispatchException failure = failureOf(dispatcher, failing, eager);

        assertThat(attempts).hasValue(1);
        assertThat(failure.further()).extracting(TaskFailure::name).containsExactly("eager");
    }

    @Test
    void aCancelledTaskRunsItsActionBesideTheInterrupt() {
        CountDownLatch acted = new CountDownLatch(1);
        CountDownLatch ready = new CountDownLatch(1);
        Task<String> container = Task.of("container", context -> {
            context.onCancel(acted::countDown);
            ready.countDown();
            // Not reached by an interrupt, like a process in a container.
            awaitDeaf(acted);
            return "";
        });

        DispatchException failure = failureOf(dispatcher, failingAfter(ready), container);

        assertThat(failure.cancelled()).containsExactly("container");
    }

    @Test
    void anActionThatBlocksDoesNotHoldUpTheCancellingOfOthers() {
        CountDownLatch ready = new CountDownLatch(2);
        CountDownLatch bothAct = new CountDownLatch(2);
        Task.Body<String> body = context -> {
            context.onCancel(() -> {
                bothAct.countDown();
                // Goes on only when the other one's action runs as well.
                awaitDeaf(bothAct);
            });
            ready.countDown();
            forever();
            return "";
        };

        DispatchException failure =
                failureOf(dispatcher, failingAfter(ready), Task.of("one", body), Task.of("two", body));

        assertThat(failure.cancelled()).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void anActionThatNeverEndsMakesItsTaskStuck() throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicReference<Thread> worker = new AtomicReference<>();
        Task<String> task = Task.of("task", context -> {
            worker.set(Thread.currentThread());
            context.onCancel(() -> awaitDeaf(release));
            ready.countDown();
            forever();
            return "";
        });

        DispatchException failure = failureOf(impatient, failingAfter(ready), task);

        assertThat(failure.stuck()).containsExactly("task");
        release.countDown();
        worker.get().join();
    }

    @Test
    void whatAnActionThrowsIsAttached() {
        CountDownLatch ready = new CountDownLatch(1);
        IllegalStateException broken = new IllegalStateException("cannot stop the container");
        Task<String> task = Task.of("task", context -> {
            context.onCancel(() -> {
                throw broken;
            });
            ready.countDown();
            forever();
            return "";
        });

        DispatchException failure = failureOf(dispatcher, failingAfter(ready), task);

        assertThat(failure.cancelled()).containsExactly("task");
        assertThat(failure.getSuppressed())
                .singleElement()
                .satisfies(cancelled -> assertThat(cancelled).hasSuppressedException(broken));
    }

    @Test
    void anActionGivenAfterTheCancellationRunsAtOnce() {
        CountDownLatch ready = new CountDownLatch(1);
        AtomicReference<Thread> actedOn = new AtomicReference<>();
        AtomicReference<Thread> worker = new AtomicReference<>();
        Task<String> task = Task.of("task", context -> {
            worker.set(Thread.currentThread());
            ready.countDown();
            try {
                forever();
            } finally {
                context.onCancel(() -> actedOn.set(Thread.currentThread()));
            }
            return "";
        });

        assertThat(failureOf(dispatcher, failingAfter(ready), task).cancelled()).containsExactly("task");
        assertThat(actedOn.get()).isNotNull().isSameAs(worker.get());
    }

    @Test
    void actionsOfATaskThatEndsByItselfAreForgotten() throws InterruptedException {
        AtomicBoolean acted = new AtomicBoolean();
        Task<String> task = Task.of("task", context -> {
            context.onCancel(() -> acted.set(true));
            return "done";
        });

        dispatcher.run(List.of(task), SILENT);

        assertThat(acted).isFalse();
    }

    @Test
    void theNextAttemptStartsWhenTheActionsOfTheLastAreOver() throws InterruptedException {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch attemptIsOver = new CountDownLatch(1);
        Task<String> task = new Task<>("task", SHORT, 1_000, context -> {
            order.add("attempt " + context.attempt());
            if (context.attempt() == 1) {
                context.onCancel(() -> {
                    awaitDeaf(attemptIsOver);
                    order.add("removed");
                });
                try {
                    forever();
                } finally {
                    attemptIsOver.countDown();
                }
            }
            return "";
        });

        dispatcher.run(List.of(task), SILENT);

        assertThat(order).startsWith("attempt 1", "removed", "attempt 2");
    }

    @Test
    void withoutAThreadForItTheActionRunsOnTheOneThatCancels() {
        CountDownLatch acted = new CountDownLatch(1);
        CountDownLatch ready = new CountDownLatch(1);
        Dispatcher outOfThreads = new Dispatcher(PREFIX, Duration.ofSeconds(30), body -> new Thread(body) {
            @Override
            public synchronized void start() {
                if (getName().endsWith("-cancel")) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        });
        Task<String> task = Task.of("task", context -> {
            context.onCancel(acted::countDown);
            ready.countDown();
            awaitDeaf(acted);
            return "";
        });

        assertThat(failureOf(outOfThreads, failingAfter(ready), task).cancelled())
                .containsExactly("task");
    }
}
