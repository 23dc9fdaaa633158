package io.github.trainer4j.transfer;

import io.github.trainer4j.api.spi.FetchContext;
import java.io.IOException;
import java.nio.file.Path;

/** Downloads everything that a source lists into a directory. */
public final class Transfer {
    private Transfer() {}

    /**
     * Downloads with the default settings.
     *
     * @see #fetch(Source, Path, FetchContext, TransferSettings)
     */
    public static void fetch(Source source, Path directory, FetchContext context)
            throws IOException, InterruptedException {
        fetch(source, directory, context, TransferSettings.defaults());
    }

    /**
     * Downloads everything into a directory and returns when all is there and checked.
     *
     * @param directory an existing directory; nothing is written outside of it
     * @param context is told the progress and what happens
     * @throws io.github.trainer4j.api.InitializerException if it cannot be had, with the reason
     * @throws IOException if the directory cannot be read or written
     * @throws InterruptedException if the thread is interrupted; all connections and threads have ended then
     */
    public static void fetch(Source source, Path directory, FetchContext context, TransferSettings settings)
            throws IOException, InterruptedException {
        new Download(source, settings, Surroundings.ofThisMachine(), new Report(context)).into(directory);
    }
}
