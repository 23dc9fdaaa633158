package io.github.trainer4j.cli;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.client.yaml.YamlText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "describe",
        description = "Tells all about a job: its steps, why it failed, how far it says it is, what happened.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j describe led")
final class DescribeCommand extends ClientCommand {
    @Parameters(paramLabel = "NAME", description = "The job.")
    String name = "";

    DescribeCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() {
        Format format = format(Set.of(Format.TABLE, Format.JSON, Format.YAML));
        try (TrainerClient client = builder().build()) {
            TrainJob job = client.get(name);
            List<Event> events = client.events(name);
            Map<String, Object> form = new LinkedHashMap<>(Forms.job(job));
            form.put("events", events.stream().map(Forms::event).toList());
            switch (format) {
                case JSON -> shell.out().line(JsonText.write(form));
                case YAML -> shell.out().print(YamlText.write(form));
                default -> describe(job, events);
            }
        }
        return Exit.OK;
    }

    private void describe(TrainJob job, List<Event> events) {
        field("Name", job.name());
        field("Status", job.status().text());
        field("Runtime", job.runtime().orElse("unknown"));
        field("Nodes", Integer.toString(job.numNodes()));
        field("Created", job.creationTime() + " (" + Jobs.age(job.creationTime()) + " ago)");
        job.labels().forEach((key, value) -> field("Label", key + "=" + value));
        job.annotations().forEach((key, value) -> field("Annotation", key + "=" + value));
        job.workspace().ifPresent(workspace -> field("Workspace", workspace.toString()));
        job.progress().ifPresent(progress -> {
            List<String> words = new ArrayList<>();
            progress.percent().ifPresent(percent -> words.add(percent + " %"));
            progress.remaining().ifPresent(time -> words.add(Jobs.span(time) + " left"));
            progress.metrics().forEach((metric, value) -> words.add(metric + "=" + value));
            field("Progress", String.join(", ", words));
        });
        shell.out().line("Steps:");
        Table steps = new Table("  STEP", "STATUS", "EXIT", "REASON", "TIME", "INSTANCE");
        job.steps()
                .forEach(step -> steps.row(
                        "  " + step.name(),
                        step.status().text(),
                        step.exitCode().isPresent()
                                ? Integer.toString(step.exitCode().getAsInt())
                                : "-",
                        step.reason().orElse("-"),
                        time(step),
                        step.instance().orElse("-")));
        steps.print(shell.out());
        job.failure().ifPresent(failure -> {
            shell.out().line("Failure:");
            failure.describe().lines().forEach(line -> shell.out().line("  " + line));
        });
        shell.out().line("Events:");
        events.forEach(event -> shell.out().line("  " + EventsCommand.text(event)));
    }

    private void field(String key, String value) {
        shell.out().line((key + ":").concat(" ".repeat(Math.max(1, 12 - key.length()))) + value);
    }

    private static String time(Step step) {
        Optional<Instant> end =
                step.endTime().or(() -> step.status().isFinal() ? Optional.empty() : Optional.of(Instant.now()));
        return step.startTime()
                .flatMap(start -> end.map(until -> Jobs.span(Duration.between(start, until))))
                .orElse("-");
    }
}
