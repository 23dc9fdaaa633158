package io.github.trainer4j.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes of this machine, as far as this user may see them. */
final class HostProcesses {
    private static final Path PROC = Path.of("/proc");

    private HostProcesses() {}

    static List<String> commandLines() {
        return Files.isReadable(PROC.resolve("self/cmdline")) ? fromProc() : fromJdk();
    }

    /** As they were given: the JDK has the path of the executable in place of the first word, busybox in place of sleep. */
    private static List<String> fromProc() {
        List<String> lines = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                try {
                    lines.add(Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                            .replace('\0', ' ')
                            .strip());
                } catch (IOException e) {
                    // It has ended in the meantime, or is another user's.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    private static List<String> fromJdk() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .toList();
    }
}
