package io.github.trainer4j.transfer;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A file that a source has.
 *
 * @param path where it lands below the target directory, with {@code /} between names; it is checked before anything is
 *     written. With a {@code /} at its end (and size 0) it stands for a directory
 * @param key what the source itself calls it, for example the key of an object
 * @param size its length in bytes
 * @param digest what its bytes are checked against, if the source knows a digest
 * @param version a tag that changes whenever the bytes do, such as an ETag, if there is one
 */
public record RemoteFile(String path, String key, long size, Optional<Digest> digest, Optional<String> version) {
    /**
     * Checks that nothing is null and the size not negative.
     *
     * @throws IllegalArgumentException if the size is negative
     */
    public RemoteFile {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(digest, "digest");
        Objects.requireNonNull(version, "version");
        if (size < 0) {
            throw new IllegalArgumentException("the size of " + key + " is " + size);
        }
    }

    /** Returns whether it stands for a directory. */
    public boolean isDirectory() {
        return path.endsWith("/");
    }

    /** Returns a name for a listing that changes whenever a path, size, digest or version in it does, in any order. */
    public static String revisionOf(List<RemoteFile> files) {
        var sha256 = Digest.Algorithm.SHA256.start(0);
        files.stream().sorted(Comparator.comparing(RemoteFile::path)).forEach(file -> {
            for (String part : List.of(
                    file.path,
                    Long.toString(file.size),
                    file.digest.map(Digest::toString).orElse(""),
                    file.version.orElse(""))) {
                sha256.update(part.getBytes(StandardCharsets.UTF_8));
                sha256.update((byte) 0);
            }
        });
        return new Digest(Digest.Algorithm.SHA256, Digest.hex(sha256)).toString();
    }
}
