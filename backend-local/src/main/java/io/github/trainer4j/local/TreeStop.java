package io.github.trainer4j.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Stops all processes of a job, step by step: asks them to end, and ends those that have not when the grace is over. Those
 * that left their parent are found too. One that is started by a process which was asked already is not asked itself, for
 * it may be a part of that one's orderly end, such as a copy of a checkpoint. Not for use by several threads at once.
 */
final class TreeStop {
    private static final long RESCAN_NANOS = Duration.ofMillis(200).toNanos();
    /** How long after its last process a leader has to write down an exit code. */
    private static final long LEADER_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long HOPELESS_NANOS = Duration.ofSeconds(5).toNanos();

    private final ProcessTable processes;
    private final String workspace;
    private final ProcessIdentity launcher;
    private final Supplier<? extends Collection<ProcessIdentity>> leaders;
    private final long graceNanos;
    private final long begin = System.nanoTime();

    private final Set<ProcessIdentity> asked = new HashSet<>();
    private List<ProcessIdentity> alive = List.of();
    private long lastScan = begin - RESCAN_NANOS;
    private long onlyLeadersSince = -1;

    TreeStop(
            ProcessTable processes,
            String workspace,
            ProcessIdentity launcher,
            Supplier<? extends Collection<ProcessIdentity>> leaders,
            Duration grace) {
        this.processes = processes;
        this.workspace = workspace;
        this.launcher = launcher;
        this.leaders = leaders;
        this.graceNanos = grace.toNanos();
    }

    /** Goes on with the stopping and returns whether it is over: nothing runs, or what {@link #stuck} names cannot be ended. */
    boolean advance() {
        long now = System.nanoTime();
        alive = alive.stream().filter(processes::isAlive).toList();
        Set<ProcessIdentity> heads = new HashSet<>(leaders.get());
        if (alive.isEmpty() || now - lastScan >= RESCAN_NANOS) {
            lastScan = now;
            alive = processes.members(workspace, launcher, heads);
        }
        if (alive.isEmpty()) {
            return true;
        }
        boolean graceIsOver = now - begin >= graceNanos;
        boolean onlyLeaders = heads.containsAll(alive);
        onlyLeadersSince = !onlyLeaders ? -1 : onlyLeadersSince < 0 ? now - begin : onlyLeadersSince;
        boolean leadersToo = now - begin >= graceNanos + LEADER_NANOS
                || (onlyLeaders && now - begin - onlyLeadersSince >= LEADER_NANOS);
        boolean nobodyAskedYet = asked.isEmpty();
        for (ProcessIdentity process : alive) {
            // A leader ends by itself when its program has, once it has written down the exit code.
            if (heads.contains(process)) {
                if (leadersToo) {
                    processes.signal(process, true);
                }
            } else if (graceIsOver) {
                processes.signal(process, true);
            } else if (!asked.contains(process) && (nobodyAskedYet || !isPartOfAnEnd(process, heads))) {
                asked.add(process);
                processes.signal(process, false);
            }
        }
        return now - begin >= graceNanos + HOPELESS_NANOS;
    }

    private boolean isPartOfAnEnd(ProcessIdentity process, Set<ProcessIdentity> heads) {
        long parent = processes.parent(process);
        return alive.stream().anyMatch(other -> other.pid() == parent && !heads.contains(other));
    }

    /** Returns what still runs although it was ended. */
    List<ProcessIdentity> stuck() {
        return new ArrayList<>(alive);
    }
}
