package io.github.trainer4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class UsageTest {
    private Trial trial;

    @BeforeEach
    void begin(@TempDir Path directory) {
        trial = new Trial(directory);
    }

    static Stream<CommandLine> commands() {
        Shell shell = new Shell(
                new Out(new java.io.ByteArrayOutputStream()),
                new Out(new java.io.ByteArrayOutputStream()),
                InputStream.nullInputStream(),
                Path.of(""),
                java.util.Map.of(),
                Shell.Terminal.NONE);
        CommandLine root = Trainer4j.commandLine(shell);
        return Stream.concat(
                Stream.of(root), root.getSubcommands().values().stream().distinct());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasAHelpWithAnExample(CommandLine command) {
        String name = command.getCommandName();
        Trial.Result result = name.equals("trainer4j") ? trial.run("-h") : trial.run(name, "--help");
        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).containsPattern("Examples?:\n  trainer4j " + (name.equals("trainer4j") ? "" : name));
        assertThat(result.out().lines()).allMatch(line -> line.length() <= 110);
        assertThat(result.out()).isEqualTo(command.getUsageMessage(CommandLine.Help.Ansi.OFF));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lst                                   | did you mean ls or list?
            list --nope                           | Unknown option: '--nope'
            list -o xml                           | Invalid value for option '--output'
            logs                                  | Missing required parameter: 'NAME'
            logs x -o wide                        | -o wide has no meaning here; use table or json
            logs x --step a --all-steps           | exclude one another
            logs x --since soon                   | of --since is no time
            logs x --tail many                    | is not an int
            wait x --for Done                     | is no status to wait for
            wait x --timeout never                | is no duration
            wait x --timeout PT-5M                | is no duration
            logs x --since PT-5M                  | is no time
            wait x --timeout 0s                   | the wait's timeout
            delete                                | say which jobs to delete
            delete x --all                        | say which jobs to delete
            list --set nope=1                     | unknown key 'nope'
            list --set backend                    | backend
            list --backend lokal                  | there is no backend 'lokal'
            train                                 | there is no job; give a file with -f
            train -f a --name b                   | so that --name says nothing
            train --rm -- true                    | --rm goes with --wait or --follow
            train --timeout 1s -- true            | --timeout goes with --wait or --follow
            train --dry-run=maybe -- true         | is no form of --dry-run
            train --script a.py -- true           | --script and a COMMAND are given
            train --package a -- true             | --package is for a --script
            train --class-path a -- true          | --class-path is for a --main-class
            train --arg a -- true                 | write arguments after the COMMAND
            train --env A -- true                 | of --env has not the form KEY=VALUE
            train --env A=1 --env A=2 -- true     | is given twice by --env
            train --env-file nix -- true          | the file nix of --env-file cannot be read
            train --secret-env NIX -- true        | the environment has no variable NIX
            train --secret-env A=b -- true        | put it into a file and write --secret-env A=@FILE
            train --dataset-option a=b -- true    | --dataset-option is given without --dataset
            train --dataset hf://a/b --dataset-option access_token=x -- true | put it into a file
            train --name A_B -- true              | the job's name
            train --nodes 0 -- true               | numNodes is 0
            train --cpu many -- true              | is not an amount
            train --image a                       | CustomTrainerContainer
            train --script nix.py                 | there is no script
            train -f nix.yaml                     | there is no file
            train -f .                            | is a directory
            train --deadline x -- true            | is no duration
            version -o wide                       | -o wide has no meaning here
            """)
    void whatIsWrongIsTwoAndSaysWhatToDo(String line, String message) {
        Trial.Result result = trial.run(line.strip().split(" +"));
        assertThat(result.err()).contains(message);
        assertThat(result.code()).as(result.err()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("trainer4j: ").doesNotContain("\tat ", "unexpected");
    }

    @Test
    void withoutACommandTheyAreListed() {
        assertThat(trial.run())
                .satisfies(result -> assertThat(result.code()).isEqualTo(2))
                .satisfies(result -> assertThat(result.err()).contains("a command is missing: ", "train", "list"));
    }

    @Test
    void withoutABackendTheChoiceIsShown() {
        assertThat(trial.without("TRAINER4J_BACKEND").run("list"))
                .satisfies(result -> assertThat(result.code()).isEqualTo(2))
                .satisfies(result -> assertThat(result.err()).contains("docker", "local", "or with --backend NAME"));
    }

    @Test
    void aSecretIsNeverShown() {
        trial.file("token", "hidden-value\n");
        for (List<String> args : List.of(
                List.of("train", "--secret-env", "KEY=@token", "--dry-run", "--", "true"),
                List.of("train", "--secret-env", "KEY", "--dry-run=yaml", "--", "true"),
                List.of("train", "-v", "--secret-env", "KEY=hidden-value", "--", "true"))) {
            Trial.Result result = trial.with("KEY", "hidden-value").run(args.toArray(String[]::new));
            assertThat(result.out() + result.err())
                    .doesNotContain("hidden-value")
                    .contains("KEY");
        }
    }

    @Test
    void closedStandardInputIsTold() {
        InputStream closed = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("Bad file descriptor");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return read();
            }
        };
        assertThat(trial.run(closed, "train", "-f", "-"))
                .satisfies(result -> assertThat(result.code()).isEqualTo(2))
                .satisfies(result ->
                        assertThat(result.err()).contains("standard input cannot be read: Bad file descriptor"));
        assertThat(trial.typing("").run("train", "-f", "-").err()).contains("standard input holds no TrainJob");
    }

    @Test
    void aNarrowTerminalStillGetsHelp() {
        Trial.Result result = trial.at(new Shell.Terminal(true, true, true, 20))
                .with("NO_COLOR", "1")
                .run("-h");
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("Commands:");
    }

    @Test
    void coloursAreForTerminals() {
        Trial seen = trial.at(new Shell.Terminal(true, true, true, 80));
        assertThat(seen.run("-h").out()).contains("\u001b[");
        assertThat(seen.run("--no-color", "-h").out()).doesNotContain("\u001b[");
        assertThat(seen.with("NO_COLOR", "1").run("-h").out()).doesNotContain("\u001b[");
    }
}
