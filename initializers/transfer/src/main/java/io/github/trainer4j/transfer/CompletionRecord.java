package io.github.trainer4j.transfer;

import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says that a directory holds everything that a source listed, in the file {@code complete.json}. It is written last, so
 * whoever finds it finds a complete directory, as far as nobody changed it since.
 *
 * @param identity the source
 * @param revision the revision that was fetched
 * @param files all files of it
 */
record CompletionRecord(String identity, String revision, List<KnownFile> files) {
    private static final String NAME = "complete.json";
    private static final int FORMAT = 1;

    CompletionRecord {
        files = List.copyOf(files);
    }

    /** Reads the record; empty if there is none that can be understood. */
    static Optional<CompletionRecord> load(Path own) throws IOException {
        Map<String, @Nullable Object> json;
        try {
            json = Json.parseObject(Files.readString(own.resolve(NAME)));
        } catch (NoSuchFileException | Json.MalformedJsonException | java.nio.charset.CharacterCodingException e) {
            return Optional.empty();
        }
        if (json.get("format") instanceof Number format
                && format.intValue() == FORMAT
                && json.get("identity") instanceof String identity
                && json.get("revision") instanceof String revision
                && json.get("files") instanceof List<?> list) {
            List<KnownFile> files = new ArrayList<>();
            list.forEach(element -> KnownFile.fromJson(element).ifPresent(files::add));
            return Optional.of(new CompletionRecord(identity, revision, files));
        }
        return Optional.empty();
    }

    /** Writes the record, in one step. */
    void save(Path own) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("identity", identity);
        json.put("revision", revision);
        json.put("files", files.stream().map(KnownFile::toJson).toList());
        Path draft = own.resolve(NAME + ".new");
        try (FileChannel channel = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer text = ByteBuffer.wrap((Json.write(json) + "\n").getBytes(StandardCharsets.UTF_8));
            while (text.hasRemaining()) {
                channel.write(text);
            }
            channel.force(true);
        }
        Files.move(draft, own.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        TargetDirectory.sync(own);
    }

    static void remove(Path own) throws IOException {
        Files.deleteIfExists(own.resolve(NAME));
    }
}
