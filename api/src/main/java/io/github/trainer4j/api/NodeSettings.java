package io.github.trainer4j.api;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * What all trainers have in common: how many nodes there are, and what each is given.
 *
 * @param numNodes the number of nodes; empty: what the runtime says
 * @param numProcPerNode the number of processes on each node; empty: one for each GPU, else for each requested core
 * @param resourcesPerNode what one node may use
 * @param env environment variables of every node
 * @param secretEnv environment variables whose values are secrets
 * @param image the image that the nodes run; empty: the runtime's; backends without images refuse one
 */
public record NodeSettings(
        OptionalInt numNodes,
        OptionalInt numProcPerNode,
        Resources resourcesPerNode,
        Map<String, String> env,
        Map<String, Secret> secretEnv,
        Optional<String> image) {
    private static final NodeSettings DEFAULTS = new NodeSettings(
            OptionalInt.empty(), OptionalInt.empty(), Resources.none(), Map.of(), Map.of(), Optional.empty());

    /**
     * Copies and checks the settings.
     *
     * @throws InvalidJobException if a number is below one, a name is not a variable's, or a variable is given twice
     */
    public NodeSettings {
        Check.atLeastOne(numNodes, "numNodes");
        Check.atLeastOne(numProcPerNode, "numProcPerNode");
        Check.present(resourcesPerNode, "resourcesPerNode");
        env = Check.environment(env, "env");
        secretEnv = Check.map(secretEnv, "secretEnv", (name, secret) -> Check.environmentName(name, "secretEnv"));
        for (String name : secretEnv.keySet()) {
            if (env.containsKey(name)) {
                throw new InvalidJobException(
                        "the variable " + name + " is given in env and in secretEnv; give it once");
            }
        }
        Check.image(image, "image");
    }

    /** Returns settings in which everything is left to the runtime. */
    public static NodeSettings defaults() {
        return DEFAULTS;
    }

    /**
     * The settings, said on a trainer. Each method returns a changed copy of the trainer and throws
     * {@link InvalidJobException} for what {@link NodeSettings} refuses.
     *
     * @param <T> the trainer's own type
     */
    public interface Fluent<T> {
        /** Returns the settings as they are. */
        NodeSettings nodes();

        /** Returns a copy of the trainer with these settings. */
        T nodes(NodeSettings settings);

        /** Returns a copy with this number of nodes. */
        default T numNodes(int numNodes) {
            NodeSettings s = nodes();
            return nodes(new NodeSettings(
                    OptionalInt.of(numNodes), s.numProcPerNode, s.resourcesPerNode, s.env, s.secretEnv, s.image));
        }

        /** Returns a copy with this number of processes on each node. */
        default T numProcPerNode(int numProcPerNode) {
            NodeSettings s = nodes();
            return nodes(new NodeSettings(
                    s.numNodes, OptionalInt.of(numProcPerNode), s.resourcesPerNode, s.env, s.secretEnv, s.image));
        }

        /** Returns a copy with these resources for each node. */
        default T resourcesPerNode(Resources resources) {
            NodeSettings s = nodes();
            return nodes(new NodeSettings(s.numNodes, s.numProcPerNode, resources, s.env, s.secretEnv, s.image));
        }

        /** Returns a copy with more resources for each node, as in {@code resources(r -> r.cpu(2).memory("4Gi"))}. */
        default T resources(UnaryOperator<Resources> more) {
            return resourcesPerNode(Check.present(more, "resources").apply(nodes().resourcesPerNode));
        }

        /** Returns a copy with one more environment variable, which is not there yet. */
        default T env(String name, String value) {
            return env(Check.plus(nodes().env, name, value, "env"));
        }

        /** Returns a copy with exactly these environment variables. */
        default T env(Map<String, String> env) {
            NodeSettings s = nodes();
            return nodes(new NodeSettings(s.numNodes, s.numProcPerNode, s.resourcesPerNode, env, s.secretEnv, s.image));
        }

        /** Returns a copy with one more environment variable, which is not there yet and whose value is a secret. */
        default T secretEnv(String name, Secret value) {
            NodeSettings s = nodes();
            Map<String, Secret> more = Check.plus(s.secretEnv, name, value, "secretEnv");
            return nodes(new NodeSettings(s.numNodes, s.numProcPerNode, s.resourcesPerNode, s.env, more, s.image));
        }

        /** Returns a copy that runs this image. */
        default T image(String image) {
            NodeSettings s = nodes();
            return nodes(new NodeSettings(
                    s.numNodes,
                    s.numProcPerNode,
                    s.resourcesPerNode,
                    s.env,
                    s.secretEnv,
                    Optional.of(Check.image(image, "image"))));
        }
    }
}
