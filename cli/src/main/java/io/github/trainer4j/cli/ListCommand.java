package io.github.trainer4j.cli;

import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.client.TrainerClient;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        aliases = "ls",
        description = "Lists the jobs of a backend, oldest first.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j list --backend docker -l team=vision -o wide")
final class ListCommand extends ClientCommand {
    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "Only jobs whose labels fit, as in team=vision,stage!=test.")
    @Nullable
    String selector;

    @Option(names = "--runtime", paramLabel = "NAME", description = "Only jobs with this runtime.")
    @Nullable
    String runtime;

    ListCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() {
        Format format = format(Jobs.FORMATS);
        Selector wanted = Selector.of(selector == null ? "" : selector);
        try (TrainerClient client = builder().build()) {
            List<TrainJob> jobs = runtime == null ? client.list() : client.list(runtime);
            Jobs.print(shell, format, jobs.stream().filter(wanted::fits).toList());
        }
        return Exit.OK;
    }
}
