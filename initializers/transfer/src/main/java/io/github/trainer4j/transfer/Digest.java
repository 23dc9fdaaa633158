package io.github.trainer4j.transfer;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;

/**
 * The digest of a file's bytes.
 *
 * @param algorithm how it is made
 * @param hex its value in lower-case hexadecimal digits
 */
public record Digest(Algorithm algorithm, String hex) {
    /** How a digest is made. */
    public enum Algorithm {
        /** SHA-256 of the bytes, as Git LFS has it. */
        SHA256("sha256", "SHA-256"),
        /** SHA-1 of the header of a Git blob and the bytes. */
        GIT_BLOB_SHA1("git-sha1", "SHA-1");

        private final String word;
        private final String standardName;

        Algorithm(String word, String standardName) {
            this.word = word;
            this.standardName = standardName;
        }

        /** Starts a digest of a file of this size. */
        MessageDigest start(long size) {
            MessageDigest digest;
            try {
                digest = MessageDigest.getInstance(standardName);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has " + standardName, e);
            }
            if (this == GIT_BLOB_SHA1) {
                digest.update(("blob " + size + '\0').getBytes(StandardCharsets.US_ASCII));
            }
            return digest;
        }
    }

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it does not have the digits that the algorithm gives
     */
    public Digest {
        Objects.requireNonNull(algorithm, "algorithm");
        hex = hex.toLowerCase(Locale.ROOT);
        if (!hex.matches(algorithm == Algorithm.SHA256 ? "[0-9a-f]{64}" : "[0-9a-f]{40}")) {
            throw new IllegalArgumentException("'" + hex + "' is not a digest of kind " + algorithm.word);
        }
    }

    /** Ends a digest and returns its value in hexadecimal digits. */
    static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns for example {@code sha256:e3b0…}. */
    @Override
    public String toString() {
        return algorithm.word + ":" + hex;
    }
}
