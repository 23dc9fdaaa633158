package io.github.trainer4j.api;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that happened to a job.
 *
 * @param time when it happened
 * @param step the step it happened to; empty: the job as a whole
 * @param type whether people should look at it
 * @param reason one word for machines, such as {@code Created}, {@code Started}, {@code Exited}
 * @param message what happened, for people
 */
public record Event(Instant time, Optional<String> step, Type type, String reason, String message) {
    /** Whether people should look at an event; the words are those of Kubernetes. */
    public enum Type {
        /** All goes as it should. */
        NORMAL,
        /** Something is off. */
        WARNING
    }

    /**
     * Checks everything.
     *
     * @throws InvalidJobException if a part is null or the reason blank
     */
    public Event {
        Check.present(time, "the event's time");
        Check.optionalText(step, "the event's step");
        Check.present(type, "the event's type");
        Check.text(reason, "the event's reason");
        Check.present(message, "the event's message");
    }
}
