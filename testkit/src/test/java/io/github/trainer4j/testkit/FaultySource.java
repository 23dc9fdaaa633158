package io.github.trainer4j.testkit;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.InitializerProvider;
import io.github.trainer4j.testkit.toy.ToyInitializerProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** The toy initializer, with a source that fails or hangs when it is told to, as a server would. */
public final class FaultySource implements InitializerProvider {
    private enum Fault {
        NONE,
        FAIL,
        HANG
    }

    private static final AtomicReference<Fault> NEXT = new AtomicReference<>(Fault.NONE);

    private static volatile boolean hangs;

    private final InitializerProvider toy = new ToyInitializerProvider();

    static void failOnce() {
        NEXT.set(Fault.FAIL);
    }

    static void hangOnce() {
        hangs = false;
        NEXT.set(Fault.HANG);
    }

    static boolean hangsNow() {
        return hangs;
    }

    @Override
    public String scheme() {
        return toy.scheme();
    }

    @Override
    public Initializer create(InitializerSpec spec) {
        Initializer initializer = toy.create(spec);
        return new Initializer() {
            @Override
            public InitializerPlan plan() {
                return initializer.plan();
            }

            @Override
            public Optional<Fetcher> fetcher() {
                return initializer.fetcher().map(fetcher -> (directory, context) -> {
                    Fault fault = NEXT.getAndSet(Fault.NONE);
                    if (fault != Fault.NONE) {
                        fetchSome(directory, context);
                    }
                    if (fault == Fault.HANG) {
                        hangs = true;
                        new CountDownLatch(1).await();
                    }
                    if (fault == Fault.FAIL) {
                        throw new InitializerException("the source has gone away; try again", "Network", null);
                    }
                    fetcher.fetch(directory, context);
                });
            }
        };
    }

    /** The first of three files, and a part of the second. */
    private void fetchSome(Path directory, FetchContext context) throws IOException, InterruptedException {
        InitializerSpec first = InitializerSpec.dataset("toy://1x1000");
        toy.create(first).fetcher().orElseThrow().fetch(directory, context);
        Files.writeString(directory.resolve(".toy-partial"), "b".repeat(500));
    }
}
