package io.github.trainer4j.transfer;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file under way: pieces of it are written in any order by many threads. Its digest is made in order all the while, by
 * whoever writes at the place where it stands, or else by reading back what others have finished beyond; so hardly
 * anything of it is left to do when the last piece is there.
 */
final class Part implements Closeable {
    private static final int BUFFER = 128 << 10;

    private final RemoteFile file;
    private final Path path;
    private final int pieceSize;
    private final FileChannel channel;
    private final BitSet done = new BitSet();
    private final ReentrantLock hashing = new ReentrantLock();
    private final @Nullable MessageDigest digest;
    private volatile long hashed;
    private volatile boolean sequential;

    private Part(RemoteFile file, Path path, int pieceSize, FileChannel channel) {
        this.file = file;
        this.path = path;
        this.pieceSize = pieceSize;
        this.channel = channel;
        this.digest = file.digest()
                .map(wanted -> wanted.algorithm().start(file.size()))
                .orElse(null);
    }

    /** Names the part of a file, so that it is found again only for the same bytes in the same pieces. */
    static String name(RemoteFile file, String content, int pieceSize) {
        MessageDigest name = Digest.Algorithm.SHA256.start(0);
        String all = file.path() + '\0' + file.size() + '\0' + content;
        name.update(all.getBytes(StandardCharsets.UTF_8));
        return Digest.hex(name).substring(0, 32) + "-" + pieceSize + ".part";
    }

    /**
     * Opens a part, or makes it. Pieces that are there and have the given checksums count as done.
     *
     * @param crcs the checksums of finished pieces
     */
    static Part open(Path path, RemoteFile file, int pieceSize, Map<Integer, Integer> crcs) throws IOException {
        FileChannel channel = FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        Part part = new Part(file, path, pieceSize, channel);
        try {
            if (channel.size() > file.size()) {
                channel.truncate(file.size());
            }
            for (Map.Entry<Integer, Integer> piece : crcs.entrySet()) {
                int index = piece.getKey();
                if (index >= 0
                        && index < part.pieces()
                        && part.end(index) <= channel.size()
                        && part.crcOf(index) == piece.getValue()) {
                    part.done.set(index);
                }
            }
            return part;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private int crcOf(int piece) throws IOException {
        CRC32C crc = new CRC32C();
        readBack(start(piece), end(piece), (bytes, length) -> crc.update(bytes, 0, length));
        return (int) crc.getValue();
    }

    private interface Sink {
        void take(byte[] bytes, int length);
    }

    /** Reads what is written; stops at the end of what there is. */
    private void readBack(long from, long end, Sink sink) throws IOException {
        byte[] bytes = new byte[(int) Math.min(BUFFER, end - from)];
        long position = from;
        while (position < end) {
            int length = (int) Math.min(bytes.length, end - position);
            int read = channel.read(ByteBuffer.wrap(bytes, 0, length), position);
            if (read < 0) {
                return;
            }
            sink.take(bytes, read);
            position += read;
        }
    }

    RemoteFile file() {
        return file;
    }

    Path path() {
        return path;
    }

    String name() {
        return path.getFileName().toString();
    }

    private int pieces() {
        return Math.toIntExact((file.size() + pieceSize - 1) / pieceSize);
    }

    private long start(int piece) {
        return (long) piece * pieceSize;
    }

    private long end(int piece) {
        return Math.min(start(piece) + pieceSize, file.size());
    }

    int pieceAt(long position) {
        return Math.toIntExact(position / pieceSize);
    }

    /** Returns where the piece ends that a place in the file belongs to. */
    long endOfPieceAt(long position) {
        return end(pieceAt(position));
    }

    /** Returns the ranges that are still to be fetched, each one piece. */
    List<Range> missing() {
        List<Range> ranges = new ArrayList<>();
        synchronized (done) {
            for (int piece = done.nextClearBit(0); piece < pieces(); piece = done.nextClearBit(piece + 1)) {
                ranges.add(new Range(this, start(piece), end(piece)));
            }
        }
        return ranges;
    }

    /** A stretch of a part that one thread fetches. */
    record Range(Part part, long from, long end) {}

    boolean isDone(int piece) {
        synchronized (done) {
            return done.get(piece);
        }
    }

    boolean isComplete() {
        synchronized (done) {
            return done.cardinality() == pieces();
        }
    }

    /** Returns how many bytes of it are in finished pieces. */
    long present() {
        synchronized (done) {
            return done.stream().mapToLong(piece -> end(piece) - start(piece)).sum();
        }
    }

    boolean isSequential() {
        return sequential;
    }

    /** Has the rest fetched by one thread from beginning to end; returns whether the caller is to be the one. */
    synchronized boolean becomeSequential() {
        boolean first = !sequential;
        sequential = true;
        return first;
    }

    /** Writes bytes at their place. */
    void write(byte[] bytes, int length, long position) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
        try {
            long at = position;
            while (buffer.hasRemaining()) {
                at += channel.write(buffer, at);
            }
        } catch (IOException e) {
            throw new DiskException(e);
        }
        if (digest != null && hashed == position && hashing.tryLock()) {
            try {
                if (hashed == position) {
                    digest.update(bytes, 0, length);
                    hashed = position + length;
                }
            } finally {
                hashing.unlock();
            }
        }
    }

    /** What became of a piece that was written to its end. */
    enum Piece {
        /** Somebody else had written it already. */
        TWICE,
        /** More of the file is missing. */
        ONE_MORE,
        /** It was the last one. */
        LAST
    }

    /** Notes that a piece is written. */
    Piece finished(int piece) {
        Piece result;
        synchronized (done) {
            if (done.get(piece)) {
                return Piece.TWICE;
            }
            done.set(piece);
            result = done.cardinality() == pieces() ? Piece.LAST : Piece.ONE_MORE;
        }
        if (hashing.tryLock()) {
            try {
                catchUp();
            } catch (IOException e) {
                throw new DiskException(e);
            } finally {
                hashing.unlock();
            }
        }
        return result;
    }

    /** Takes the digest on over all that is done without a gap. */
    private void catchUp() throws IOException {
        if (digest == null) {
            return;
        }
        long end = withoutGap();
        while (hashed < end) {
            long from = hashed;
            readBack(from, end, (bytes, length) -> digest.update(bytes, 0, length));
            hashed = end;
            end = withoutGap();
        }
    }

    private long withoutGap() throws IOException {
        synchronized (done) {
            return Math.min(start(done.nextClearBit(0)), channel.size());
        }
    }

    /**
     * Compares a complete part with what the source says of it.
     *
     * @return what is wrong with it, or null
     */
    @Nullable
    String fault() throws IOException, InterruptedException {
        if (channel.size() != file.size()) {
            return "it has " + channel.size() + " bytes and not " + file.size();
        }
        if (digest == null) {
            return null;
        }
        hashing.lockInterruptibly();
        try {
            catchUp();
            Digest wanted = file.digest().orElseThrow();
            Digest is = new Digest(wanted.algorithm(), Digest.hex(digest));
            return is.equals(wanted) ? null : "its digest is " + is + " and not " + wanted;
        } catch (ClosedByInterruptException e) {
            throw new InterruptedException("interrupted while checking " + file.path());
        } finally {
            hashing.unlock();
        }
    }

    /** Has the bytes survive a loss of power. */
    void sync() throws IOException {
        channel.force(false);
    }

    /** Throws away what was fetched. */
    void discard() throws IOException {
        close();
        Files.deleteIfExists(path);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
