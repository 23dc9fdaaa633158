package io.github.trainer4j.testkit.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The bytes of a file: given, or generated while they are sent, so that a file may be larger than memory.
 *
 * <p>Immutable, safe for use by many threads. Digests are computed once, when they are first asked for.
 */
public final class Content {

    private final long size;
    private final Opener opener;
    private final Supplier<String> sha256;
    private final Supplier<String> blobSha1;

    private Content(long size, Opener opener, Supplier<String> sha256, Supplier<String> blobSha1) {
        this.size = size;
        this.opener = opener;
        this.sha256 = new Once(sha256);
        this.blobSha1 = new Once(blobSha1);
    }

    private static Content honest(long size, Opener opener) {
        return new Content(
                size,
                opener,
                () -> Sha.hex("SHA-256", "", opener.open(0)),
                () -> Sha.hex("SHA-1", "blob " + size + "\0", opener.open(0)));
    }

    /**
     * Content made of these bytes.
     *
     * @param bytes copied
     * @return the content
     */
    public static Content of(byte[] bytes) {
        byte[] copy = bytes.clone();
        return honest(copy.length, offset -> new ByteArrayInputStream(copy, (int) offset, copy.length - (int) offset));
    }

    /**
     * Content made of this text, in UTF-8.
     *
     * @param text the text
     * @return the content
     */
    public static Content of(String text) {
        return of(text.getBytes(UTF_8));
    }

    /**
     * Pseudo-random bytes that take no memory: the same for the same seed, and another file for another seed.
     *
     * @param seed chooses the bytes
     * @param size in bytes
     * @return the content
     * @throws IllegalArgumentException if the size is negative
     */
    public static Content generated(long seed, long size) {
        checkSize(size);
        return honest(size, offset -> new GeneratedBytes(seed, offset, size));
    }

    /**
     * Content that is listed with a size and an invented digest, at no cost, however large.
     *
     * <p>For a client that must refuse before it downloads, as for want of disk space. What is sent does not match the
     * digest.
     *
     * @param size in bytes
     * @return the content
     * @throws IllegalArgumentException if the size is negative
     */
    public static Content phantom(long size) {
        checkSize(size);
        return new Content(
                size,
                offset -> new GeneratedBytes(0, offset, size),
                () -> Sha.hex("SHA-256", "phantom " + size),
                () -> Sha.hex("SHA-1", "phantom " + size));
    }

    private static void checkSize(long size) {
        if (size < 0) {
            throw new IllegalArgumentException("A file cannot have " + size + " bytes.");
        }
    }

    /**
     * The number of bytes.
     *
     * @return bytes
     */
    public long size() {
        return size;
    }

    /**
     * The digest by which the Hub knows a large (LFS) file.
     *
     * @return SHA-256 of the bytes, 64 lower-case hex digits
     */
    public String sha256() {
        return sha256.get();
    }

    /**
     * The digest by which git, and so the Hub, knows a small file.
     *
     * @return git's SHA-1 of a blob of these bytes, 40 lower-case hex digits
     */
    public String blobSha1() {
        return blobSha1.get();
    }

    /**
     * Reads the content from its beginning.
     *
     * @return a stream, to be closed by the caller
     */
    public InputStream open() {
        return open(0);
    }

    /**
     * Reads the content from an offset to its end.
     *
     * @param offset bytes to leave out, from 0 to {@link #size()}
     * @return a stream, to be closed by the caller
     * @throws IllegalArgumentException if the offset is outside of the content
     */
    public InputStream open(long offset) {
        if (offset < 0 || offset > size) {
            throw new IllegalArgumentException("Offset " + offset + " is outside of the " + size + " bytes.");
        }
        return opener.open(offset);
    }

    /**
     * All bytes at once, for content that fits in memory.
     *
     * @return a new array
     */
    public byte[] bytes() {
        try (InputStream in = open()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Whether a file holds exactly these bytes. Reads in constant memory.
     *
     * @param file the file, for example a downloaded one
     * @return false also if there is no such regular file
     * @throws UncheckedIOException if the file cannot be read
     */
    public boolean isIn(Path file) {
        Objects.requireNonNull(file, "file");
        try {
            if (!Files.isRegularFile(file) || Files.size(file) != size) {
                return false;
            }
            try (InputStream actual = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
                    InputStream expected = open()) {
                byte[] left = new byte[1 << 16];
                byte[] right = new byte[1 << 16];
                while (true) {
                    int n = expected.readNBytes(left, 0, left.length);
                    int m = actual.readNBytes(right, 0, right.length);
                    if (n != m || !Arrays.equals(left, 0, n, right, 0, m)) {
                        return false;
                    }
                    if (n == 0) {
                        return true;
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return size + " bytes";
    }

    /** Opens the bytes from an offset. */
    interface Opener {
        InputStream open(long offset);
    }

    /** Bytes from a counter-based generator: any offset is reached at once. */
    private static final class GeneratedBytes extends InputStream {

        private static final long ODD = 0x6A09E667F3BCC909L;

        private final long seed;
        private final long size;
        private long position;

        GeneratedBytes(long seed, long position, long size) {
            this.seed = seed;
            this.position = position;
            this.size = size;
        }

        @Override
        public int read() {
            if (position >= size) {
                return -1;
            }
            long word = word(position >>> 3);
            int shift = (int) (position & 7) << 3;
            position++;
            return (int) (word >>> shift) & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) {
                return 0;
            }
            int count = (int) Math.min(length, size - position);
            if (count <= 0) {
                return -1;
            }
            int done = 0;
            while (done < count) {
                long word = word(position >>> 3) >>> ((int) (position & 7) << 3);
                int inWord = (int) Math.min(8 - (position & 7), count - done);
                for (int i = 0; i < inWord; i++) {
                    target[offset + done + i] = (byte) word;
                    word >>>= 8;
                }
                done += inWord;
                position += inWord;
            }
            return count;
        }

        private long word(long index) {
            long mixed = ((index + 1) ^ Long.rotateLeft(seed * ODD, 32)) * ODD;
            mixed = (mixed ^ (mixed >>> 32)) * ODD;
            return mixed ^ (mixed >>> 29);
        }
    }

    /** A digest: computed when first needed, then kept. */
    private static final class Once implements Supplier<String> {

        private final Supplier<String> source;
        private Optional<String> value = Optional.empty();

        Once(Supplier<String> source) {
            this.source = source;
        }

        @Override
        public synchronized String get() {
            if (value.isEmpty()) {
                value = Optional.of(source.get());
            }
            return value.get();
        }
    }
}
