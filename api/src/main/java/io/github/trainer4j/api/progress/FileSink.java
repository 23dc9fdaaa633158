package io.github.trainer4j.api.progress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Replaces a file by each report, so that a reader never meets half of one. */
final class FileSink implements Sink {
    private final Path file;

    FileSink(Path file) {
        this.file = file.toAbsolutePath();
    }

    @Override
    public void send(String json) throws IOException {
        Path directory = file.getParent();
        if (directory == null) {
            throw new IOException(file + " is a directory");
        }
        Files.createDirectories(directory);
        Path fresh = Files.createTempFile(directory, file.getFileName() + ".", ".new");
        try {
            Files.writeString(fresh, json);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
