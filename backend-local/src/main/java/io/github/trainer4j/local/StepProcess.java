package io.github.trainer4j.local;

import io.github.trainer4j.api.state.StateFiles;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The process of a step as its files tell of it.
 *
 * @param identity the process that leads its session; empty: it was not started, or has not written so yet
 * @param started when it started
 * @param exitCode the exit code of its program, if that has ended
 * @param ended when it ended
 */
record StepProcess(
        Optional<ProcessIdentity> identity, Optional<Instant> started, OptionalInt exitCode, Optional<Instant> ended) {

    static StepProcess read(JobDirectory directory, String step, ProcessTable processes) throws IOException {
        Optional<String> file = StateFiles.read(directory.process(step));
        Optional<Instant> started = StateFiles.changed(directory.process(step));
        Optional<ProcessIdentity> identity = file.isPresent() && started.isPresent()
                ? identity(file.get(), started.get(), processes)
                : Optional.empty();
        OptionalInt exitCode = exitCode(StateFiles.read(directory.exit(step)).orElse(""));
        return new StepProcess(
                identity,
                identity.isPresent() ? started : Optional.empty(),
                exitCode,
                exitCode.isPresent() ? StateFiles.changed(directory.exit(step)) : Optional.empty());
    }

    /** Reads three lines: number, boot and {@code stat}; a file that lacks one is still being written. */
    private static Optional<ProcessIdentity> identity(String file, Instant written, ProcessTable processes) {
        String[] lines = file.split("\n", -1);
        if (lines.length < 4 || !lines[0].matches("\\d{1,18}")) {
            return Optional.empty();
        }
        return processes.recorded(Long.parseLong(lines[0]), lines[1], lines[2], written);
    }

    private static OptionalInt exitCode(String file) {
        String code = file.strip();
        return code.matches("\\d{1,3}") ? OptionalInt.of(Integer.parseInt(code)) : OptionalInt.empty();
    }

    /**
     * Starts the process of a step. It writes its files itself, so that they come to be whatever becomes of this JVM.
     *
     * @param command the program and its arguments
     * @param environment all of its environment
     * @param deadline in what time it is ended; empty: never
     */
    static Process start(
            Host host,
            JobDirectory directory,
            String step,
            List<String> command,
            Map<String, String> environment,
            Optional<Duration> deadline,
            Duration grace)
            throws IOException {
        List<String> argv = new ArrayList<>(host.sessionStarter());
        argv.addAll(host.shell(environment.keySet()));
        argv.add(directory.script().toString());
        argv.add(directory.scriptState(step).toString());
        argv.add(Long.toString(deadline.map(StepProcess::wholeSeconds).orElse(0L)));
        argv.add(Long.toString(wholeSeconds(grace)));
        argv.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(argv)
                .directory(directory.workspace().toFile())
                .redirectInput(new File("/dev/null"))
                // The process writes to the file itself: no pipe can run full, and no thread of ours is in between.
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(directory.log(step).toFile()))
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static long wholeSeconds(Duration duration) {
        return Math.max(1, duration.plusMillis(999).toSeconds());
    }
}
