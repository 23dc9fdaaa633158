package io.github.trainer4j.api.dispatch;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.trainer4j.api.ProgressListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Tasks that fail, wait and do not listen. */
final class Tasks {
    private Tasks() {}

    static DispatchException failureOf(Dispatcher dispatcher, Task<?>... tasks) {
        List<Task<Object>> list = new ArrayList<>();
        for (Task<?> task : tasks) {
            list.add(new Task<>(task.name(), task.timeout(), task.retries(), task.body()::run));
        }
        return catchThrowableOfType(DispatchException.class, () -> dispatcher.run(list, ProgressListener.none()));
    }

    static Task<String> failing(String name) {
        return Task.of(name, context -> {
            throw new IOException("broken");
        });
    }

    static Task<String> failingAfter(CountDownLatch ready) {
        return Task.of("failing", context -> {
            ready.await();
            throw new IOException("broken");
        });
    }

    /** A task that ends only when it is cancelled. */
    static Task<String> waiting(String name) {
        return Task.of(name, context -> {
            forever();
            return "";
        });
    }

    /** A task that does not end when it is cancelled, but when it is released. */
    static Task<String> deaf(String name, CountDownLatch release, CountDownLatch runs, AtomicReference<Thread> thread) {
        return Task.of(name, context -> {
            thread.set(Thread.currentThread());
            runs.countDown();
            awaitDeaf(release);
            return "";
        });
    }

    static void forever() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void awaitDeaf(CountDownLatch latch) {
        boolean done = false;
        while (!done) {
            try {
                latch.await();
                done = true;
            } catch (InterruptedException e) {
                // Not reached by an interrupt.
            }
        }
    }

    static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }
}
