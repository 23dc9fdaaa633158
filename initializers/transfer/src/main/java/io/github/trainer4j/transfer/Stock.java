package io.github.trainer4j.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What of a listing the directory holds already.
 *
 * @param kept the files that are there as they should be
 * @param missing the files to fetch
 * @param stale the files that an earlier download left here and that the listing does not have
 */
record Stock(List<KnownFile> kept, List<RemoteFile> missing, List<KnownFile> stale) {
    private static final int BUFFER = 128 << 10;

    /**
     * Compares a listing with the disk. A file that an earlier download put there and nobody touched is believed; any
     * other of the right size is read, if the source has a digest for it.
     *
     * @param known the files that earlier downloads put here, by name
     */
    static Stock take(
            Source source, Snapshot snapshot, TargetDirectory target, Map<String, KnownFile> known, Report report)
            throws IOException, InterruptedException {
        List<KnownFile> kept = new ArrayList<>();
        List<RemoteFile> missing = new ArrayList<>();
        List<RemoteFile> doubtful = new ArrayList<>();
        Set<String> listed = new HashSet<>();
        for (RemoteFile file : snapshot.files()) {
            if (file.isDirectory()) {
                continue;
            }
            listed.add(file.path());
            target.checkLinks(file.path());
            Optional<TargetDirectory.Found> found = target.find(file.path());
            KnownFile before = known.get(file.path());
            if (found.isEmpty() || found.get().size() != file.size()) {
                missing.add(file);
            } else if (before != null && before.isUntouched(found.get())) {
                boolean same = before.content().equals(KnownFile.content(source, snapshot, file));
                if (same) {
                    kept.add(before);
                } else {
                    missing.add(file);
                }
            } else if (file.digest().isPresent()) {
                doubtful.add(file);
            } else {
                missing.add(file);
            }
        }
        if (!doubtful.isEmpty()) {
            report.log("checking " + Words.files(doubtful.size()) + ", "
                    + Words.size(doubtful.stream().mapToLong(RemoteFile::size).sum()) + ", found in " + target.root());
        }
        for (RemoteFile file : doubtful) {
            if (isIntact(target, file)) {
                TargetDirectory.Found found = target.find(file.path()).orElseThrow();
                kept.add(new KnownFile(
                        file.path(), found.size(), KnownFile.content(source, snapshot, file), found.modified()));
            } else {
                missing.add(file);
            }
        }
        List<KnownFile> stale = known.values().stream()
                .filter(file -> !listed.contains(file.path()))
                .toList();
        return new Stock(kept, missing, stale);
    }

    private static boolean isIntact(TargetDirectory target, RemoteFile file) throws IOException, InterruptedException {
        Digest wanted = file.digest().orElseThrow();
        MessageDigest digest = wanted.algorithm().start(file.size());
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        try (FileChannel channel =
                FileChannel.open(target.path(file.path()), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            while (channel.read(buffer) >= 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while checking " + file.path());
                }
                digest.update(buffer.flip());
                buffer.clear();
            }
        }
        return Digest.hex(digest).equals(wanted.hex());
    }

    long bytesKept() {
        return kept.stream().mapToLong(KnownFile::size).sum();
    }

    long bytesMissing() {
        return missing.stream().mapToLong(RemoteFile::size).sum();
    }
}
