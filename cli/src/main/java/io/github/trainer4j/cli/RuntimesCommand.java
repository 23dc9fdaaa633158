package io.github.trainer4j.cli;

import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.client.yaml.YamlText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "runtimes",
        description = "Shows the training runtimes that jobs can name.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j runtimes torch-distributed -o yaml")
final class RuntimesCommand extends ClientCommand {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The runtime; left out: all.")
    @Nullable
    String name;

    @Option(names = "--packages", description = "Shows what the runtime NAME has installed; may start a container.")
    boolean packages;

    RuntimesCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() throws InterruptedException {
        Format format = format(Jobs.FORMATS);
        if (packages && name == null) {
            throw Refusal.invalid("--packages is for one runtime; name it");
        }
        try (TrainerClient client = builder().build()) {
            if (name == null) {
                List<TrainingRuntime> runtimes = client.runtimes();
                print(
                        format,
                        runtimes,
                        Forms.items(runtimes.stream().map(Forms::runtime).toList()));
            } else if (packages) {
                shell.out().print(client.runtimePackages(client.runtime(name)).stripTrailing() + "\n");
            } else {
                TrainingRuntime runtime = client.runtime(name);
                print(format, List.of(runtime), Forms.runtime(runtime));
            }
        }
        return Exit.OK;
    }

    private void print(Format format, List<TrainingRuntime> runtimes, Map<String, Object> form) {
        switch (format) {
            case JSON -> shell.out().line(JsonText.write(form));
            case YAML -> shell.out().print(YamlText.write(form));
            case NAME -> runtimes.forEach(runtime -> shell.out().line(runtime.name()));
            default -> table(format == Format.WIDE, runtimes);
        }
    }

    private void table(boolean wide, List<TrainingRuntime> runtimes) {
        Table table = wide
                ? new Table("NAME", "FRAMEWORK", "NODES", "KIND", "IMAGE", "SOURCE")
                : new Table("NAME", "FRAMEWORK", "NODES");
        for (TrainingRuntime runtime : runtimes) {
            String nodes = Integer.toString(runtime.numNodes());
            if (wide) {
                table.row(
                        runtime.name(),
                        runtime.framework(),
                        nodes,
                        runtime.scope().kind(),
                        runtime.image().orElse("-"),
                        runtime.source());
            } else {
                table.row(runtime.name(), runtime.framework(), nodes);
            }
        }
        table.print(shell.out());
    }
}
