package io.github.trainer4j.cli;

import io.github.trainer4j.client.PruneReport;
import io.github.trainer4j.client.TrainerClient;
import java.time.Duration;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "prune",
        description = "Removes the jobs that are over, as delete does, and prints their names.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j prune --older-than 7d -l team=vision")
final class PruneCommand extends ClientCommand {
    @Option(
            names = "--older-than",
            paramLabel = "TIME",
            defaultValue = "0s",
            description = "Only those that ended so long ago; by default all.")
    Duration age = Duration.ZERO;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            defaultValue = "",
            description = "Only those whose labels fit, as in team=vision,stage!=test.")
    String selector = "";

    PruneCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() throws InterruptedException {
        format(Set.of(Format.TABLE, Format.NAME));
        Selector wanted = Selector.of(selector);
        try (TrainerClient client = builder().build()) {
            PruneReport report = client.prune(age, wanted::fits);
            report.removed().forEach(shell.out()::line);
            report.problems().forEach((job, problem) -> shell.say("trainer4j: " + job + ": " + problem));
            if (report.isClean() && report.removed().isEmpty()) {
                shell.say("No jobs.");
            }
            return report.isClean() ? Exit.OK : Exit.FAILED;
        }
    }
}
