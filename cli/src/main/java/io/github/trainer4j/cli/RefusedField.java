package io.github.trainer4j.cli;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.launch.ResourceNames;
import io.github.trainer4j.client.TrainerClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds the field of a job's file that a backend refuses: the one without which the same refusal does not come. So this works
 * with every backend, whatever words it has.
 */
final class RefusedField {
    private RefusedField() {}

    /**
     * Plans a job.
     *
     * @throws UnsupportedFeatureException if the backend cannot do all of it, with the path of the field
     */
    static JobPlan explain(TrainerClient client, TrainJobRequest request) {
        try {
            return client.plan(request);
        } catch (UnsupportedFeatureException e) {
            String path = path(client, request, String.valueOf(e.getMessage()));
            throw path.isEmpty() || String.valueOf(e.getMessage()).contains(path)
                    ? e
                    : new UnsupportedFeatureException(path + ": " + e.getMessage());
        }
    }

    private static String path(TrainerClient client, TrainJobRequest request, String refusal) {
        for (Map.Entry<String, TrainJobRequest> without : without(request).entrySet()) {
            try {
                client.plan(without.getValue());
                return without.getKey();
            } catch (TrainerException e) {
                if (!refusal.equals(e.getMessage())) {
                    return without.getKey();
                }
            }
        }
        return "";
    }

    private static Map<String, TrainJobRequest> without(TrainJobRequest request) {
        Map<String, TrainJobRequest> copies = new LinkedHashMap<>();
        request.trainer()
                .ifPresent(trainer -> settings(trainer.nodes()).forEach((path, nodes) -> {
                    Optional<Trainer> changed = with(trainer, nodes);
                    changed.ifPresent(other ->
                            copies.put(path, request.toBuilder().trainer(other).build()));
                }));
        for (InitializerSpec initializer : request.initializers()) {
            String path = "spec.initializer." + initializer.target().directory();
            List<InitializerSpec> others = new ArrayList<>(request.initializers());
            others.remove(initializer);
            for (String secret : initializer.secrets().keySet()) {
                Map<String, Secret> fewer = new LinkedHashMap<>(initializer.secrets());
                fewer.remove(secret);
                List<InitializerSpec> changed = new ArrayList<>(others);
                changed.add(new InitializerSpec(
                        initializer.target(),
                        initializer.storageUri(),
                        initializer.options(),
                        fewer,
                        initializer.image(),
                        initializer.timeout(),
                        initializer.retries(),
                        initializer.resources()));
                String variable = secret.toUpperCase(java.util.Locale.ROOT);
                copies.put(
                        path + ".env[name=\"" + variable + "\"]",
                        request.toBuilder().initializers(changed).build());
            }
            copies.put(
                    path + ".storageUri",
                    request.toBuilder().initializers(others).build());
        }
        return copies;
    }

    private static Map<String, NodeSettings> settings(NodeSettings nodes) {
        Map<String, NodeSettings> copies = new LinkedHashMap<>();
        String trainer = "spec.trainer.";
        if (nodes.image().isPresent()) {
            copies.put(
                    trainer + "image",
                    new NodeSettings(
                            nodes.numNodes(),
                            nodes.numProcPerNode(),
                            nodes.resourcesPerNode(),
                            nodes.env(),
                            nodes.secretEnv(),
                            Optional.empty()));
        }
        for (String name : nodes.resourcesPerNode().amounts().keySet()) {
            Map<String, Quantity> fewer =
                    new LinkedHashMap<>(nodes.resourcesPerNode().amounts());
            fewer.remove(name);
            copies.put(
                    trainer + "resourcesPerNode.limits[\"" + inCluster(name) + "\"]",
                    new NodeSettings(
                            nodes.numNodes(),
                            nodes.numProcPerNode(),
                            new Resources(fewer),
                            nodes.env(),
                            nodes.secretEnv(),
                            nodes.image()));
        }
        for (String name : nodes.secretEnv().keySet()) {
            Map<String, Secret> fewer = new LinkedHashMap<>(nodes.secretEnv());
            fewer.remove(name);
            copies.put(
                    trainer + "env[name=\"" + name + "\"].valueFrom.secretKeyRef",
                    new NodeSettings(
                            nodes.numNodes(),
                            nodes.numProcPerNode(),
                            nodes.resourcesPerNode(),
                            nodes.env(),
                            fewer,
                            nodes.image()));
        }
        if (nodes.numNodes().isPresent()) {
            copies.put(
                    trainer + "numNodes",
                    new NodeSettings(
                            OptionalInt.of(1),
                            nodes.numProcPerNode(),
                            nodes.resourcesPerNode(),
                            nodes.env(),
                            nodes.secretEnv(),
                            nodes.image()));
        }
        return copies;
    }

    /** Names that no cluster knows stand in a file as they are. */
    private static String inCluster(String resource) {
        try {
            return ResourceNames.inCluster(resource);
        } catch (InvalidJobException e) {
            return resource;
        }
    }

    /** Returns the trainer with other settings; empty if it cannot be without them. */
    private static Optional<Trainer> with(Trainer trainer, NodeSettings nodes) {
        try {
            return trainer instanceof NodeSettings.Fluent<?> fluent && fluent.nodes(nodes) instanceof Trainer changed
                    ? Optional.of(changed)
                    : Optional.empty();
        } catch (InvalidJobException e) {
            return Optional.empty();
        }
    }
}
