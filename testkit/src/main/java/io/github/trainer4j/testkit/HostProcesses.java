package io.github.trainer4j.testkit;

import java.util.List;

/** The processes of this machine, as far as this user may see them. */
final class HostProcesses {
    private HostProcesses() {}

    static List<String> commandLines() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .toList();
    }
}
