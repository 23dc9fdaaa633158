package io.github.trainer4j.transfer;

import io.github.trainer4j.api.json.Json;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a download has done so far, a line for each finished file and each finished piece of a file under way. A download
 * that ends early, even by a loss of power, is gone on with from here. Nothing in it is believed without a look at the
 * disk: a piece carries a checksum, a file its size and time. Safe for several threads.
 */
final class Journal implements Closeable {
    private static final String NAME = "journal";

    private final FileChannel channel;

    /**
     * What a journal says.
     *
     * @param files the finished files by name
     * @param pieces the checksums of finished pieces by number, by part
     */
    record State(Map<String, KnownFile> files, Map<String, Map<Integer, Integer>> pieces) {}

    private Journal(FileChannel channel) {
        this.channel = channel;
    }

    /** Reads the journal in a directory; nothing of what cannot be understood, such as a last line that is cut off. */
    static State load(Path directory) throws IOException {
        State state = new State(new LinkedHashMap<>(), new HashMap<>());
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(Files.newInputStream(directory.resolve(NAME)), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                read(line, state);
            }
        } catch (NoSuchFileException e) {
            // Nothing was begun here.
        }
        return state;
    }

    private static void read(String line, State state) {
        Object json;
        try {
            json = Json.parse(line);
        } catch (Json.MalformedJsonException e) {
            return;
        }
        KnownFile.fromJson(json).ifPresent(file -> state.files.put(file.path(), file));
        if (json instanceof Map<?, ?> map
                && map.get("part") instanceof String part
                && map.get("piece") instanceof BigDecimal piece
                && map.get("crc") instanceof BigDecimal crc) {
            state.pieces.computeIfAbsent(part, name -> new TreeMap<>()).put(piece.intValue(), crc.intValue());
        }
    }

    /** Starts a journal that says what is known already, in place of the one before. */
    static Journal start(Path directory, Collection<KnownFile> files, Map<String, Map<Integer, Integer>> pieces)
            throws IOException {
        Path draft = directory.resolve(NAME + ".new");
        FileChannel channel = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        Journal journal = new Journal(channel);
        try {
            for (KnownFile file : files) {
                journal.finished(file);
            }
            for (Map.Entry<String, Map<Integer, Integer>> part : pieces.entrySet()) {
                for (Map.Entry<Integer, Integer> piece : part.getValue().entrySet()) {
                    journal.finished(part.getKey(), piece.getKey(), piece.getValue());
                }
            }
            Files.move(
                    draft,
                    directory.resolve(NAME),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            return journal;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Notes a file that is published. */
    void finished(KnownFile file) throws IOException {
        append(file.toJson());
    }

    /** Notes a piece that is written. */
    void finished(String part, int piece, int crc) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("part", part);
        json.put("piece", piece);
        json.put("crc", crc);
        append(json);
    }

    private synchronized void append(Map<String, Object> json) throws IOException {
        ByteBuffer line = ByteBuffer.wrap((Json.write(json) + "\n").getBytes(StandardCharsets.UTF_8));
        while (line.hasRemaining()) {
            channel.write(line);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
