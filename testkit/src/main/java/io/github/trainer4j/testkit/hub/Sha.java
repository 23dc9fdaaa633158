package io.github.trainer4j.testkit.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hex digests of text and of streams. */
final class Sha {

    private Sha() {}

    static String hex(String algorithm, String text) {
        return hex(algorithm, text, InputStream.nullInputStream());
    }

    /** Digests the prefix and then the stream, which is closed. */
    static String hex(String algorithm, String prefix, InputStream rest) {
        try (rest) {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            digest.update(prefix.getBytes(UTF_8));
            byte[] buffer = new byte[1 << 16];
            int n;
            while ((n = rest.read(buffer)) > 0) {
                digest.update(buffer, 0, n);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has " + algorithm, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
