package io.github.trainer4j.transfer;

import io.github.trainer4j.api.InitializerException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One call of {@link Transfer#fetch}: resolve, check the names, lock the directory, fetch; once more if it changed. */
final class Download {
    private final Source source;
    private final TransferSettings settings;
    private final Surroundings surroundings;
    private final Report report;
    private final Retries retries;

    Download(Source source, TransferSettings settings, Surroundings surroundings, Report report) {
        this.source = source;
        this.settings = settings;
        this.surroundings = surroundings;
        this.report = report;
        this.retries = new Retries(settings, report::log);
    }

    void into(Path directory) throws IOException, InterruptedException {
        try {
            TargetDirectory target = TargetDirectory.open(directory);
            Snapshot snapshot = resolve(target);
            target.makeOwn();
            try (DirectoryLock lock = DirectoryLock.acquire(target.own(), surroundings.locking(), report::log)) {
                fetchTwice(snapshot, target, lock);
            }
        } catch (ClosedByInterruptException e) {
            throw interrupted(e);
        } catch (IOException e) {
            if (isFull(e)) {
                throw full(directory, e);
            }
            throw e;
        }
    }

    /** Lists what there is, on a thread of its own: the calling one must be free to see an interrupt. */
    private Snapshot resolve(TargetDirectory target) throws IOException, InterruptedException {
        AtomicReference<@Nullable Snapshot> result = new AtomicReference<>();
        try {
            new Crew(reason -> source.abort(), report::tick, report::log)
                    .run(1, () -> result.set(source.resolve(retries)));
        } catch (IOException e) {
            throw new InitializerException(
                    source.identity() + " cannot be listed: " + e.getMessage() + "; check the network and the endpoint",
                    "Network",
                    e);
        }
        Snapshot snapshot = Objects.requireNonNull(result.get(), "the source resolved to null");
        if (snapshot.files().isEmpty()) {
            throw new InitializerException(
                    "there are no files at " + source.identity() + "; check its name", "NotFound", null);
        }
        new FileNames(target.isWindows(), false).check(snapshot.files());
        return snapshot;
    }

    private void fetchTwice(Snapshot snapshot, TargetDirectory target, DirectoryLock lock)
            throws IOException, InterruptedException {
        try {
            fetch(snapshot, target, lock);
        } catch (SourceException changed) {
            report.log(changed.getMessage() + "; listing " + source.identity() + " again");
            try {
                fetch(resolve(target), target, lock);
            } catch (SourceException again) {
                again.addSuppressed(changed);
                throw new InitializerException(
                        source.identity() + " changed twice while it was fetched (" + again.getMessage()
                                + "); run it again when nobody writes to it",
                        "Changed",
                        again);
            }
        }
    }

    private void fetch(Snapshot snapshot, TargetDirectory target, DirectoryLock lock)
            throws IOException, InterruptedException {
        new Round(source, snapshot, target, lock.isExclusive(), settings, surroundings, retries, report).run();
    }

    /** An interrupt that comes while a file is written closes the file instead of ending a wait. */
    private static InterruptedException interrupted(ClosedByInterruptException e) {
        Thread.interrupted();
        InterruptedException interrupted = new InterruptedException("interrupted during a download");
        interrupted.initCause(e);
        return interrupted;
    }

    private static boolean isFull(IOException e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return List.of("no space left", "not enough space", "quota exceeded").stream()
                .anyMatch(message::contains);
    }

    private static InitializerException full(Path directory, IOException e) {
        return new InitializerException(
                "the disk of " + directory + " is full: " + e.getMessage()
                        + "; free some space and run it again to go on from here",
                "DiskFull",
                e);
    }
}
