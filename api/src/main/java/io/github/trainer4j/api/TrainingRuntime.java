package io.github.trainer4j.api;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A training runtime: the framework, image and defaults that a job starts from. It has the content of Kubeflow Trainer's
 * {@code TrainingRuntime} and {@code ClusterTrainingRuntime} resources as far as a client needs it.
 *
 * @param name the runtime's name
 * @param scope where it is defined
 * @param framework the label {@code trainer.kubeflow.org/framework}, such as {@code torch}, {@code jax}, {@code torchtune}
 * @param numNodes the number of nodes if the job does not say
 * @param numProcPerNode the processes on each node if the job does not say
 * @param image the nodes' image if the job does not say
 * @param command the nodes' command if the trainer brings none
 * @param args the arguments of that command
 * @param env environment variables of the nodes; a job's own win
 * @param resourcesPerNode the nodes' resources if the job does not say
 * @param initializerImages the images of initializers, by target
 * @param source where the definition was found, for people: a file, a URL, {@code built-in}, a cluster
 */
public record TrainingRuntime(
        String name,
        Scope scope,
        String framework,
        int numNodes,
        OptionalInt numProcPerNode,
        Optional<String> image,
        List<String> command,
        List<String> args,
        Map<String, String> env,
        Resources resourcesPerNode,
        Map<InitializerTarget, String> initializerImages,
        String source) {

    /** Where a runtime is defined. */
    public enum Scope {
        /** For all namespaces of a cluster; also runtimes that come from no cluster. */
        CLUSTER("ClusterTrainingRuntime"),
        /** For one namespace. */
        NAMESPACE("TrainingRuntime");

        private final String kind;

        Scope(String kind) {
            this.kind = kind;
        }

        /** Returns the resource's kind: {@code ClusterTrainingRuntime} or {@code TrainingRuntime}. */
        public String kind() {
            return kind;
        }
    }

    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if a name is blank, a number is below one, or a variable's name is malformed
     */
    public TrainingRuntime {
        Check.name(name, "the runtime's name");
        Check.present(scope, "the runtime's scope");
        Check.text(framework, "the runtime's framework");
        Check.atLeast(numNodes, 1, "the runtime's numNodes");
        Check.atLeastOne(numProcPerNode, "the runtime's numProcPerNode");
        Check.image(image, "the runtime's image");
        command = Check.arguments(command, "the runtime's command");
        args = Check.arguments(args, "the runtime's args");
        env = Check.environment(env, "the runtime's env");
        Check.present(resourcesPerNode, "the runtime's resources");
        Map<InitializerTarget, String> images = new EnumMap<>(InitializerTarget.class);
        Check.present(initializerImages, "the runtime's initializer images")
                .forEach((target, initializerImage) -> images.put(
                        Check.present(target, "a target of the runtime's initializer images"),
                        Check.image(initializerImage, "the runtime's image for the " + target.step())));
        initializerImages = Collections.unmodifiableMap(images);
        Check.text(source, "the runtime's source");
    }

    /** Returns a one-node runtime of this framework with nothing else set. */
    public static TrainingRuntime of(String name, String framework, String source) {
        return new TrainingRuntime(
                name,
                Scope.CLUSTER,
                framework,
                1,
                OptionalInt.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                Map.of(),
                Resources.none(),
                Map.of(),
                source);
    }

    /** Returns a copy whose nodes run this image. */
    public TrainingRuntime withImage(String image) {
        return new TrainingRuntime(
                name,
                scope,
                framework,
                numNodes,
                numProcPerNode,
                Optional.of(Check.image(image, "the runtime's image")),
                command,
                args,
                env,
                resourcesPerNode,
                initializerImages,
                source);
    }

    /** Returns whether the runtime brings its own training program, which only a {@link BuiltinTrainer} configures. */
    public boolean isBuiltin() {
        return framework.equals("torchtune");
    }
}
