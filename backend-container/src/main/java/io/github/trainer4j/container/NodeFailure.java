package io.github.trainer4j.container;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.api.state.ExitCodes;
import io.github.trainer4j.container.ContainerFacts.OutOfMemory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Says how a container failed. */
final class NodeFailure {
    private static final int KILLED = 128 + 9;
    private static final int ASKED_TO_END = 128 + 15;
    private static final int WENT_DOWN = 255;

    private NodeFailure() {}

    /**
     * Returns the failure of a container that has exited with another code than 0.
     *
     * @param stopped whether it was stopped because the job ended
     */
    static Failure of(String step, ContainerFacts facts, boolean stopped) {
        return of(step, facts, stopped, List.of());
    }

    /** Returns the failure, with the last lines of its log. */
    static Failure of(String step, ContainerFacts facts, boolean stopped, List<String> logTail) {
        OptionalInt code = facts.exitCode();
        boolean memory = !stopped && facts.outOfMemory() != OutOfMemory.NO;
        String reason = stopped ? Cause.STOPPED : memory ? Cause.OUT_OF_MEMORY : Cause.EXIT_CODE;
        String message = stopped
                ? "was stopped because the job ended"
                : memory
                        ? outOfMemory(facts, code.orElse(0))
                        : ExitCodes.describe(code.orElse(0)) + otherHands(code.orElse(0));
        return new Failure(Optional.of(step), reason, message, code, logTail, List.of());
    }

    /** An engine that is restarted ends its containers, and tells of it by nothing but such codes. */
    private static String otherHands(int code) {
        return switch (code) {
            case KILLED, ASKED_TO_END -> "; if nobody stopped its container, its engine was restarted";
            case WENT_DOWN -> "; a container that ran when the engine's machine went down has this code, too";
            default -> "";
        };
    }

    private static String outOfMemory(ContainerFacts facts, int code) {
        String advice = "; give it a higher limit of memory, or let it use less";
        if (facts.outOfMemory() == OutOfMemory.LIKELY) {
            return "was ended by SIGKILL; this engine does not tell why, but most likely its memory ran out" + advice;
        }
        return code == KILLED
                ? "was ended by SIGKILL because its memory ran out" + advice
                : ExitCodes.describe(code) + ", after one of its processes was ended because memory ran out" + advice;
    }
}
