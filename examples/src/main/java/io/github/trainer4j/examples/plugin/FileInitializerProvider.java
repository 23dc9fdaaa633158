package io.github.trainer4j.examples.plugin;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Copies a directory of this machine: {@code file:///data/images}. */
public final class FileInitializerProvider implements InitializerProvider {
    @Override
    public String scheme() {
        return "file";
    }

    @Override
    public Initializer create(InitializerSpec spec) {
        if (!spec.location().startsWith("/")) {
            throw new InvalidJobException(
                    "'" + spec.storageUri() + "' has no absolute path; write for example file:///data/images");
        }
        if (!spec.options().isEmpty() || !spec.secrets().isEmpty()) {
            throw new InvalidJobException("a file:// initializer has no options; remove "
                    + spec.options().keySet() + spec.secrets().keySet());
        }
        return new FileInitializer(spec);
    }

    private record FileInitializer(InitializerSpec spec) implements Initializer, Fetcher {
        @Override
        public InitializerPlan plan() {
            return new InitializerPlan(
                    spec.target(), spec.storageUri(), Map.of("STORAGE_URI", spec.storageUri()), Map.of());
        }

        @Override
        public Optional<Fetcher> fetcher() {
            return Optional.of(this);
        }

        @Override
        public void fetch(Path directory, FetchContext context) throws IOException, InterruptedException {
            Path source = Path.of(spec.location());
            if (!Files.isDirectory(source)) {
                throw new InitializerException(
                        "there is no directory " + source + "; check the path", "NotFound", null);
            }
            List<Path> files;
            try (Stream<Path> found = Files.walk(source)) {
                files = found.filter(Files::isRegularFile).sorted().toList();
            }
            long total = 0;
            for (Path file : files) {
                total += Files.size(file);
            }
            long done = 0;
            for (Path file : files) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                Path target = directory.resolve(source.relativize(file).toString());
                Files.createDirectories(target.getParent());
                if (!isCopy(file, target)) {
                    Path part = target.resolveSibling(target.getFileName() + ".part");
                    Files.copy(file, part, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
                }
                done += Files.size(target);
                context.progress(done, OptionalLong.of(total));
            }
            context.log("copied " + files.size() + " files from " + source);
        }

        /** A copy has the size and the time of its original; whatever changed it since changed one of them. */
        private static boolean isCopy(Path file, Path target) throws IOException {
            return Files.exists(target)
                    && Files.size(target) == Files.size(file)
                    && Files.getLastModifiedTime(target).equals(Files.getLastModifiedTime(file));
        }
    }
}
