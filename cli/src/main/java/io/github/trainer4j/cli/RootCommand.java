package io.github.trainer4j.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

@Command(
        name = "trainer4j",
        header = "Runs training jobs on this machine, in containers, or on a Kubernetes cluster.",
        synopsisHeading = "%nUsage: ",
        customSynopsis = "trainer4j COMMAND [OPTION…]",
        optionListHeading = "%nOptions of every command:%n",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExample:%n",
        footer = {
            "  trainer4j train -f job.yaml --backend local --follow",
            "",
            "Exit codes: 0 done, 1 the job failed, 2 wrong input, 3 timeout, 4 backend not available,",
            "5 not found, 130 interrupted."
        })
final class RootCommand extends ShellCommand {
    @Option(
            names = "--backend",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "Where jobs run: local, docker, podman or kubernetes, or what a plug-in brings.")
    @Nullable
    String backend;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            scope = ScopeType.INHERIT,
            description = "Sets a key of the configuration, for this command only.")
    Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            scope = ScopeType.INHERIT,
            description = "How data is printed: ${COMPLETION-CANDIDATES}.")
    @Nullable
    Format format;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Tells on standard error what is done, and where an error comes from.")
    boolean verbose;

    @Option(names = "--no-color", scope = ScopeType.INHERIT, description = "Prints no colours and draws no bars.")
    boolean noColor;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Prints this help.")
    boolean help;

    @Spec
    @Nullable
    CommandSpec spec;

    RootCommand(Shell shell) {
        super(shell);
    }

    Optional<String> backend() {
        return Optional.ofNullable(backend);
    }

    @Override
    public Integer call() {
        CommandLine line = java.util.Objects.requireNonNull(spec).commandLine();
        throw new ParameterException(
                line,
                "a command is missing: "
                        + String.join(", ", line.getSubcommands().keySet()));
    }
}
