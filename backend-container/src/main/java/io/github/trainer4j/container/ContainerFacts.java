package io.github.trainer4j.container;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A container as the engine told of it.
 *
 * @param id its id
 * @param name its name
 * @param labels its labels
 * @param state where it stands
 * @param exitCode its exit code, if it has exited
 * @param outOfMemory whether the kernel ended it, or a process in it, because memory ran out; a list does not have it
 * @param created when it was created
 * @param started when it was started last; a list does not have it
 * @param ended when it ended; a list does not have it
 * @param error what the engine says went wrong when it was started
 * @param image the image it was created from
 */
record ContainerFacts(
        String id,
        String name,
        Map<String, String> labels,
        State state,
        OptionalInt exitCode,
        OutOfMemory outOfMemory,
        Instant created,
        Optional<Instant> started,
        Optional<Instant> ended,
        Optional<String> error,
        String image) {
    private static final Pattern EXITED = Pattern.compile("Exited \\((-?\\d+)\\).*", Pattern.DOTALL);

    /** Whether memory ran out. */
    enum OutOfMemory {
        /** As far as is known it did not. */
        NO,
        /** The engine does not tell; but the container has a limit, and was ended as the kernel ends what exceeds it. */
        LIKELY,
        /** The engine says so. */
        YES
    }

    /** Where a container stands. */
    enum State {
        /** It was not started yet. */
        CREATED,
        /** Its program runs, or is paused. */
        RUNNING,
        /** Its program has ended. */
        EXITED,
        /** It is being removed, or in a state that this program has no word for. */
        OTHER
    }

    static State state(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "created", "configured", "initialized" -> State.CREATED;
            case "running", "paused", "restarting", "stopping" -> State.RUNNING;
            case "exited", "stopped" -> State.EXITED;
            default -> State.OTHER;
        };
    }

    /** Returns the exit code within a list's words such as {@code Exited (3) 2 minutes ago}. */
    static OptionalInt exitCode(String status) {
        Matcher matcher = EXITED.matcher(status);
        return matcher.matches() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }

    String job() {
        return labels.getOrDefault(Labels.JOB, "");
    }

    String step() {
        return labels.getOrDefault(Labels.STEP, "");
    }
}
