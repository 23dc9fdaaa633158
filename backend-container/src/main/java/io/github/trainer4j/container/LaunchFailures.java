package io.github.trainer4j.container;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.dispatch.DispatchException;
import io.github.trainer4j.api.dispatch.TaskFailure;
import io.github.trainer4j.api.state.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Says why a launch failed. */
final class LaunchFailures {
    private LaunchFailures() {}

    static Failure of(StepFailedException e, Function<String, List<String>> logTail) {
        return new Failure(
                e.step(),
                e.reason().orElse(Cause.START_FAILED),
                String.valueOf(e.getMessage()),
                e.exitCode(),
                e.step().map(logTail).orElse(List.of()),
                List.of());
    }

    /**
     * Returns the failure of a run, with all that failed after the first.
     *
     * @param nodes the name of the task that makes the nodes, which is no step
     */
    static Failure of(DispatchException e, String nodes, Function<String, List<String>> logTail) {
        Failure plain = e.toFailure(step -> step.equals(nodes) ? List.of() : logTail.apply(step));
        List<Failure> further = new ArrayList<>();
        for (int i = 0; i < plain.further().size(); i++) {
            Failure next = plain.further().get(i);
            if (i < e.further().size()) {
                further.add(detailed(next, e.further().get(i), nodes));
            } else if (!next.step().equals(Optional.of(nodes))) {
                further.add(next);
            }
        }
        Failure first = detailed(plain, e.first(), nodes);
        return new Failure(first.step(), first.reason(), first.message(), first.exitCode(), first.logTail(), further);
    }

    private static Failure detailed(Failure plain, TaskFailure task, String nodes) {
        OptionalInt code = task.cause() instanceof StepFailedException failed ? failed.exitCode() : OptionalInt.empty();
        Optional<String> step = !task.name().equals(nodes)
                ? Optional.of(task.name())
                : task.cause() instanceof TrainerException known ? known.step() : Optional.empty();
        String reason = task.cause() instanceof EngineException ? Cause.START_FAILED : plain.reason();
        String message = task.cause() instanceof EngineException
                ? String.valueOf(task.cause().getMessage())
                : plain.message();
        return new Failure(step, reason, message, code, plain.logTail(), plain.further());
    }
}
