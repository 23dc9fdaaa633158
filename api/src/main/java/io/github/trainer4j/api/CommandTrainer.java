package io.github.trainer4j.api;

import java.util.List;

/**
 * Runs a command on every node, without a shell: the first element is the program, the others are its arguments as they
 * are.
 *
 * @param command the program and its arguments
 * @param nodes the number of nodes and what each is given
 */
public record CommandTrainer(List<String> command, NodeSettings nodes)
        implements Trainer, NodeSettings.Fluent<CommandTrainer> {
    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if there is no program
     */
    public CommandTrainer {
        command = Check.arguments(command, "command");
        if (command.isEmpty()) {
            throw new InvalidJobException("the command is empty; give a program and its arguments");
        }
        Check.text(command.get(0), "the command's program");
        Check.present(nodes, "nodes");
    }

    /**
     * Returns a trainer for this command.
     *
     * @throws InvalidJobException if there is no program
     */
    public static CommandTrainer of(String... command) {
        return new CommandTrainer(Check.listOf(command), NodeSettings.defaults());
    }

    @Override
    public CommandTrainer nodes(NodeSettings settings) {
        return new CommandTrainer(command, settings);
    }
}
