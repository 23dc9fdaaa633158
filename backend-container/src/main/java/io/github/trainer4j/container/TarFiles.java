package io.github.trainer4j.container;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Writes the files of a tar archive into a directory, and nothing outside of it, whatever the archive says: what a job
 * made is not to be trusted. Devices and the like are left out.
 */
final class TarFiles {
    private static final long LONGEST_TEXT = 1 << 20;

    private final Path target;
    private final Predicate<String> wanted;
    private final Map<String, String> further = new HashMap<>();

    /**
     * Makes a reader.
     *
     * @param wanted which entries, by their path below the archive's first directory
     */
    TarFiles(Path target, Predicate<String> wanted) {
        this.target = target;
        this.wanted = wanted;
    }

    void read(InputStream tar) throws IOException {
        byte[] block = new byte[TarStream.BLOCK];
        while (tar.readNBytes(block, 0, block.length) == block.length && block[0] != 0) {
            char kind = (char) block[156];
            long size = further.containsKey("size") ? Long.parseLong(further.getOrDefault("size", "")) : number(block);
            if (kind == 'x' || kind == 'g' || kind == 'L' || kind == 'K') {
                describe(kind, text(tar, size));
            } else {
                entry(tar, kind, name(block), further.getOrDefault("linkpath", field(block, 157, 100)), size);
                further.clear();
            }
            tar.skipNBytes(TarStream.padding(size));
        }
        // An engine whose connection was cut is not at its end; what it sends after the last entry is not needed.
        tar.transferTo(OutputStream.nullOutputStream());
    }

    private void describe(char kind, byte[] text) {
        if (kind == 'L' || kind == 'K') {
            further.put(kind == 'L' ? "path" : "linkpath", new String(text, StandardCharsets.UTF_8).replace("\0", ""));
            return;
        }
        int at = 0;
        while (kind == 'x' && at < text.length) {
            int blank = at;
            while (text[blank] != ' ') {
                blank++;
            }
            int length = Integer.parseInt(new String(text, at, blank - at, StandardCharsets.US_ASCII));
            String[] record =
                    new String(text, blank + 1, at + length - blank - 2, StandardCharsets.UTF_8).split("=", 2);
            further.put(record[0], record.length > 1 ? record[1] : "");
            at += length;
        }
    }

    private static byte[] text(InputStream tar, long size) throws IOException {
        if (size > LONGEST_TEXT) {
            throw new IOException("the archive has a name of " + size + " bytes");
        }
        byte[] text = tar.readNBytes((int) size);
        if (text.length < size) {
            throw new EOFException("the archive was cut off");
        }
        return text;
    }

    private String name(byte[] block) {
        String prefix = field(block, 345, 155);
        String name = field(block, 0, 100);
        boolean ustar = field(block, 257, 6).startsWith("ustar")
                && !field(block, 257, 8).endsWith(" ");
        return further.getOrDefault("path", ustar && !prefix.isEmpty() ? prefix + "/" + name : name);
    }

    private static String field(byte[] block, int at, int length) {
        int end = at;
        while (end < at + length && block[end] != 0) {
            end++;
        }
        return new String(block, at, end - at, StandardCharsets.UTF_8);
    }

    private static long number(byte[] block) {
        if (block[124] < 0) {
            long value = 0;
            for (int i = 128; i < 136; i++) {
                value = (value << 8) | (block[i] & 0xff);
            }
            return value;
        }
        String digits = field(block, 124, 12).strip();
        return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    }

    private void entry(InputStream tar, char kind, String name, String link, long size) throws IOException {
        String below = below(name);
        if (below.isEmpty() || !wanted.test(below)) {
            tar.skipNBytes(size);
            return;
        }
        Path path = inside(below);
        switch (kind) {
            case '5' -> directory(path);
            case '0', '\0', '7' -> file(tar, path, size);
            case '2' -> {
                replace(path);
                Files.createSymbolicLink(path, Path.of(link));
            }
            case '1' -> {
                replace(path);
                Files.createLink(path, inside(below(link)));
            }
            default -> tar.skipNBytes(size);
        }
    }

    /** Returns the path without the first directory, which is the one that was asked for. */
    private static String below(String name) {
        String plain = name.startsWith("./") ? name.substring(2) : name;
        int slash = plain.indexOf('/');
        String below = slash < 0 ? "" : plain.substring(slash + 1);
        return below.endsWith("/") ? below.substring(0, below.length() - 1) : below;
    }

    private Path inside(String below) throws IOException {
        Path path = target.resolve(below).normalize();
        if (!path.startsWith(target) || path.equals(target)) {
            throw new IOException("the archive has a path that leads elsewhere: " + below);
        }
        // A link that an earlier entry made would lead elsewhere, too.
        for (Path parent = path.getParent(); parent != null && !parent.equals(target); parent = parent.getParent()) {
            if (Files.isSymbolicLink(parent)) {
                throw new IOException("the archive has a file behind a link: " + below);
            }
        }
        Files.createDirectories(path.getParent());
        return path;
    }

    private static void directory(Path path) throws IOException {
        try {
            Files.createDirectory(path);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
        }
    }

    private static void replace(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(path.toString(), null, "a directory is in the place of a file");
        }
        Files.deleteIfExists(path);
    }

    private static void file(InputStream tar, Path path, long size) throws IOException {
        replace(path);
        byte[] buffer = new byte[1 << 16];
        try (OutputStream out = Files.newOutputStream(path)) {
            for (long left = size; left > 0; ) {
                int n = tar.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (n < 0) {
                    throw new EOFException("the archive was cut off");
                }
                out.write(buffer, 0, n);
                left -= n;
            }
        }
    }
}
