package io.github.trainer4j.transfer;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.transfer.RangeFetch.Outcome;
import io.github.trainer4j.transfer.RangeFetch.Transmission;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Fetches files over parallel connections and publishes each one as soon as it is there and checked. */
final class FileFetch {
    private static final int BUFFER = 128 << 10;

    private final Source source;
    private final Transmission transmission;
    private final TargetDirectory target;
    private final Path workspace;
    private final TransferSettings settings;
    private final Map<String, Map<Integer, Integer>> pieces;
    private final Report report;
    private final Map<String, KnownFile> published = new ConcurrentHashMap<>();
    private final Set<String> corruptOnce = ConcurrentHashMap.newKeySet();
    private final Set<Part> open = ConcurrentHashMap.newKeySet();

    FileFetch(
            Source source,
            Transmission transmission,
            TargetDirectory target,
            Path workspace,
            TransferSettings settings,
            Map<String, Map<Integer, Integer>> pieces,
            Report report) {
        this.source = source;
        this.transmission = transmission;
        this.target = target;
        this.workspace = workspace;
        this.settings = settings;
        this.pieces = pieces;
        this.report = report;
    }

    /** Fetches them all and returns how each one lies on the disk, by name. */
    Map<String, KnownFile> fetch(Collection<RemoteFile> files) throws IOException, InterruptedException {
        WorkQueue queue = new WorkQueue(files);
        Flows flows = transmission.flows();
        Consumer<Throwable> cut = reason -> {
            // After a change the source is asked again.
            if (!(reason instanceof SourceException)) {
                source.abort();
            }
            flows.cutAll();
        };
        Runnable tick = () -> {
            report.tick();
            flows.cutStalled();
        };
        try {
            new Crew(cut, tick, report::log).run(threads(files), () -> work(queue));
            return published;
        } finally {
            for (Part part : open) {
                part.close();
            }
        }
    }

    private int threads(Collection<RemoteFile> files) {
        long ranges = files.stream()
                .mapToLong(file -> Math.max(1, (file.size() - 1) / settings.pieceSize() + 1))
                .sum();
        return (int) Math.min(settings.connections(), ranges);
    }

    private void work(WorkQueue queue) throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER];
        for (WorkQueue.Item item = queue.next(); item != null; item = queue.next()) {
            try {
                if (item.file() != null) {
                    begin(item.file(), queue);
                } else if (item.range() != null) {
                    fetch(item.range(), buffer, queue);
                }
            } finally {
                queue.done();
            }
        }
    }

    private void begin(RemoteFile file, WorkQueue queue) throws IOException, InterruptedException {
        String content = KnownFile.content(source, transmission.snapshot(), file);
        String name = Part.name(file, content, settings.pieceSize());
        Part part = Part.open(workspace.resolve(name), file, settings.pieceSize(), pieces.getOrDefault(name, Map.of()));
        open.add(part);
        transmission.bytesDone().addAndGet(part.present());
        if (part.isComplete()) {
            finish(part, queue);
        } else {
            queue.add(part.missing());
        }
    }

    private void fetch(Part.Range range, byte[] buffer, WorkQueue queue) throws IOException, InterruptedException {
        Part part = range.part();
        Outcome outcome = RangeFetch.of(transmission, range).run(buffer);
        if (outcome == Outcome.BECAME_SEQUENTIAL) {
            report.log("'" + part.file().path() + "': the source ignores ranges; fetched over one connection");
            queue.drop(part);
            outcome = RangeFetch.wholly(transmission, part).run(buffer);
        }
        if (outcome == Outcome.FILE_COMPLETE) {
            finish(part, queue);
        }
    }

    private void finish(Part part, WorkQueue queue) throws IOException, InterruptedException {
        RemoteFile file = part.file();
        String fault = part.fault();
        if (fault != null) {
            part.discard();
            open.remove(part);
            transmission.bytesDone().addAndGet(-file.size());
            if (!corruptOnce.add(file.path())) {
                throw new InitializerException(
                        "'" + file.path() + "' of " + source.identity() + " arrived damaged twice: " + fault
                                + "; tell those who run the endpoint, or use another one",
                        "Corrupt",
                        null);
            }
            report.log("'" + file.path() + "' arrived damaged: " + fault + "; fetching it again");
            queue.again(file);
            return;
        }
        part.sync();
        part.close();
        open.remove(part);
        target.publish(part.path(), file.path());
        TargetDirectory.Found found = target.find(file.path())
                .orElseThrow(() -> new IOException(target.path(file.path()) + " was removed during the download"));
        KnownFile known = new KnownFile(
                file.path(), found.size(), KnownFile.content(source, transmission.snapshot(), file), found.modified());
        published.put(file.path(), known);
        transmission.journal().finished(known);
    }
}
