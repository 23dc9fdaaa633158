package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/** What one test of the contract of initializers works on: the initializer, and directories to fetch into. */
final class FetchBench {
    private final InitializerUnderTest under;
    private final Path targets;

    FetchBench(InitializerUnderTest under, Path targets) {
        this.under = under;
        this.targets = targets;
    }

    InitializerUnderTest under() {
        return under;
    }

    /** The directory in which all directories of this test are. */
    Path targets() {
        return targets;
    }

    /** A fresh empty directory. */
    Path directory(String name) throws IOException {
        return Files.createDirectory(targets.resolve(name));
    }

    Initializer create() {
        return create(under.spec());
    }

    Initializer create(InitializerSpec spec) {
        return under.provider().create(spec);
    }

    /** Fetches what is to be fetched, with an initializer of its own. */
    RecordingFetchContext fetch(Path directory) throws IOException, InterruptedException {
        return fetch(under.spec(), directory);
    }

    RecordingFetchContext fetch(InitializerSpec spec, Path directory) throws IOException, InterruptedException {
        RecordingFetchContext context = context();
        fetcher(spec).fetch(directory, context);
        return context;
    }

    Fetcher fetcher(InitializerSpec spec) {
        return create(spec).fetcher().orElseThrow(() -> new AssertionError("there is no fetcher"));
    }

    RecordingFetchContext context() {
        return new RecordingFetchContext(under.environment());
    }

    /** Makes sure that a directory has what was to be fetched, and nothing else but files of the initializer's own. */
    void hasAllAndNothingElse(Path directory) throws IOException {
        assertThat(times(directory).keySet())
                .as("the files in the directory")
                .containsExactlyInAnyOrderElementsOf(under.files().keySet());
        for (Map.Entry<String, byte[]> file : under.files().entrySet()) {
            assertThat(directory.resolve(file.getKey())).hasBinaryContent(file.getValue());
        }
    }

    /** Tells when the next fetch has come to the point where it hangs, as well as that can be known. */
    BooleanSupplier hanging() {
        if (under.hanging().isPresent()) {
            return under.hanging().get();
        }
        IntSupplier requests = under.requests().orElse(() -> 0);
        int before = requests.getAsInt();
        boolean counted = under.requests().isPresent();
        AtomicLong since = new AtomicLong();
        return () -> {
            if (since.get() == 0 && (!counted || requests.getAsInt() > before)) {
                since.set(System.nanoTime());
            }
            return since.get() != 0 && System.nanoTime() - since.get() > TimeUnit.SECONDS.toNanos(1);
        };
    }

    /** The files below a directory but those of the initializer's own, with the time of their last change. */
    static Map<String, FileTime> times(Path directory) throws IOException {
        Map<String, FileTime> times = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Path path = directory.relativize(file);
                if (!path.toString().startsWith(".")) {
                    times.put(path.toString().replace('\\', '/'), Files.getLastModifiedTime(file));
                }
            }
        }
        return times;
    }
}
