package io.github.trainer4j.api.dispatch;

import static io.github.trainer4j.api.dispatch.Tasks.await;
import static io.github.trainer4j.api.dispatch.Tasks.deaf;
import static io.github.trainer4j.api.dispatch.Tasks.failing;
import static io.github.trainer4j.api.dispatch.Tasks.failingAfter;
import static io.github.trainer4j.api.dispatch.Tasks.failureOf;
import static io.github.trainer4j.api.dispatch.Tasks.forever;
import static io.github.trainer4j.api.dispatch.Tasks.threads;
import static io.github.trainer4j.api.dispatch.Tasks.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainerException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class DispatcherTest {
    private static final String PREFIX = "dispatch-test-";
    private static final ProgressListener SILENT = ProgressListener.none();

    private final Dispatcher dispatcher = new Dispatcher(PREFIX, Duration.ofSeconds(30));
    private final Dispatcher impatient = new Dispatcher(PREFIX, Duration.ofMillis(50));

    /** Also shows that no run leaves a thread behind: those that are stuck on purpose are released by their tests. */
    @AfterEach
    void noThreadIsLeft() throws InterruptedException {
        assertThat(threads(PREFIX)).isEmpty();
    }

    @Test
    void tasksRunInParallelOnThreadsOfTheirName() throws InterruptedException {
        CyclicBarrier both = new CyclicBarrier(2);
        Task.Body<String> body = context -> {
            both.await();
            return Thread.currentThread().getName();
        };

        List<TaskResult<String>> results =
                dispatcher.run(List.of(Task.of("dataset", body), Task.of("model", body)), SILENT);

        assertThat(results)
                .extracting(TaskResult::value)
                .containsExactlyInAnyOrder(PREFIX + "dataset", PREFIX + "model");
        assertThat(results).allSatisfy(result -> {
            assertThat(result.attempts()).isEqualTo(1);
            assertThat(result.elapsed()).isPositive();
        });
    }

    @Test
    void resultsComeInTheOrderOfCompletion() throws InterruptedException {
        CountDownLatch secondIsDelivered = new CountDownLatch(1);
        Task<String> first = Task.of("first", context -> {
            secondIsDelivered.await();
            return "1";
        });
        Task<String> second = Task.of("second", context -> "2");
        List<String> handed = new ArrayList<>();

        List<TaskResult<String>> results = dispatcher.run(List.of(first, second), SILENT, result -> {
            handed.add(result.name());
            secondIsDelivered.countDown();
        });

        assertThat(handed).containsExactly("second", "first");
        assertThat(results).extracting(TaskResult::name).containsExactly("second", "first");
    }

    @Test
    void noTasksGiveNoResults() throws InterruptedException {
        assertThat(dispatcher.run(List.<Task<String>>of(), SILENT)).isEmpty();
    }

    @Test
    void twoTasksOfOneNameAreRefused() {
        assertThatThrownBy(() -> dispatcher.run(List.of(Task.of("a", c -> 1), Task.of("a", c -> 2)), SILENT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two tasks are called a");
    }

    @Test
    void theFirstFailureCancelsTheRestAndIsReported() {
        CountDownLatch modelRuns = new CountDownLatch(1);
        Task<String> dataset = Task.of("dataset", context -> {
            modelRuns.await();
            throw new TrainerException("no such dataset", null);
        });
        AtomicBoolean told = new AtomicBoolean();
        Task<String> model = Task.of("model", context -> {
            modelRuns.countDown();
            try {
                forever();
            } finally {
                told.set(context.isCancelled());
            }
            return "";
        });

        DispatchException failure = failureOf(dispatcher, dataset, model);

        assertThat(failure)
                .hasMessage("dataset failed: no such dataset; model was cancelled")
                .hasCauseInstanceOf(TrainerException.class)
                .hasNoSuppressedExceptions();
        assertThat(failure.step()).contains("dataset");
        assertThat(failure.first().name()).isEqualTo("dataset");
        assertThat(failure.cancelled()).containsExactly("model");
        assertThat(failure.further()).isEmpty();
        assertThat(failure.stuck()).isEmpty();
        assertThat(told).isTrue();
    }

    @Test
    void aFailureCancelsTheRestEvenWhileTheCallerIsBusyWithAResult() {
        CountDownLatch callerIsBusyAndSiblingRuns = new CountDownLatch(2);
        CountDownLatch siblingIsCancelled = new CountDownLatch(1);
        Task<String> quick = Task.of("quick", context -> "");
        Task<String> failing = Task.of("failing", context -> {
            callerIsBusyAndSiblingRuns.await();
            throw new IOException("broken");
        });
        Task<String> sibling = Task.of("sibling", context -> {
            callerIsBusyAndSiblingRuns.countDown();
            try {
                forever();
            } catch (InterruptedException e) {
                siblingIsCancelled.countDown();
                throw e;
            }
            return "";
        });

        assertThatThrownBy(() -> dispatcher.run(List.of(quick, failing, sibling), SILENT, result -> {
                    callerIsBusyAndSiblingRuns.countDown();
                    await(siblingIsCancelled);
                }))
                .isInstanceOf(DispatchException.class)
                .hasMessageContaining("failing failed: java.io.IOException: broken; sibling was cancelled");
    }

    @Test
    void laterFailuresAreAttached() {
        CountDownLatch bothRun = new CountDownLatch(2);
        IOException later = new IOException("cannot clean up");
        Task<String> first = Task.of("first", context -> {
            bothRun.countDown();
            bothRun.await();
            throw new IOException("gone");
        });
        Task<String> second = Task.of("second", context -> {
            bothRun.countDown();
            try {
                forever();
            } catch (InterruptedException e) {
                throw later;
            }
            return "";
        });

        DispatchException failure = failureOf(dispatcher, first, second);

        assertThat(failure)
                .hasMessageContaining("first failed")
                .hasMessageContaining("second failed too: java.io.IOException: cannot clean up")
                .hasSuppressedException(later);
        assertThat(failure.further()).containsExactly(new TaskFailure("second", later));
        assertThat(failure.cancelled()).isEmpty();
    }

    static List<Exception> whatAnInterruptBecomes() {
        return List.of(
                new InterruptedException(),
                new ClosedByInterruptException(),
                new java.io.InterruptedIOException(),
                new CancellationException(),
                new TrainerException("stopped", new InterruptedException()),
                new java.io.UncheckedIOException(new ClosedByInterruptException()));
    }

    @ParameterizedTest
    @MethodSource("whatAnInterruptBecomes")
    void aCancelledTaskMayEndWithWhateverAnInterruptBecomes(Exception thrown) {
        CountDownLatch runs = new CountDownLatch(1);
        Task<String> sibling = Task.of("sibling", context -> {
            runs.countDown();
            try {
                forever();
            } catch (InterruptedException e) {
                throw thrown;
            }
            return "";
        });

        DispatchException failure = failureOf(dispatcher, failingAfter(runs), sibling);

        assertThat(failure.cancelled()).containsExactly("sibling");
        assertThat(failure.further()).isEmpty();
    }

    @Test
    void aTaskThatThrowsInterruptedExceptionByItselfFailed() {
        Task<String> odd = Task.of("odd", context -> {
            throw new InterruptedException("by itself");
        });

        DispatchException failure = failureOf(dispatcher, odd);

        assertThat(failure.first().cause())
                .isInstanceOf(InterruptedException.class)
                .hasMessage("by itself");
        assertThat(failure.cancelled()).isEmpty();
    }

    @Test
    void anErrorIsAFailureThatIsNotTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        Task<String> broken = new Task<>("broken", Optional.empty(), 5, context -> {
            attempts.incrementAndGet();
            throw new StackOverflowError("deep");
        });

        DispatchException failure = failureOf(dispatcher, broken, waiting("sibling"));

        assertThat(failure).hasCauseInstanceOf(StackOverflowError.class);
        assertThat(failure.cancelled()).containsExactly("sibling");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void aTaskThatIgnoresItsCancellationIsNamed() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch runs = new CountDownLatch(1);
        AtomicReference<Thread> thread = new AtomicReference<>();
        Task<String> deaf = deaf("deaf", release, runs, thread);

        DispatchException failure = failureOf(impatient, failingAfter(runs), deaf);

        assertThat(failure.stuck()).containsExactly("deaf");
        assertThat(failure).hasMessageContaining("deaf ignores its cancellation and still runs");
        assertThat(threads(PREFIX)).containsExactly(PREFIX + "deaf");
        release.countDown();
        thread.get().join();
    }

    @Test
    void aTaskWhoseThreadCannotBeStartedFailed() {
        Dispatcher outOfThreads = new Dispatcher(PREFIX, Duration.ofSeconds(30), body -> new Thread(body) {
            @Override
            public synchronized void start() {
                if (getName().endsWith("second")) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        });

        DispatchException failure = failureOf(outOfThreads, waiting("first"), Task.of("second", context -> ""));

        assertThat(failure)
                .hasMessageContaining("second failed: java.lang.OutOfMemoryError: unable to create native thread");
        assertThat(failure.cancelled()).containsExactly("first");
    }

    @Test
    void aTaskIsNotStartedAfterAnotherFailed() {
        CountDownLatch firstIsOver = new CountDownLatch(1);
        Dispatcher slow = new Dispatcher(PREFIX, Duration.ofSeconds(30), body -> new Thread(body) {
            @Override
            public synchronized void start() {
                super.start();
                if (getName().endsWith("first")) {
                    // The failure cancels what was not started yet before its thread ends.
                    Timer.join(this);
                    firstIsOver.countDown();
                }
            }
        });
        AtomicBoolean ran = new AtomicBoolean();
        Task<String> second = Task.of("second", context -> {
            ran.set(true);
            return "";
        });

        DispatchException failure = failureOf(slow, failing("first"), second);

        assertThat(firstIsOver.getCount()).isZero();
        assertThat(ran).isFalse();
        assertThat(failure.cancelled()).containsExactly("second");
    }

    @Test
    void aRunWithinATaskEndsWithIt() {
        CountDownLatch bothRun = new CountDownLatch(2);
        Task.Body<String> inner = context -> {
            bothRun.countDown();
            forever();
            return "";
        };
        Task<String> outer = Task.of("outer", context -> {
            dispatcher.run(List.of(Task.of("inner-a", inner), Task.of("inner-b", inner)), SILENT);
            return "";
        });

        DispatchException failure = failureOf(dispatcher, failingAfter(bothRun), outer);

        assertThat(failure.cancelled()).containsExactly("outer");
    }

    @Test
    void aFailureWithinANestedRunIsTheTasksFailure() {
        Task<String> outer = Task.of("outer", context -> {
            dispatcher.run(List.of(failing("inner")), SILENT);
            return "";
        });

        DispatchException failure = failureOf(dispatcher, outer);

        assertThat(failure).hasMessage("outer failed: inner failed: java.io.IOException: broken");
    }

    @Test
    void aFailureCanBeRecordedForAJob() {
        IOException later = new IOException("cannot clean up");
        CountDownLatch runs = new CountDownLatch(1);
        Task<String> dataset = Task.of("dataset-initializer", context -> {
            runs.countDown();
            try {
                forever();
            } catch (InterruptedException e) {
                throw later;
            }
            return "";
        });
        DispatchException failure = failureOf(dispatcher, failingAfter(runs), dataset, waiting("third"));

        var recorded = failure.toFailure(step -> List.of(step + " says"));

        assertThat(recorded.step()).contains("failing");
        assertThat(recorded.reason()).as("of a task that is no initializer").isEqualTo("StartFailed");
        assertThat(recorded.message()).contains("broken");
        assertThat(recorded.logTail()).containsExactly("failing says");
        assertThat(recorded.further())
                .extracting(further -> further.step().orElseThrow() + " " + further.reason())
                .containsExactly("dataset-initializer InitializerFailed", "third Cancelled");
        assertThat(recorded.describe()).contains("third: was cancelled because failing failed");
    }

    @Test
    void anUnreasonableGraceIsRefusedOrTaken() throws InterruptedException {
        assertThatThrownBy(() -> new Dispatcher(PREFIX, Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        Dispatcher patient = new Dispatcher(PREFIX, Duration.ofSeconds(Long.MAX_VALUE));

        assertThat(failureOf(patient, failing("failing"), waiting("other")).cancelled())
                .containsExactly("other");
    }
}
