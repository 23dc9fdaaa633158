package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Texts from web servers in files: a line of JSON with version and time, then the text. A file's name is a digest of the
 * address, which may hold a token. What cannot be kept or read is as if it had never been here.
 *
 * @param directory where the files lie; made when it is needed
 */
record DownloadCache(Path directory) {
    private static final Logger LOG = LoggerFactory.getLogger(DownloadCache.class);

    /**
     * A text as it was got.
     *
     * @param text the text
     * @param etag its version, if the server names it
     * @param checked when the server last said that this is the newest
     */
    record Entry(String text, Optional<String> etag, Instant checked) {}

    Optional<Entry> get(URI address) {
        Path file = file(address);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            String content = Files.readString(file);
            int end = content.indexOf('\n');
            Map<String, @Nullable Object> head = Json.parseObject(content.substring(0, Math.max(0, end)));
            Instant checked = Instant.parse(String.valueOf(head.get("checked")));
            Optional<String> etag = Optional.ofNullable(head.get("etag")).map(Object::toString);
            return Optional.of(new Entry(content.substring(end + 1), etag, checked));
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            LOG.warn("the copy {} cannot be read and is left aside: {}", file, e.toString());
            return Optional.empty();
        }
    }

    void put(URI address, Entry entry) {
        Map<String, Object> head = new LinkedHashMap<>();
        head.put("checked", entry.checked().toString());
        entry.etag().ifPresent(etag -> head.put("etag", etag));
        try {
            Files.createDirectories(directory);
            Path unfinished = Files.createTempFile(directory, "unfinished", ".tmp");
            try {
                Files.writeString(unfinished, Json.write(head) + "\n" + entry.text());
                Files.move(
                        unfinished, file(address), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            LOG.warn("runtimes cannot be kept in {}, so they are downloaded each time: {}", directory, e.toString());
        }
    }

    private Path file(URI address) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(address.toString().getBytes(StandardCharsets.UTF_8));
            return directory.resolve(HexFormat.of().formatHex(digest) + ".runtimes");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
