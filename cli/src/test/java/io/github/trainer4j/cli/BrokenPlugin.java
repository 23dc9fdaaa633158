package io.github.trainer4j.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/** A plug-in that names a backend it does not have: who finds it says so. */
final class BrokenPlugin {
    private BrokenPlugin() {}

    /** Makes the jar {@code plugin.jar} in a directory. */
    static Path jar(Path directory) throws IOException {
        Path jar = directory.resolve("plugin.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("META-INF/services/io.github.trainer4j.api.spi.BackendProvider"));
            out.write("com.example.Broken\n".getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }
}
