package io.github.trainer4j.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The processes of this host, as far as they are ours. Safe for several threads. */
interface ProcessTable {
    /** Returns the table of the system that we run on. */
    static ProcessTable ofThisSystem() {
        Path proc = Path.of("/proc");
        return Files.isReadable(proc.resolve("self/stat")) && Files.isReadable(LinuxProcesses.BOOT)
                ? new LinuxProcesses(proc)
                : new PortableProcesses();
    }

    /** Returns the name of this host, to tell jobs apart that lie in a directory shared by several hosts. */
    String host();

    /** Returns this JVM. */
    ProcessIdentity self();

    /** Returns the process that wrote a file about itself, as {@code run.sh} does. */
    Optional<ProcessIdentity> recorded(long pid, String boot, String stat, Instant written);

    /** Returns whether the process runs; one that has ended and was not reaped yet does not. */
    boolean isAlive(ProcessIdentity process);

    /**
     * Returns whether a process is, or was before a restart, one of this host and not one of another host that shares the
     * work directory.
     *
     * @param host the name of the host that recorded it
     */
    boolean isOfThisHost(String host, ProcessIdentity process);

    /**
     * Returns what runs of a job, whoever its parent is by now. This JVM is never among it.
     *
     * @param workspace the job's workspace, which all its processes have in their environment
     * @param launcher the JVM that launched it, and so is older than all of it
     * @param leaders the processes that lead the sessions of its nodes
     */
    List<ProcessIdentity> members(String workspace, ProcessIdentity launcher, Collection<ProcessIdentity> leaders);

    /** Returns the process that a process answers to now, 0 if it has ended. */
    long parent(ProcessIdentity process);

    /** Asks a process to end, or ends it, unless its number belongs to another one by now. */
    default void signal(ProcessIdentity process, boolean kill) {
        Optional<ProcessHandle> handle = ProcessHandle.of(process.pid());
        // The handle checks the start time once more when it signals, so a reuse after this look harms nobody.
        if (handle.isPresent() && process.pid() != ProcessHandle.current().pid() && isAlive(process)) {
            if (kill) {
                handle.get().destroyForcibly();
            } else {
                handle.get().destroy();
            }
        }
    }
}
