package io.github.trainer4j.container;

import io.github.trainer4j.api.Failure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Says how a container failed. */
final class NodeFailure {
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
        String reason = stopped ? Cause.STOPPED : facts.outOfMemory() ? Cause.OUT_OF_MEMORY : Cause.EXIT_CODE;
        String message = stopped
                ? "was stopped because the job ended"
                : facts.outOfMemory()
                        ? "was ended by SIGKILL because it needed more memory than its limit; give it more"
                        : ExitCodes.describe(code.orElse(0));
        return new Failure(Optional.of(step), reason, message, code, logTail, List.of());
    }
}
