package io.github.trainer4j.local;

import io.github.trainer4j.api.launch.Launch;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The processes as the kernel tells of them in {@code /proc}. */
final class LinuxProcesses implements ProcessTable {
    static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path HOST = Path.of("/proc/sys/kernel/hostname");
    private static final Charset NATIVE = nativeCharset();

    private final Path proc;
    private final String start;
    private final String boot;
    private final String host;
    private final ProcessIdentity self;

    LinuxProcesses(Path proc) {
        this.proc = proc;
        // A container has numbers of its own for its processes, on the same start of the same system.
        this.start = text(BOOT).strip();
        this.boot = start + " " + namespace();
        this.host = text(HOST).strip();
        long pid = ProcessHandle.current().pid();
        this.self = stat(pid).map(Stat::identity).orElse(new ProcessIdentity(pid, boot, 0));
    }

    /** What one line about a process says. */
    private record Stat(ProcessIdentity identity, char state, long parent, long session) {
        boolean isAlive() {
            return state != 'Z' && state != 'X';
        }
    }

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
        return parse(stat, boot.equals(start) ? this.boot : boot)
                .map(Stat::identity)
                .filter(identity -> identity.pid() == pid);
    }

    @Override
    public boolean isAlive(ProcessIdentity process) {
        return process.boot().equals(boot)
                && stat(process.pid())
                        .filter(stat -> stat.identity.equals(process) && stat.isAlive())
                        .isPresent();
    }

    @Override
    public long parent(ProcessIdentity process) {
        return stat(process.pid())
                .filter(stat -> stat.identity.equals(process))
                .map(Stat::parent)
                .orElse(0L);
    }

    @Override
    public boolean isOfThisHost(String host, ProcessIdentity process) {
        return process.boot().equals(boot) || host.equals(this.host);
    }

    @Override
    public List<ProcessIdentity> members(
            String workspace, ProcessIdentity launcher, Collection<ProcessIdentity> leaders) {
        Set<Long> sessions = new HashSet<>();
        long earliest = launcher.boot().equals(boot) ? launcher.start() : 0;
        for (ProcessIdentity leader : leaders) {
            if (leader.boot().equals(boot)) {
                sessions.add(leader.pid());
            }
        }
        byte[] mark = ("\0" + Launch.WORKSPACE + "=" + workspace + "\0").getBytes(NATIVE);
        List<Stat> inSession = new ArrayList<>();
        List<ProcessIdentity> members = new ArrayList<>();
        // A session is known to be ours by its leader, or by a member with the mark: its number alone may be reused.
        Set<Long> proven = new HashSet<>();
        for (long pid : pids()) {
            Optional<Stat> found = stat(pid);
            if (pid == self.pid()
                    || found.isEmpty()
                    || !found.get().isAlive()
                    || found.get().identity.start() < earliest) {
                continue;
            }
            Stat stat = found.get();
            boolean marked = hasMark(pid, mark);
            if (marked || leaders.contains(stat.identity)) {
                members.add(stat.identity);
                proven.add(stat.session);
            } else if (sessions.contains(stat.session)) {
                inSession.add(stat);
            }
        }
        for (Stat stat : inSession) {
            if (proven.contains(stat.session)) {
                members.add(stat.identity);
            }
        }
        return members;
    }

    private List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path entry : entries) {
                pids.add(Long.parseLong(entry.getFileName().toString()));
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return pids;
    }

    private boolean hasMark(long pid, byte[] mark) {
        byte[] environment;
        try {
            environment = Files.readAllBytes(proc.resolve(pid + "/environ"));
        } catch (IOException e) {
            // It has ended, or belongs to another user and so not to the job.
            return false;
        }
        // The mark's first byte is the end of the variable before; the first variable has none before it.
        return contains(environment, mark) || startsWith(environment, mark);
    }

    private static boolean startsWith(byte[] bytes, byte[] mark) {
        return bytes.length >= mark.length - 1
                && java.util.Arrays.equals(bytes, 0, mark.length - 1, mark, 1, mark.length);
    }

    private static boolean contains(byte[] bytes, byte[] mark) {
        for (int i = 0; i <= bytes.length - mark.length; i++) {
            if (java.util.Arrays.equals(bytes, i, i + mark.length, mark, 0, mark.length)) {
                return true;
            }
        }
        return false;
    }

    private Optional<Stat> stat(long pid) {
        try {
            return parse(Files.readString(proc.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1), boot);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Reads {@code pid (name) state ppid pgrp session …}; the name may have spaces and brackets of its own. */
    private static Optional<Stat> parse(String line, String boot) {
        int open = line.indexOf(" (");
        int close = line.lastIndexOf(") ");
        if (open < 0 || close < open) {
            return Optional.empty();
        }
        String[] fields = line.substring(close + 2).split(" ", 22);
        if (fields.length < 21 || fields[0].length() != 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Stat(
                    new ProcessIdentity(Long.parseLong(line.substring(0, open)), boot, Long.parseLong(fields[19])),
                    fields[0].charAt(0),
                    Long.parseLong(fields[1]),
                    Long.parseLong(fields[3])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private String namespace() {
        try {
            return Files.readSymbolicLink(proc.resolve("self/ns/pid")).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static Charset nativeCharset() {
        String name = System.getProperty("sun.jnu.encoding", "UTF-8");
        return Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
    }
}
