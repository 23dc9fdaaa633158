package io.github.trainer4j.api;

import java.util.List;
import java.util.Optional;

/**
 * Runs what the runtime says, on as many nodes and with what else is given here: the runtime's command, or the entry point
 * of the image where it has none. A job without any trainer is the same with nothing given.
 *
 * @param args arguments in place of the runtime's; empty: the runtime's
 * @param nodes the number of nodes and what each is given
 */
public record RuntimeTrainer(Optional<List<String>> args, NodeSettings nodes)
        implements Trainer, NodeSettings.Fluent<RuntimeTrainer> {
    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if a part is null
     */
    public RuntimeTrainer {
        args = Check.present(args, "args").map(values -> Check.arguments(values, "args"));
        Check.present(nodes, "nodes");
    }

    /** Returns a trainer that leaves everything to the runtime. */
    public static RuntimeTrainer defaults() {
        return new RuntimeTrainer(Optional.empty(), NodeSettings.defaults());
    }

    /** Returns a copy with these arguments in place of the runtime's. */
    public RuntimeTrainer args(String... args) {
        return new RuntimeTrainer(Optional.of(Check.listOf(args)), nodes);
    }

    @Override
    public RuntimeTrainer nodes(NodeSettings settings) {
        return new RuntimeTrainer(args, settings);
    }
}
