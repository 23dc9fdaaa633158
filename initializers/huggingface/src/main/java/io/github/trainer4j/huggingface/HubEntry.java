package io.github.trainer4j.huggingface;

import io.github.trainer4j.transfer.Digest;
import io.github.trainer4j.transfer.RemoteFile;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file as a listing has it. Large files are Git LFS objects, known by their SHA-256; all others are known by the hash
 * that Git gives their bytes.
 */
record HubEntry(String path, long size, Optional<Digest> digest) {
    /** Reads an element of a listing, whatever else it has; empty if path or size is missing. */
    static Optional<HubEntry> of(Map<?, ?> json) {
        boolean large = json.get("lfs") instanceof Map<?, ?>;
        Map<?, ?> lfs = json.get("lfs") instanceof Map<?, ?> map ? map : Map.of();
        Optional<Long> size = number(lfs.get("size")).or(() -> number(json.get("size")));
        if (!(json.get("path") instanceof String path) || size.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new HubEntry(
                path,
                size.get(),
                large
                        ? digest(Digest.Algorithm.SHA256, lfs.get("oid"))
                        : digest(Digest.Algorithm.GIT_BLOB_SHA1, json.get("oid"))));
    }

    private static Optional<Long> number(@Nullable Object value) {
        return value instanceof BigDecimal number && number.signum() >= 0 && number.scale() <= 0
                ? Optional.of(number.longValue())
                : Optional.empty();
    }

    /** A mirror may have another notion of these; then the size alone is checked. */
    private static Optional<Digest> digest(Digest.Algorithm algorithm, @Nullable Object value) {
        if (!(value instanceof String text)) {
            return Optional.empty();
        }
        String hex = text.toLowerCase(Locale.ROOT).replaceFirst("^sha256:", "");
        try {
            return Optional.of(new Digest(algorithm, hex));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns it as it lands: below the path of the URI, whose own name is left out, or by its last name. */
    RemoteFile toRemoteFile(Optional<String> below) {
        String landing = below.map(top -> path.equals(top)
                        ? path.substring(path.lastIndexOf('/') + 1)
                        : path.startsWith(top + "/") ? path.substring(top.length() + 1) : path)
                .orElse(path);
        return new RemoteFile(landing, path, size, digest, Optional.empty());
    }
}
