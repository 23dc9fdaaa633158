package io.github.trainer4j.api.dispatch;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.state.Cause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * A task failed, and the others were cancelled. The cause is the first failure's; the later ones, and what went wrong in
 * cancelling, are its suppressed exceptions.
 */
public final class DispatchException extends TrainerException {
    private static final long serialVersionUID = 1L;

    private final transient TaskFailure first;
    private final transient List<TaskFailure> further;
    private final List<String> cancelled;
    private final List<String> stuck;

    DispatchException(TaskFailure first, List<TaskFailure> further, List<TaskFailure> cancelled, List<String> stuck) {
        super(message(first, further, names(cancelled), stuck), first.cause(), null, first.name(), null);
        this.first = first;
        this.further = List.copyOf(further);
        this.cancelled = names(cancelled);
        this.stuck = List.copyOf(stuck);
        for (TaskFailure failure : further) {
            if (failure.cause() != first.cause()) {
                addSuppressed(failure.cause());
            }
        }
        for (TaskFailure failure : cancelled) {
            // That it was cancelled is no news; that something went wrong in doing so is.
            if (failure.cause().getSuppressed().length > 0) {
                addSuppressed(failure.cause());
            }
        }
    }

    private static List<String> names(List<TaskFailure> failures) {
        return failures.stream().map(TaskFailure::name).toList();
    }

    /** Returns the failure that came first and ended the run. */
    public TaskFailure first() {
        return first;
    }

    /** Returns the failures that came after it, in the order they came; tasks that merely were cancelled are not here. */
    public List<TaskFailure> further() {
        return further;
    }

    /** Returns the names of the tasks that were cancelled and ended. */
    public List<String> cancelled() {
        return cancelled;
    }

    /** Returns the names of the tasks that were cancelled and had not ended when the grace was over. */
    public List<String> stuck() {
        return stuck;
    }

    /**
     * Returns the failure to record for a job whose steps were the tasks of this run. Where an error gives no reason of its
     * own, the reason of a task that has the name of an initializer's step is {@link Cause#INITIALIZER_FAILED}, and that of
     * any other, which makes something ready for the nodes, {@link Cause#START_FAILED}.
     *
     * @param logTail gives the last log lines of a step
     */
    public Failure toFailure(Function<String, List<String>> logTail) {
        List<Failure> others = new ArrayList<>();
        further.forEach(failure -> others.add(of(failure, List.of(), logTail)));
        cancelled.forEach(
                name -> others.add(of(name, "Cancelled", "was cancelled because " + first.name() + " failed")));
        stuck.forEach(name -> others.add(of(name, "Stuck", "ignores its cancellation and may still run")));
        return of(first, others, logTail);
    }

    private static Failure of(TaskFailure failure, List<Failure> further, Function<String, List<String>> logTail) {
        return new Failure(
                Optional.of(failure.name()),
                reason(failure),
                describe(failure.cause()),
                OptionalInt.empty(),
                logTail.apply(failure.name()),
                further);
    }

    private static String reason(TaskFailure failure) {
        if (failure.cause() instanceof TimeoutException) {
            return "Timeout";
        }
        Optional<String> own = failure.cause() instanceof TrainerException known ? known.reason() : Optional.empty();
        boolean initializer = Arrays.stream(InitializerTarget.values())
                .map(InitializerTarget::step)
                .anyMatch(failure.name()::equals);
        return own.orElse(initializer ? Cause.INITIALIZER_FAILED : Cause.START_FAILED);
    }

    private static Failure of(String step, String reason, String message) {
        return new Failure(Optional.of(step), reason, message, OptionalInt.empty(), List.of(), List.of());
    }

    private static String message(
            TaskFailure first, List<TaskFailure> further, List<String> cancelled, List<String> stuck) {
        StringBuilder text = new StringBuilder(first.name()).append(" failed: ").append(describe(first.cause()));
        further.forEach(failure ->
                text.append("; ").append(failure.name()).append(" failed too: ").append(describe(failure.cause())));
        cancelled.forEach(name -> text.append("; ").append(name).append(" was cancelled"));
        stuck.forEach(name -> text.append("; ").append(name).append(" ignores its cancellation and still runs"));
        return text.toString();
    }

    private static String describe(Throwable cause) {
        boolean plain = cause instanceof TrainerException || cause instanceof TimeoutException;
        String message = cause.getMessage();
        return plain && message != null ? message : cause.toString();
    }
}
