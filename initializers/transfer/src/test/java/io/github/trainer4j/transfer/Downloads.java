package io.github.trainer4j.transfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the tests of downloads share: quick settings, a run, and a look at the disk. */
final class Downloads {
    /** Small pieces and short pauses. */
    static final TransferSettings QUICK = TransferSettings.defaults()
            .withPieceSize(1000)
            .withAttempts(6, Duration.ofMillis(1), Duration.ofMillis(4))
            .withRatePatience(Duration.ofSeconds(5))
            .withStallTimeout(Duration.ofMillis(400));

    static final Surroundings HERE = Surroundings.ofThisMachine();

    private Downloads() {}

    static RecordingContext fetch(Source source, Path directory) throws IOException, InterruptedException {
        return fetch(source, directory, QUICK, HERE);
    }

    static RecordingContext fetch(Source source, Path directory, TransferSettings settings, Surroundings surroundings)
            throws IOException, InterruptedException {
        RecordingContext context = new RecordingContext();
        new Download(source, settings, surroundings, new Report(context)).into(directory);
        return context;
    }

    static Surroundings free(long bytes) {
        return new Surroundings(HERE.budget(), HERE.locking(), directory -> OptionalLong.of(bytes), HERE.folding());
    }

    /** Returns the names of all files but the engine's own. */
    static Set<String> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> !Files.isDirectory(path))
                    .map(path -> directory.relativize(path).toString())
                    .filter(name -> !name.startsWith(FileNames.OWN))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Returns the names of all files of the engine, without the directory they are in. */
    static Set<String> own(Path directory) throws IOException {
        Path own = directory.resolve(FileNames.OWN);
        try (Stream<Path> all = Files.walk(own)) {
            return all.filter(path -> !Files.isDirectory(path))
                    .map(path -> own.relativize(path).toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("trainer4j-transfer"))
                .collect(Collectors.toSet());
    }
}
