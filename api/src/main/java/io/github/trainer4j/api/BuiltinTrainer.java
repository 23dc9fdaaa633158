package io.github.trainer4j.api;

/**
 * Runs the fine-tuning that the runtime brings with it; only its configuration is given.
 *
 * @param config what to change in the runtime's configuration
 * @param nodes the number of nodes and what each is given
 */
public record BuiltinTrainer(TorchTuneConfig config, NodeSettings nodes)
        implements Trainer, NodeSettings.Fluent<BuiltinTrainer> {
    /**
     * Checks that both parts are there.
     *
     * @throws InvalidJobException if one is null
     */
    public BuiltinTrainer {
        Check.present(config, "config");
        Check.present(nodes, "nodes");
    }

    /** Returns a trainer with this configuration. */
    public static BuiltinTrainer of(TorchTuneConfig config) {
        return new BuiltinTrainer(config, NodeSettings.defaults());
    }

    @Override
    public BuiltinTrainer nodes(NodeSettings settings) {
        return new BuiltinTrainer(config, settings);
    }
}
