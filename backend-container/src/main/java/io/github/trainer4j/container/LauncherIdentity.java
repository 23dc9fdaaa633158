package io.github.trainer4j.container;

import io.github.trainer4j.api.json.Fields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The process that launched a job, told from a later one with the same number.
 *
 * @param pid its number
 * @param started when it was started
 * @param host its machine, with the machine's last start where the system has a name for it
 */
record LauncherIdentity(long pid, Instant started, String host) {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Duration TOLERANCE = Duration.ofSeconds(2);
    private static final LauncherIdentity SELF = new LauncherIdentity(
            ProcessHandle.current().pid(),
            ProcessHandle.current().info().startInstant().orElse(Instant.EPOCH),
            thisHost());

    static LauncherIdentity self() {
        return SELF;
    }

    /** Whether it can be told from here if the process still runs. */
    boolean isOfThisHost() {
        return host.equals(SELF.host);
    }

    /** Whether it is this process. */
    boolean isSelf() {
        return pid == SELF.pid && isOfThisHost() && isAlive();
    }

    /** Whether the process still runs; only for one of this host. */
    boolean isAlive() {
        Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        return process.isPresent()
                && process.get()
                        .info()
                        .startInstant()
                        .map(start -> Duration.between(start, started).abs().compareTo(TOLERANCE) < 0)
                        .orElse(true);
    }

    private static String thisHost() {
        String boot;
        try {
            boot = Files.readString(BOOT).strip();
        } catch (IOException e) {
            boot = "";
        }
        try {
            return InetAddress.getLocalHost().getHostName() + "/" + boot;
        } catch (UnknownHostException e) {
            return "localhost/" + boot;
        }
    }

    Map<String, Object> toJson() {
        return Map.of("pid", pid, "started", started.toString(), "host", host);
    }

    static LauncherIdentity fromJson(Fields fields) {
        return new LauncherIdentity(
                fields.number("pid").orElse(0), fields.time("started").orElse(Instant.EPOCH), fields.need("host"));
    }
}
