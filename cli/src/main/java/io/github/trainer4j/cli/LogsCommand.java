package io.github.trainer4j.cli;

import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.client.TrainerClient;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "logs",
        description = "Prints the log of a job: of its first node, or of the step or steps that are asked for.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j logs led --all-steps -f --tail 20")
final class LogsCommand extends ClientCommand {
    private static final String FIRST_NODE = "node-0";

    @Parameters(paramLabel = "NAME", description = "The job.")
    String name = "";

    @Option(names = "--step", paramLabel = "STEP", description = "The step, as in node-1 or dataset-initializer.")
    @Nullable
    String step;

    @Option(names = "--all-steps", description = "All steps, each line with its step in front.")
    boolean allSteps;

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on with new lines until the job is over.")
    boolean follow;

    @Option(names = "--tail", paramLabel = "N", description = "Only so many last lines of each step.")
    @Nullable
    Integer tail;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only lines from then on: so long ago, as in 5m, or a time such as 2026-01-31T12:00:00Z.")
    @Nullable
    String since;

    @Option(names = "--previous", description = "The attempt before the step's last restart.")
    boolean previous;

    LogsCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() throws InterruptedException {
        Format format = format(Set.of(Format.TABLE, Format.JSON));
        if (allSteps && step != null) {
            throw Refusal.invalid("--step and --all-steps exclude one another; leave one out");
        }
        LogQuery query = new LogQuery(
                allSteps ? Optional.empty() : Optional.of(step == null ? FIRST_NODE : step),
                tail == null ? OptionalInt.empty() : OptionalInt.of(tail),
                follow,
                Optional.ofNullable(since).map(LogsCommand::time),
                previous);
        try (TrainerClient client = builder().build();
                LogStream logs = client.logs(name, query)) {
            for (Optional<LogLine> line = logs.next(); line.isPresent(); line = logs.next()) {
                print(format, line.get());
            }
            if (step == null && !allSteps) {
                hint(client);
            }
        }
        return Exit.OK;
    }

    private void print(Format format, LogLine line) {
        if (format == Format.JSON) {
            Map<String, Object> form = new LinkedHashMap<>();
            form.put("step", line.step());
            line.time().ifPresent(time -> form.put("time", time.toString()));
            form.put("text", line.text());
            shell.out().line(Json.write(form));
        } else {
            shell.out().line(allSteps ? line.toString() : line.text());
        }
        if (follow) {
            shell.out().flush();
        }
    }

    /** A job whose initializer failed has nothing in the log of its first node. */
    private void hint(TrainerClient client) {
        client.get(name)
                .failure()
                .flatMap(failure -> failure.step())
                .filter(failed -> !failed.equals(FIRST_NODE))
                .ifPresent(failed ->
                        shell.say("The job failed in " + failed + ": trainer4j logs " + name + " --step " + failed));
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return Instant.now()
                    .minus(
                            Settings.parseDuration(text)
                                    .orElseThrow(
                                            () -> Refusal.invalid(
                                                    "'" + text
                                                            + "' of --since is no time; write how long ago, as in 5m, or one such as 2026-01-31T12:00:00Z")));
        }
    }
}
