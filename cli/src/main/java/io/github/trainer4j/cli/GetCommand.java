package io.github.trainer4j.cli;

import io.github.trainer4j.client.TrainerClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "get",
        description = "Shows one job, or all.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j get led -o json")
final class GetCommand extends ClientCommand {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The job; left out: all.")
    @Nullable
    String name;

    GetCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() {
        Format format = format(Jobs.FORMATS);
        try (TrainerClient client = builder().build()) {
            if (name == null) {
                Jobs.print(shell, format, client.list());
            } else {
                Jobs.print(shell, format, client.get(name));
            }
        }
        return Exit.OK;
    }
}
