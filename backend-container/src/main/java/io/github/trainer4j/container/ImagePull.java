package io.github.trainer4j.container;

import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.container.EngineException.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads what an engine says while it pulls. The words differ from engine to engine; only an error is an error. */
final class ImagePull {
    private ImagePull() {}

    /**
     * How far a pull is.
     *
     * @param done the bytes that are there
     * @param total the bytes of the parts that the engine has spoken of; more may follow
     */
    record Progress(long done, long total) {}

    /**
     * Reads all records.
     *
     * @param progress is told how far it is, whenever the engine says so
     * @throws EngineException if one of them is an error
     */
    static void read(BufferedReader reader, Consumer<Progress> progress) throws IOException {
        Map<String, long[]> parts = new HashMap<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.isBlank()) {
                continue;
            }
            Map<String, @Nullable Object> record;
            try {
                record = Json.parseObject(line);
            } catch (Json.MalformedJsonException e) {
                throw new IOException("the engine's answer is no JSON", e);
            }
            Optional<String> error = error(record);
            if (error.isPresent()) {
                throw new EngineException(Kind.REFUSED, error.get(), null);
            }
            if (count(record, parts)) {
                long done = parts.values().stream().mapToLong(part -> part[0]).sum();
                long total = parts.values().stream().mapToLong(part -> part[1]).sum();
                progress.accept(new Progress(done, total));
            }
        }
    }

    private static boolean count(Map<String, @Nullable Object> record, Map<String, long[]> parts) {
        if (!(record.get("id") instanceof String id)) {
            return false;
        }
        long[] known = parts.get(id);
        if ("Downloading".equals(record.get("status"))
                && record.get("progressDetail") instanceof Map<?, ?> detail
                && detail.get("current") instanceof BigDecimal current
                && detail.get("total") instanceof BigDecimal total) {
            parts.put(id, new long[] {current.longValue(), total.longValue()});
            return true;
        }
        if (known != null && "Download complete".equals(record.get("status"))) {
            known[0] = known[1];
            return true;
        }
        return false;
    }

    private static Optional<String> error(Map<String, @Nullable Object> record) {
        if (record.get("errorDetail") instanceof Map<?, ?> detail && detail.get("message") instanceof String text) {
            return Optional.of(text.strip());
        }
        return record.get("error") instanceof String text ? Optional.of(text.strip()) : Optional.empty();
    }
}
