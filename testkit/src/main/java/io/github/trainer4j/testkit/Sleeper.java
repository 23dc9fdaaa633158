package io.github.trainer4j.testkit;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** A process that prints nothing and sleeps for good, found again by the odd number of seconds it is told to sleep. */
final class Sleeper {
    private final Bench bench;
    private final Supplier<List<String>> processes;
    private final String command = "sleep " + ThreadLocalRandom.current().nextInt(100_000_000, 999_999_999);

    Sleeper(Bench bench, Supplier<List<String>> processes) {
        this.bench = bench;
        this.processes = processes;
    }

    /** What a script is to run. */
    String command() {
        return command;
    }

    /** Waits until it runs. */
    void awaitStart() {
        bench.until("'" + command + "' runs", this::runs);
    }

    /** Waits until it is gone, which is to be soon. */
    void awaitEnd() {
        bench.until("'" + command + "' is gone", () -> !runs());
    }

    boolean runs() {
        return processes.get().stream().anyMatch(line -> line.contains(command));
    }
}
