package io.github.trainer4j.cli;

import io.github.trainer4j.api.TrainerException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs a command line. */
final class Trainer4j {
    /** What picocli takes as the least width of its help. */
    private static final int NARROWEST_HELP = 55;

    private static final int WIDEST_HELP = 110;

    private static final List<Class<? extends ShellCommand>> COMMANDS = List.of(
            TrainCommand.class,
            ListCommand.class,
            GetCommand.class,
            DescribeCommand.class,
            LogsCommand.class,
            EventsCommand.class,
            WaitCommand.class,
            DeleteCommand.class,
            PruneCommand.class,
            RuntimesCommand.class,
            FetchCommand.class,
            BackendsCommand.class,
            ConfigCommand.class,
            CompletionCommand.class,
            VersionCommand.class);

    private final Shell shell;
    /** Why nothing could be printed; picocli would print a trace of what is thrown. */
    private Optional<UncheckedIOException> broken = Optional.empty();

    Trainer4j(Shell shell) {
        this.shell = shell;
    }

    /** Runs a command and returns its exit code. */
    int run(String... args) {
        int code;
        try {
            code = execute(args);
            broken.ifPresent(failure -> {
                throw failure;
            });
            shell.out().flush();
        } catch (Out.ClosedException e) {
            // Whoever reads has seen enough.
            code = Exit.OK;
        } catch (UncheckedIOException e) {
            shell.say("trainer4j: the output cannot be written: " + e.getMessage());
            code = Exit.FAILED;
        }
        return code;
    }

    private int execute(String... args) {
        boolean color = shell.terminal().out()
                && shell.environment().getOrDefault("NO_COLOR", "").isEmpty()
                && !Arrays.asList(args).contains("--no-color");
        boolean verbose =
                Arrays.asList(args).contains("-v") || Arrays.asList(args).contains("--verbose");
        Logging.configure(verbose);
        CommandLine line = commandLine(shell, Arrays.asList(args));
        line.setColorScheme(CommandLine.Help.defaultColorScheme(color ? Ansi.ON : Ansi.OFF));
        line.setParameterExceptionHandler((e, arguments) -> usage(e));
        line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, verbose));
        StringWriter help = new StringWriter();
        line.setOut(new PrintWriter(help));
        int code = line.execute(args);
        line.getOut().flush();
        shell.out().print(help.toString());
        return code;
    }

    /** Returns all commands, which act in this shell. */
    static CommandLine commandLine(Shell shell) {
        CommandFactory factory = new CommandFactory(shell);
        CommandLine line = new CommandLine(RootCommand.class, factory);
        COMMANDS.forEach(command -> line.addSubcommand(new CommandLine(command, factory)));
        return configured(line, shell);
    }

    /** Making a command takes time: the others are left out where arguments name some, and are heads where they name none. */
    private static CommandLine commandLine(Shell shell, List<String> args) {
        List<Class<? extends ShellCommand>> named = COMMANDS.stream()
                .filter(command -> names(head(command)).anyMatch(args::contains))
                .toList();
        if (named.contains(CompletionCommand.class)) {
            // It has the names of all.
            return commandLine(shell);
        }
        CommandFactory factory = new CommandFactory(shell);
        CommandLine line = new CommandLine(RootCommand.class, factory);
        named.forEach(command -> line.addSubcommand(new CommandLine(command, factory)));
        if (named.isEmpty()) {
            COMMANDS.forEach(command -> line.addSubcommand(named(head(command))));
        }
        return configured(line, shell);
    }

    /** Returns what the list of all commands says of one, which cannot be called. */
    private static CommandLine named(Command head) {
        CommandSpec spec = CommandSpec.create().name(head.name()).aliases(head.aliases());
        spec.usageMessage().description(head.description());
        return new CommandLine(spec);
    }

    private static Command head(Class<? extends ShellCommand> command) {
        return Objects.requireNonNull(command.getAnnotation(Command.class));
    }

    private static CommandLine configured(CommandLine line, Shell shell) {
        line.setExpandAtFiles(false);
        line.setUsageHelpWidth(
                Math.max(NARROWEST_HELP, Math.min(WIDEST_HELP, shell.terminal().columns())));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.registerConverter(java.time.Duration.class, new Durations());
        line.setOverwrittenOptionsAllowed(false);
        line.setAbbreviatedOptionsAllowed(false);
        return line;
    }

    private static Stream<String> names(Command head) {
        return Stream.concat(Stream.of(head.name()), Arrays.stream(head.aliases()));
    }

    private int usage(ParameterException e) {
        CommandLine command = e.getCommandLine();
        StringBuilder text = new StringBuilder("trainer4j: ").append(sentence(e));
        text.append("\nSee '").append(command.getCommandSpec().qualifiedName()).append(" --help'.");
        shell.say(text.toString());
        return Exit.INVALID;
    }

    private static String sentence(ParameterException e) {
        String message = String.valueOf(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getSuggestions().isEmpty()) {
            return message + "; did you mean "
                    + String.join(
                            " or ", unmatched.getSuggestions().stream().limit(3).toList())
                    + "?";
        }
        return message;
    }

    private int failed(Exception e, boolean verbose) {
        if (e instanceof UncheckedIOException failure) {
            broken = Optional.of(failure);
            return Exit.FAILED;
        }
        String words = e instanceof TrainerException || e instanceof Refusal
                ? String.valueOf(e.getMessage())
                : e instanceof InterruptedException ? "interrupted" : "unexpected: " + e;
        shell.say("trainer4j: " + words + hint(e));
        if (verbose) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            shell.say(trace.toString());
        } else if (!(e instanceof TrainerException)
                && !(e instanceof Refusal)
                && !(e instanceof InterruptedException)) {
            shell.say("This is a fault of trainer4j; run it again with -v, and report what it says.");
        }
        return e instanceof Refusal refusal ? refusal.code() : Exit.of(e);
    }

    private static String hint(Exception e) {
        return Optional.ofNullable(e.getMessage())
                        .filter(text -> text.contains("no backend is chosen"))
                        .isPresent()
                ? ", or with --backend NAME"
                : "";
    }
}
