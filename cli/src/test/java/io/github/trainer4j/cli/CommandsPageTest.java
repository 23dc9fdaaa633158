package io.github.trainer4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Holds the page of commands to the commands. {@code -Dgolden=write} writes it anew. */
class CommandsPageTest {
    private static final Path PAGE = Path.of("../docs/cli/commands.md");

    @Test
    void thePageOfCommandsIsWhatTheirHelpSays() throws Exception {
        CommandLine root = UsageTest.commands().findFirst().orElseThrow();
        StringBuilder page = new StringBuilder("""
                # Commands

                What `--help` prints, made from the program by `CommandsPageTest`.
                """);
        append(page, "trainer4j", root);
        Map<String, CommandLine> commands = new TreeMap<>();
        root.getSubcommands().forEach((name, command) -> commands.put(command.getCommandName(), command));
        commands.forEach((name, command) -> append(page, "trainer4j " + name, command));
        if ("write".equals(System.getProperty("golden"))) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page.toString());
        assertThat(commands.keySet())
                .isEqualTo(Set.of(
                        "train",
                        "list",
                        "get",
                        "describe",
                        "logs",
                        "events",
                        "wait",
                        "delete",
                        "prune",
                        "runtimes",
                        "fetch",
                        "backends",
                        "config",
                        "completion",
                        "version"));
    }

    private static void append(StringBuilder page, String heading, CommandLine command) {
        String help = command.setUsageHelpWidth(100).getUsageMessage(CommandLine.Help.Ansi.OFF);
        page.append("\n## ")
                .append(heading)
                .append("\n\n```\n")
                .append(help.strip())
                .append("\n```\n");
    }
}
