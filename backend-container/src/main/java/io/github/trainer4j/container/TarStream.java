package io.github.trainer4j.container;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** Makes a tar archive out of files while it is read, so that none of them is held in memory or written twice. */
final class TarStream {
    static final int BLOCK = 512;
    private static final int LONGEST_NAME = 100;
    private static final long LARGEST = (1L << 33) - 1;

    /**
     * What goes into an archive.
     *
     * @param name its path in the archive
     * @param file the file or directory
     * @param open whether everybody may write there
     */
    private record Entry(String name, Path file, boolean open) {}

    private final List<Entry> entries = new ArrayList<>();

    /** Adds a directory, without what is in it, that everybody may write. */
    TarStream openDirectory(String name, Path directory) {
        entries.add(new Entry(name, directory, true));
        return this;
    }

    /** Adds a file, or a directory with all that is in it; links are followed. */
    TarStream tree(String name, Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
            for (Path path : paths.sorted().toList()) {
                String below = root.relativize(path).toString();
                entries.add(new Entry(below.isEmpty() ? name : name + "/" + below, path, false));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return this;
    }

    InputStream open() {
        return new Parts();
    }

    /** One entry after the other, each opened when it is its turn. */
    private final class Parts extends BlockInput {
        private InputStream current = InputStream.nullInputStream();
        private int next;

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            while (true) {
                int n = current.read(bytes, offset, length);
                if (n >= 0 || next > entries.size()) {
                    return n;
                }
                current.close();
                current = next < entries.size()
                        ? stream(entries.get(next))
                        : new ByteArrayInputStream(new byte[2 * BLOCK]);
                next++;
            }
        }

        @Override
        public void close() throws IOException {
            current.close();
        }
    }

    private static InputStream stream(Entry entry) throws IOException {
        boolean directory = Files.isDirectory(entry.file());
        long size = directory ? 0 : Files.size(entry.file());
        FileTime changed = Files.getLastModifiedTime(entry.file());
        String name = directory ? entry.name() + "/" : entry.name();
        // Readable for every user a container may run as, whatever they are on this machine.
        int mode = directory || Files.isExecutable(entry.file()) ? entry.open() ? 0777 : 0755 : 0644;
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        if (path.length > LONGEST_NAME || size > LARGEST) {
            byte[] further =
                    (further("path", name) + further("size", Long.toString(size))).getBytes(StandardCharsets.UTF_8);
            head.write(header("further".getBytes(StandardCharsets.UTF_8), 'x', 0644, further.length, changed));
            head.write(further);
            head.write(new byte[padding(further.length)]);
        }
        head.write(header(path, directory ? '5' : '0', mode, Math.min(size, LARGEST), changed));
        List<InputStream> parts = new ArrayList<>();
        parts.add(new ByteArrayInputStream(head.toByteArray()));
        if (!directory) {
            parts.add(new Exactly(entry.file(), size));
            parts.add(new ByteArrayInputStream(new byte[padding(size)]));
        }
        return new SequenceInputStream(Collections.enumeration(parts));
    }

    /** A record of the kind that newer archives put in front of an entry: its own length, a key and a value. */
    private static String further(String key, String value) {
        String rest = " " + key + "=" + value + "\n";
        int length = rest.getBytes(StandardCharsets.UTF_8).length;
        int digits = Integer.toString(length).length();
        int whole = length + digits;
        return (Integer.toString(whole).length() > digits ? whole + 1 : whole) + rest;
    }

    private static byte[] header(byte[] name, char kind, int mode, long size, FileTime changed) {
        byte[] block = new byte[BLOCK];
        System.arraycopy(name, 0, block, 0, Math.min(name.length, LONGEST_NAME));
        number(block, 100, 8, mode);
        number(block, 108, 8, 0);
        number(block, 116, 8, 0);
        number(block, 124, 12, size);
        number(block, 136, 12, Math.max(0, changed.toMillis() / 1000));
        block[156] = (byte) kind;
        text(block, 257, "ustar\00000");
        // The sum counts its own place as blanks.
        text(block, 148, "        ");
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xff;
        }
        number(block, 148, 8, sum);
        return block;
    }

    private static void number(byte[] block, int at, int length, long value) {
        String digits = Long.toOctalString(value);
        text(block, at, "0".repeat(length - 1 - digits.length()) + digits + "\0");
    }

    private static void text(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    static int padding(long size) {
        return (int) ((BLOCK - size % BLOCK) % BLOCK);
    }

    /** A file with as many bytes as it had when its header was written, though it may grow or shrink meanwhile. */
    private static final class Exactly extends BlockInput {
        private final Path file;
        private InputStream in = InputStream.nullInputStream();
        private boolean begun;
        private long left;

        Exactly(Path file, long size) {
            this.file = file;
            this.left = size;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            if (!begun) {
                begun = true;
                in = Files.newInputStream(file);
            }
            int wanted = (int) Math.min(length, left);
            int n = in.read(bytes, offset, wanted);
            if (n < 0) {
                java.util.Arrays.fill(bytes, offset, offset + wanted, (byte) 0);
                n = wanted;
            }
            left -= n;
            return n;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
