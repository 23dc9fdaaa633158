package io.github.trainer4j.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Why a job, or a step of it, failed.
 *
 * @param step the step that failed; empty: the job as a whole
 * @param reason one word for machines, such as {@code ExitCode}, {@code OOMKilled}, {@code DeadlineExceeded}
 * @param message what happened, for people
 * @param exitCode the exit code of the process that failed, if it had one
 * @param logTail the last lines of the step's log; of more than {@value #LOG_TAIL_LINES} the last are kept
 * @param further failures that followed, in the order they came
 */
public record Failure(
        Optional<String> step,
        String reason,
        String message,
        OptionalInt exitCode,
        List<String> logTail,
        List<Failure> further) {
    /** The number of log lines that a failure carries. */
    public static final int LOG_TAIL_LINES = 10;

    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if a part is null or the reason blank
     */
    public Failure {
        Check.optionalText(step, "the failed step");
        Check.text(reason, "the reason of a failure");
        Check.present(message, "the message of a failure");
        Check.present(exitCode, "the exit code");
        logTail = Check.list(logTail, "the log's last lines");
        logTail = logTail.subList(Math.max(0, logTail.size() - LOG_TAIL_LINES), logTail.size());
        further = Check.list(further, "further failures");
    }

    /** Returns a failure without exit code, log or further failures. */
    public static Failure of(String reason, String message) {
        return new Failure(Optional.empty(), reason, message, OptionalInt.empty(), List.of(), List.of());
    }

    /** Returns a text of several lines: step, message, exit code, log and further failures. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        step.ifPresent(s -> text.append(s).append(": "));
        text.append(message).append(" (").append(reason);
        exitCode.ifPresent(code -> text.append(", exit ").append(code));
        text.append(')');
        if (!logTail.isEmpty()) {
            text.append("; last lines of its log:");
            logTail.forEach(line -> text.append("\n    ").append(line));
        }
        for (Failure failure : further) {
            text.append("\n  also ").append(failure.describe());
        }
        return text.toString();
    }
}
