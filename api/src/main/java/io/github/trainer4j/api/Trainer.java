package io.github.trainer4j.api;

/** What runs on the training nodes. */
public sealed interface Trainer
        permits CustomTrainer, CommandTrainer, JavaTrainer, CustomTrainerContainer, BuiltinTrainer, RuntimeTrainer {

    /** Returns the number of nodes and what each is given. */
    NodeSettings nodes();
}
