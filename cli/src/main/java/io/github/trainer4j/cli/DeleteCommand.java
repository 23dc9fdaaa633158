package io.github.trainer4j.cli;

import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.client.TrainerClient;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        aliases = "rm",
        description = "Stops jobs and removes all that was created for them, results in their workspaces included.",
        footerHeading = "%nExamples:%n",
        footer = {"  trainer4j delete led", "  trainer4j delete -l team=vision"})
final class DeleteCommand extends ClientCommand {
    @Parameters(arity = "0..*", paramLabel = "NAME", description = "The jobs.")
    List<String> names = new ArrayList<>();

    @Option(names = "--all", description = "All jobs of the backend.")
    boolean all;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "All jobs whose labels fit, as in team=vision,stage!=test.")
    @Nullable
    String selector;

    DeleteCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() throws InterruptedException {
        Set<Format> formats = Set.of(Format.TABLE, Format.NAME);
        format(formats);
        int ways = (names.isEmpty() ? 0 : 1) + (all ? 1 : 0) + (selector == null ? 0 : 1);
        if (ways != 1) {
            throw Refusal.invalid("say which jobs to delete, in one way: by names, by --all, or by a selector with -l");
        }
        Selector wanted = Selector.of(selector == null ? "" : selector);
        if (selector != null && wanted.terms().isEmpty()) {
            throw Refusal.invalid("the selector is empty, which would fit all jobs; write --all if you mean that");
        }
        int code = Exit.OK;
        try (TrainerClient client = builder().build()) {
            Set<String> chosen = new LinkedHashSet<>(names);
            if (names.isEmpty()) {
                client.list().stream().filter(wanted::fits).map(TrainJob::name).forEach(chosen::add);
            }
            for (String name : chosen) {
                code = Math.max(code, delete(client, name));
            }
            if (chosen.isEmpty()) {
                shell.say("No jobs.");
            }
        }
        return code;
    }

    /** One that cannot be deleted keeps none of the others. */
    private int delete(TrainerClient client, String name) throws InterruptedException {
        try {
            client.delete(name);
            shell.out().line(name);
            shell.out().flush();
            return Exit.OK;
        } catch (TrainerException e) {
            shell.say("trainer4j: " + e.getMessage());
            return Exit.of(e);
        }
    }
}
