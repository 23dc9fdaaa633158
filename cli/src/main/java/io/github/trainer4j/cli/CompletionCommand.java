package io.github.trainer4j.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Prints a script by which a shell completes commands and options.",
        footerHeading = "%nExample:%n",
        footer = {"  trainer4j completion bash > ~/.local/share/bash-completion/completions/trainer4j"})
final class CompletionCommand extends ShellCommand {
    @Parameters(paramLabel = "bash|zsh", description = "The shell.")
    String kind = "";

    @Spec
    @Nullable
    CommandSpec spec;

    CompletionCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() {
        if (!kind.equals("bash") && !kind.equals("zsh")) {
            throw Refusal.invalid("there is no completion for '" + kind + "'; write bash or zsh");
        }
        // zsh reads the same script: it begins by loading bash's ways there.
        shell.out()
                .print(AutoComplete.bash(
                        "trainer4j", Objects.requireNonNull(spec).root().commandLine()));
        return Exit.OK;
    }
}
