package io.github.trainer4j.api.dispatch;

import static io.github.trainer4j.api.dispatch.Tasks.deaf;
import static io.github.trainer4j.api.dispatch.Tasks.failing;
import static io.github.trainer4j.api.dispatch.Tasks.failureOf;
import static io.github.trainer4j.api.dispatch.Tasks.forever;
import static io.github.trainer4j.api.dispatch.Tasks.threads;
import static io.github.trainer4j.api.dispatch.Tasks.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.ProgressListener;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the thread that runs a dispatcher has to do with it: interrupts, and a consumer of results that throws. */
@Timeout(60)
class CallerTest {
    private static final String PREFIX = "caller-test-";
    private static final ProgressListener SILENT = ProgressListener.none();

    private final Dispatcher dispatcher = new Dispatcher(PREFIX, Duration.ofSeconds(30));
    private final Dispatcher impatient = new Dispatcher(PREFIX, Duration.ofMillis(50));

    @AfterEach
    void noThreadIsLeft() {
        assertThat(threads(PREFIX)).isEmpty();
    }

    @Test
    void anInterruptOfTheCallerCancelsAllTasks() {
        Thread caller = Thread.currentThread();
        Task<String> interrupting = Task.of("interrupting", context -> {
            caller.interrupt();
            forever();
            return "";
        });

        assertThatThrownBy(() -> dispatcher.run(List.of(interrupting, waiting("other")), SILENT))
                .isInstanceOf(InterruptedException.class)
                .hasNoSuppressedExceptions();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void anInterruptedCallerLearnsWhatFailed() {
        Thread caller = Thread.currentThread();
        IOException later = new IOException("cannot clean up");
        Task<String> interrupting = Task.of("interrupting", context -> {
            caller.interrupt();
            try {
                forever();
            } catch (InterruptedException e) {
                throw later;
            }
            return "";
        });

        assertThatThrownBy(() -> dispatcher.run(List.of(interrupting), SILENT))
                .isInstanceOf(InterruptedException.class)
                .hasSuppressedException(later);
    }

    @Test
    void anInterruptedCallerLearnsWhatIsStuck() throws InterruptedException {
        Thread caller = Thread.currentThread();
        CountDownLatch release = new CountDownLatch(1);
        AtomicReference<Thread> thread = new AtomicReference<>();
        Task<String> deaf = Task.of("deaf", context -> {
            thread.set(Thread.currentThread());
            caller.interrupt();
            return deaf("deaf", release, new CountDownLatch(1), thread).body().run(context);
        });

        assertThatThrownBy(() -> impatient.run(List.of(deaf), SILENT))
                .isInstanceOf(InterruptedException.class)
                .satisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .satisfies(stuck -> assertThat(stuck).hasMessageContaining("still running: deaf")));
        release.countDown();
        Timer.join(thread.get());
    }

    @Test
    void anInterruptedCallerStartsNothing() {
        AtomicBoolean ran = new AtomicBoolean();
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> dispatcher.run(
                        List.of(Task.of("task", context -> {
                            ran.set(true);
                            return "";
                        })),
                        SILENT))
                .isInstanceOf(InterruptedException.class);
        assertThat(ran).isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aSecondInterruptDoesNotCutTheGraceShortAndIsKept() {
        Thread caller = Thread.currentThread();
        AtomicBoolean cleanedUp = new AtomicBoolean();
        Task<String> careful = Task.of("careful", context -> {
            caller.interrupt();
            try {
                forever();
            } catch (InterruptedException e) {
                caller.interrupt();
                cleanedUp.set(true);
                throw e;
            }
            return "";
        });

        assertThatThrownBy(() -> dispatcher.run(List.of(careful), SILENT)).isInstanceOf(InterruptedException.class);
        assertThat(cleanedUp).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whatTheConsumerThrowsEndsTheRunAndIsThrownOn() {
        IllegalStateException broken = new IllegalStateException("consumer");

        assertThatThrownBy(() ->
                        dispatcher.run(List.of(Task.of("quick", context -> ""), waiting("slow")), SILENT, result -> {
                            throw broken;
                        }))
                .isSameAs(broken)
                .hasNoSuppressedExceptions();
    }

    @Test
    void aDispatchExceptionOfTheConsumerIsNotTakenForOneOfTheRun() {
        DispatchException nested = failureOf(dispatcher, failing("inner"));

        assertThatThrownBy(() ->
                        dispatcher.run(List.of(Task.of("quick", context -> ""), waiting("slow")), SILENT, result -> {
                            throw nested;
                        }))
                .isSameAs(nested);
    }
}
