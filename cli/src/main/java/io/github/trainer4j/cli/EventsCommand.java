package io.github.trainer4j.cli;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.client.yaml.YamlText;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "events",
        description = "Shows what has happened to a job.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j events led -w")
final class EventsCommand extends ClientCommand {
    private static final long LOOK_MILLIS = 500;

    @Parameters(paramLabel = "NAME", description = "The job.")
    String name = "";

    @Option(
            names = {"-w", "--watch"},
            description = "Goes on with new events until the job is over.")
    boolean watch;

    EventsCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() throws InterruptedException {
        Format format = format(Set.of(Format.TABLE, Format.JSON, Format.YAML));
        try (TrainerClient client = builder().build()) {
            if (watch) {
                watch(client, format);
                return Exit.OK;
            }
            List<Event> events = client.events(name);
            switch (format) {
                case JSON ->
                    shell.out()
                            .line(JsonText.write(Forms.items(
                                    events.stream().map(Forms::event).toList())));
                case YAML ->
                    shell.out()
                            .print(YamlText.write(Forms.items(
                                    events.stream().map(Forms::event).toList())));
                default -> events.forEach(event -> shell.out().line(text(event)));
            }
        }
        return Exit.OK;
    }

    private void watch(TrainerClient client, Format format) throws InterruptedException {
        Set<Event> seen = new HashSet<>();
        boolean over = false;
        try {
            while (!over) {
                TrainJob job = client.get(name);
                for (Event event : client.events(name)) {
                    if (seen.add(event)) {
                        shell.out().line(format == Format.TABLE ? text(event) : Json.write(Forms.event(event)));
                    }
                }
                shell.out().flush();
                over = job.status().isFinal();
                if (!over) {
                    Thread.sleep(LOOK_MILLIS);
                }
            }
        } catch (JobNotFoundException e) {
            // Deleted while it was watched: that was its last event.
            if (seen.isEmpty()) {
                throw e;
            }
        }
    }

    static String text(Event event) {
        return event.time().truncatedTo(ChronoUnit.SECONDS) + "  "
                + (event.type() == Event.Type.WARNING ? "Warning" : "Normal ") + "  "
                + event.step().map(step -> step + ": ").orElse("") + event.reason()
                + (event.message().isEmpty() ? "" : " - " + event.message());
    }
}
