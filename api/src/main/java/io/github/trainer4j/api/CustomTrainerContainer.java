package io.github.trainer4j.api;

/**
 * Runs an image as it is: its own entry point and arguments, with the environment of a training node.
 *
 * @param nodes the image, the number of nodes and what each is given
 */
public record CustomTrainerContainer(NodeSettings nodes)
        implements Trainer, NodeSettings.Fluent<CustomTrainerContainer> {
    /**
     * Checks that there is an image.
     *
     * @throws InvalidJobException if there is none
     */
    public CustomTrainerContainer {
        if (Check.present(nodes, "nodes").image().isEmpty()) {
            throw new InvalidJobException("a CustomTrainerContainer needs an image; give one");
        }
    }

    /**
     * Returns a trainer for this image.
     *
     * @throws InvalidJobException if the image is blank
     */
    public static CustomTrainerContainer of(String image) {
        return new CustomTrainerContainer(new NodeSettings(
                java.util.OptionalInt.empty(),
                java.util.OptionalInt.empty(),
                Resources.none(),
                java.util.Map.of(),
                java.util.Map.of(),
                java.util.Optional.of(Check.image(image, "image"))));
    }

    @Override
    public CustomTrainerContainer nodes(NodeSettings settings) {
        return new CustomTrainerContainer(settings);
    }
}
