package io.github.trainer4j.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the processes of jobs by other means than the backend's own: a directory in their environment or arguments. */
final class Marked {
    private Marked() {}

    /** Returns the processes, zombies left out, that have this directory in their environment or their arguments. */
    static List<String> processes(Path directory) throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path entry : entries) {
                long pid = Long.parseLong(entry.getFileName().toString());
                if (pid != ProcessHandle.current().pid()) {
                    String command = read(entry.resolve("cmdline")).replace('\0', ' ');
                    if ((command + read(entry.resolve("environ"))).contains(directory.toString())
                            && !read(entry.resolve("stat")).contains(") Z ")) {
                        found.add(pid + " " + command);
                    }
                }
            }
        }
        return found;
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
