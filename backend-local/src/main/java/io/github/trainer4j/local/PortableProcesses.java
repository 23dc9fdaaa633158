package io.github.trainer4j.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;

/** The processes as the JDK and {@code ps} tell of them, for systems without {@code /proc}. */
final class PortableProcesses implements ProcessTable {
    /** Between a process's start and the moment it has written its file, at most. */
    private static final long TOLERANCE_MILLIS = Duration.ofSeconds(5).toMillis();

    private final String host = hostName();
    private final ProcessIdentity self = identify(ProcessHandle.current())
            .orElse(new ProcessIdentity(ProcessHandle.current().pid(), "", 0));

    @Override
    public String host() {
        return host;
    }

    @Override
    public ProcessIdentity self() {
        return self;
    }

    @Override
    public Optional<ProcessIdentity> recorded(long pid, String boot, String stat, Instant written) {
        return Optional.of(new ProcessIdentity(pid, "", written.toEpochMilli()));
    }

    @Override
    public boolean isAlive(ProcessIdentity process) {
        return ProcessHandle.of(process.pid())
                .filter(ProcessHandle::isAlive)
                .flatMap(PortableProcesses::identify)
                .filter(now -> Math.abs(now.start() - process.start()) <= TOLERANCE_MILLIS)
                .isPresent();
    }

    @Override
    public long parent(ProcessIdentity process) {
        return ProcessHandle.of(process.pid())
                .flatMap(ProcessHandle::parent)
                .map(ProcessHandle::pid)
                .orElse(0L);
    }

    /** Hosts without {@code /proc} are workstations, whose names change with the network they are in. */
    @Override
    public boolean isOfThisHost(String host, ProcessIdentity process) {
        return true;
    }

    @Override
    public List<ProcessIdentity> members(
            String workspace, ProcessIdentity launcher, Collection<ProcessIdentity> leaders) {
        Map<Long, Long> groups = groups();
        Set<ProcessIdentity> members = new LinkedHashSet<>();
        for (ProcessIdentity leader : leaders) {
            Optional<ProcessHandle> handle = ProcessHandle.of(leader.pid());
            boolean alive = isAlive(leader);
            if (handle.isPresent() && !alive) {
                continue;
            }
            if (alive) {
                members.add(leader);
                handle.stream()
                        .flatMap(ProcessHandle::descendants)
                        .flatMap(child -> identify(child).stream())
                        .forEach(members::add);
            }
            groups.forEach((pid, group) -> {
                if (group == leader.pid() && pid != leader.pid()) {
                    ProcessHandle.of(pid)
                            .flatMap(PortableProcesses::identify)
                            .filter(member -> member.start() >= leader.start() - TOLERANCE_MILLIS)
                            .ifPresent(members::add);
                }
            });
        }
        members.removeIf(member -> member.pid() == self.pid());
        return new ArrayList<>(members);
    }

    private static Optional<ProcessIdentity> identify(ProcessHandle handle) {
        return handle.info().startInstant().map(start -> new ProcessIdentity(handle.pid(), "", start.toEpochMilli()));
    }

    private static Map<Long, Long> groups() {
        Map<Long, Long> groups = new HashMap<>();
        try {
            Process ps = new ProcessBuilder("ps", "-A", "-o", "pid=", "-o", "pgid=", "-o", "stat=")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            ps.getOutputStream().close();
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(ps.getInputStream(), StandardCharsets.US_ASCII))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    StringTokenizer fields = new StringTokenizer(line);
                    if (fields.countTokens() == 3) {
                        long pid = Long.parseLong(fields.nextToken());
                        long group = Long.parseLong(fields.nextToken());
                        if (!fields.nextToken().startsWith("Z")) {
                            groups.put(pid, group);
                        }
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Without ps, descendants are all that can be found.
            return groups;
        }
        return groups;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
