package io.github.trainer4j.api.spi;

import java.io.IOException;
import java.nio.file.Path;

/** Fetches a dataset or a model within this JVM. */
@FunctionalInterface
public interface Fetcher {
    /**
     * Fetches everything into a directory. When it returns, everything is there and checked. When it throws, what is
     * there may be partial; a later call with the same directory goes on from it and is never misled by it.
     *
     * @param directory an existing directory; nothing is written outside of it
     * @param context where to report progress, and what surrounds the call
     * @throws InterruptedException if the thread is interrupted: stop at once
     * @throws io.github.trainer4j.api.InitializerException if it cannot be fetched, with the reason
     * @throws IOException if reading or writing fails otherwise
     */
    void fetch(Path directory, FetchContext context) throws IOException, InterruptedException;
}
