package io.github.trainer4j.container;

import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.container.EngineException.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads what an engine says while it pulls. The words differ from engine to engine; only an error is an error. */
final class ImagePull {
    private ImagePull() {}

    /**
     * Reads all records.
     *
     * @param progress is given the engine's words
     * @throws EngineException if one of them is an error
     */
    static void read(BufferedReader reader, Consumer<String> progress) throws IOException {
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
            if (record.get("status") instanceof String status) {
                progress.accept(record.get("id") instanceof String id ? id + ": " + status : status);
            }
        }
    }

    private static Optional<String> error(Map<String, @Nullable Object> record) {
        if (record.get("errorDetail") instanceof Map<?, ?> detail && detail.get("message") instanceof String text) {
            return Optional.of(text.strip());
        }
        return record.get("error") instanceof String text ? Optional.of(text.strip()) : Optional.empty();
    }
}
