package io.github.trainer4j.container;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.json.Fields;
import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has happened to a job, written down as it happens: one event in each line of a file. Safe for several threads. */
final class JobEvents {
    private static final Logger LOG = LoggerFactory.getLogger(JobEvents.class);

    private final Path file;
    private final Clock clock;

    JobEvents(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    void normal(String step, String reason, String message) {
        add(new Event(clock.instant(), Optional.of(step), Event.Type.NORMAL, reason, message));
    }

    void warning(Optional<String> step, String reason, String message) {
        add(new Event(clock.instant(), step, Event.Type.WARNING, reason, message));
    }

    /** Writes an event down. That this fails harms only those who would have read it. */
    void add(Event event) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time", event.time().toString());
        event.step().ifPresent(step -> json.put("step", step));
        json.put("type", event.type().name());
        json.put("reason", event.reason());
        json.put("message", event.message());
        try {
            // In one write, so that two writers never mix their lines.
            Files.write(
                    file,
                    (Json.write(json) + "\n").getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            LOG.debug("the event {} was not written to {}", event, file, e);
        }
    }

    /** Returns all events, in the order they were written. */
    static List<Event> read(Path file) {
        List<Event> events = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                parse(line).ifPresent(events::add);
            }
        } catch (NoSuchFileException e) {
            return events;
        } catch (IOException e) {
            LOG.warn("the events in {} cannot be read", file, e);
        }
        return events;
    }

    private static Optional<Event> parse(String line) {
        try {
            Fields fields = Fields.parse(line);
            return Optional.of(new Event(
                    fields.time("time").orElse(Instant.EPOCH),
                    fields.text("step"),
                    Event.Type.valueOf(fields.need("type")),
                    fields.need("reason"),
                    fields.need("message")));
        } catch (IllegalArgumentException e) {
            // The last line of a full disk.
            return Optional.empty();
        }
    }
}
