package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.transfer.TransferSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Fetches into a directory with short delays, and keeps what was logged. */
final class Fetching implements FetchContext {
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Map<String, String> environment;
    private TransferSettings settings = TransferSettings.defaults()
            .withAttempts(4, Duration.ofMillis(20), Duration.ofMillis(50))
            .withStallTimeout(Duration.ofSeconds(10));

    Fetching(Map<String, String> environment) {
        this.environment = environment;
    }

    Fetching() {
        this(Map.of());
    }

    Fetching pieces(int size) {
        settings = settings.withPieceSize(size);
        return this;
    }

    void fetch(InitializerSpec spec, Path directory) throws IOException, InterruptedException {
        new S3Initializer(spec).fetch(directory, this, settings);
    }

    String log() {
        return String.join("\n", log);
    }

    /** Returns the files of a directory by relative path, with their text; directories end with a slash. */
    static SortedMap<String, String> files(Path directory) throws IOException {
        SortedMap<String, String> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                String name = directory.relativize(path).toString();
                if (name.isEmpty() || name.startsWith(".trainer4j")) {
                    continue;
                }
                files.put(
                        Files.isDirectory(path) ? name + "/" : name,
                        Files.isDirectory(path) ? "" : Files.readString(path, StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    @Override
    public void progress(long bytesDone, OptionalLong bytesTotal) {}

    @Override
    public void log(String line) {
        log.add(line);
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }
}
