package io.github.trainer4j.transfer;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file that a download put where it is.
 *
 * @param path its name below the target directory
 * @param size its length in bytes
 * @param content what its bytes are known by: see {@link #content}
 * @param modified when it was last modified, in nanoseconds since 1970
 */
record KnownFile(String path, long size, String content, long modified) {
    /**
     * Names the bytes of a file: by their digest, else by the version that the source gives them, else by the revision of
     * the whole source. Equal names stand for equal bytes.
     */
    static String content(Source source, Snapshot snapshot, RemoteFile file) {
        return file.digest()
                .map(Digest::toString)
                .or(() -> file.version().map(version -> source.identity() + " " + file.key() + " version " + version))
                .orElseGet(() -> source.identity() + " " + file.key() + " revision " + snapshot.revision());
    }

    /** Returns whether the file on the disk still is as it was left. */
    boolean isUntouched(TargetDirectory.Found found) {
        return found.size() == size && found.modified() == modified;
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", path);
        json.put("size", size);
        json.put("content", content);
        json.put("modified", modified);
        return json;
    }

    /** Reads what {@link #toJson} wrote; empty for anything else. */
    static Optional<KnownFile> fromJson(@Nullable Object value) {
        if (value instanceof Map<?, ?> json
                && json.get("path") instanceof String path
                && json.get("size") instanceof BigDecimal size
                && json.get("content") instanceof String content
                && json.get("modified") instanceof BigDecimal modified) {
            return Optional.of(new KnownFile(path, size.longValue(), content, modified.longValue()));
        }
        return Optional.empty();
    }
}
