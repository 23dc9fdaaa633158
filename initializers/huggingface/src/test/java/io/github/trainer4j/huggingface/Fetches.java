package io.github.trainer4j.huggingface;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.transfer.TransferSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs fetches with short pauses and keeps what they say. */
final class Fetches implements FetchContext {
    static final TransferSettings QUICK = TransferSettings.defaults()
            .withPieceSize(1 << 20)
            .withAttempts(5, Duration.ofMillis(2), Duration.ofMillis(8))
            .withStallTimeout(Duration.ofSeconds(1));

    final List<String> lines = new CopyOnWriteArrayList<>();
    final List<Long> progress = new CopyOnWriteArrayList<>();
    private final Map<String, String> environment;

    private Fetches(Map<String, String> environment) {
        this.environment = environment;
    }

    static Fetches fetch(HuggingFace what, Path directory) throws IOException, InterruptedException {
        return fetch(what.spec(), directory, Map.of(), QUICK);
    }

    static Fetches fetch(HuggingFace what, Path directory, Map<String, String> environment)
            throws IOException, InterruptedException {
        return fetch(what.spec(), directory, environment, QUICK);
    }

    static Fetches fetch(
            InitializerSpec spec, Path directory, Map<String, String> environment, TransferSettings settings)
            throws IOException, InterruptedException {
        Fetches context = new Fetches(environment);
        HuggingFaceInitializer.of(spec).fetcher(settings).fetch(directory, context);
        return context;
    }

    @Override
    public void progress(long bytesDone, OptionalLong bytesTotal) {
        progress.add(bytesDone);
    }

    @Override
    public void log(String line) {
        lines.add(line);
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    String log() {
        return String.join("\n", lines);
    }

    static Set<String> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> !Files.isDirectory(path))
                    .map(path -> directory.relativize(path).toString())
                    .filter(name -> !name.startsWith(".trainer4j"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
