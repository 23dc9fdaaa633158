package io.github.trainer4j.transfer;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.transfer.RangeFetch.Transmission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Makes a directory hold one snapshot: takes stock, makes room, fetches what is missing, and says so in the record. */
final class Round {
    private final Source source;
    private final Snapshot snapshot;
    private final TargetDirectory target;
    private final TransferSettings settings;
    private final Surroundings surroundings;
    private final Retries retries;
    private final Report report;
    private final Workspace workspace;

    Round(
            Source source,
            Snapshot snapshot,
            TargetDirectory target,
            boolean exclusive,
            TransferSettings settings,
            Surroundings surroundings,
            Retries retries,
            Report report) {
        this.source = source;
        this.snapshot = snapshot;
        this.target = target;
        this.settings = settings;
        this.surroundings = surroundings;
        this.retries = retries;
        this.report = report;
        this.workspace = new Workspace(target, exclusive);
    }

    /**
     * Does it.
     *
     * @throws SourceException if a file is not as it was listed
     */
    void run() throws IOException, InterruptedException {
        Optional<CompletionRecord> record = CompletionRecord.load(target.own());
        Journal.State journal = workspace.journal();
        Map<String, KnownFile> known = new LinkedHashMap<>();
        record.ifPresent(complete -> complete.files().forEach(file -> known.put(file.path(), file)));
        known.putAll(journal.files());

        Stock stock = Stock.take(source, snapshot, target, known, report);
        report.start(stock.bytesKept(), stock.bytesKept() + stock.bytesMissing());
        if (stock.missing().isEmpty()
                && record.filter(complete -> isOfThis(complete, stock)).isPresent()) {
            makeDirectories();
            workspace.clear();
            report.log("all of " + place() + " is in " + target.root() + " already: "
                    + Words.files(stock.kept().size()) + ", " + Words.size(stock.bytesKept()));
            return;
        }
        // Not before: a directory that is complete may be one that cannot be written.
        if (surroundings.folding().in(target)) {
            new FileNames(target.isWindows(), true).check(snapshot.files());
        }
        Map<String, Map<Integer, Integer>> pieces = wanted(journal.pieces(), stock);
        if (settings.checkFreeSpace()) {
            checkFreeSpace(stock, pieces);
        }
        long started = System.nanoTime();
        report.log(beginning(stock));

        Map<String, KnownFile> there = new LinkedHashMap<>();
        stock.kept().forEach(file -> there.put(file.path(), file));
        workspace.prepare();
        try (Journal running = Journal.start(workspace.directory(), known.values(), pieces)) {
            CompletionRecord.remove(target.own());
            workspace.sweep(pieces.keySet());
            for (KnownFile file : stock.stale()) {
                target.remove(file.path());
            }
            Flows flows = new Flows(settings.stallTimeout());
            Transmission transmission =
                    new Transmission(snapshot, retries, surroundings.budget(), flows, running, report.bytesDone());
            there.putAll(new FileFetch(source, transmission, target, workspace.directory(), settings, pieces, report)
                    .fetch(stock.missing()));
        }
        makeDirectories();
        complete(there);
        report.tick();
        report.log(end(stock, Duration.ofNanos(System.nanoTime() - started)));
    }

    private String beginning(Stock stock) {
        String kept = Words.files(stock.kept().size()) + ", " + Words.size(stock.bytesKept());
        if (stock.missing().isEmpty()) {
            return kept + ", are all of " + place() + ", and in " + target.root() + " already";
        }
        return "fetching " + fetched(stock) + " of " + place() + " into " + target.root()
                + (stock.kept().isEmpty() ? "" : "; " + kept + ", are there already");
    }

    private static String end(Stock stock, Duration took) {
        String removed = stock.stale().isEmpty()
                ? ""
                : "; removed " + Words.files(stock.stale().size());
        if (stock.missing().isEmpty()) {
            return "nothing to fetch" + removed;
        }
        return "fetched " + fetched(stock) + " in " + Words.time(took) + " ("
                + Words.size(perSecond(stock.bytesMissing(), took)) + "/s)" + removed;
    }

    private static String fetched(Stock stock) {
        return Words.files(stock.missing().size()) + ", " + Words.size(stock.bytesMissing()) + ",";
    }

    private static long perSecond(long bytes, Duration took) {
        return (long) (bytes * 1e9 / Math.max(1, took.toNanos()));
    }

    private String place() {
        return source.identity() + " at " + snapshot.revision();
    }

    private boolean isOfThis(CompletionRecord record, Stock stock) {
        return record.identity().equals(source.identity())
                && record.revision().equals(snapshot.revision())
                && stock.stale().isEmpty()
                && Set.copyOf(record.files()).equals(Set.copyOf(stock.kept()));
    }

    /** Returns the finished pieces of parts that are wanted now, by the name of the part. */
    private Map<String, Map<Integer, Integer>> wanted(Map<String, Map<Integer, Integer>> finished, Stock stock) {
        Map<String, Map<Integer, Integer>> wanted = new HashMap<>();
        for (RemoteFile file : stock.missing()) {
            String part = Part.name(file, KnownFile.content(source, snapshot, file), settings.pieceSize());
            if (Files.isRegularFile(workspace.directory().resolve(part))) {
                wanted.put(part, finished.getOrDefault(part, Map.of()));
            }
        }
        return wanted;
    }

    private void checkFreeSpace(Stock stock, Map<String, Map<Integer, Integer>> pieces) throws IOException {
        long there = pieces.values().stream().mapToLong(Map::size).sum() * settings.pieceSize();
        long freed = stock.stale().stream().mapToLong(KnownFile::size).sum();
        long needed = Math.max(0, stock.bytesMissing() - there - freed);
        OptionalLong free = surroundings.freeSpace().at(target.own());
        if (free.isPresent() && free.getAsLong() < needed) {
            throw new InitializerException(
                    "there is no room for " + place() + " in " + target.root() + ": " + Words.size(needed) + " ("
                            + needed + ") are needed, and " + Words.size(free.getAsLong()) + " (" + free.getAsLong()
                            + ") are free on its file system; free some space, use another directory, leave files out"
                            + " by ignore_patterns, or skip this check with"
                            + " -Dio.github.trainer4j.transfer.check-free-space=false",
                    "DiskFull",
                    null);
        }
    }

    private void makeDirectories() throws IOException {
        for (RemoteFile file : snapshot.files()) {
            if (file.isDirectory()) {
                target.directories(target.path(file.path()));
            }
        }
    }

    /** Writes the record, if everything still is as it was left. */
    private void complete(Map<String, KnownFile> there) throws IOException {
        List<Path> directories = new ArrayList<>();
        for (KnownFile file : there.values()) {
            if (target.find(file.path()).filter(file::isUntouched).isEmpty()) {
                throw new InitializerException(
                        "somebody changed " + target.path(file.path())
                                + " during the download; have one download at a time write there, and run it again",
                        "Changed",
                        null);
            }
            directories.add(target.path(file.path()).resolveSibling(""));
        }
        directories.stream().distinct().forEach(TargetDirectory::sync);
        new CompletionRecord(source.identity(), snapshot.revision(), List.copyOf(there.values())).save(target.own());
        workspace.clear();
    }
}
