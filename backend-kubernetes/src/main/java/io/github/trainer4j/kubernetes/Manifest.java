package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.RuntimeTrainer;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.launch.Expansion;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.launch.NodeLaunch;
import io.github.trainer4j.api.launch.Placement;
import io.github.trainer4j.api.launch.ResourceNames;
import io.github.trainer4j.api.spi.InitializerPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says a request in the words of a TrainJob resource. Pure; secrets stand in it as references only. */
final class Manifest {
    /** No resource of a cluster, but a volume. */
    private static final String SHARED_MEMORY = "shm";

    private final TrainJobRequest request;
    private final String name;
    private final ClusterRuntime runtime;
    private final Launch launch;
    private final NodeLaunch node;
    private final List<InitializerPlan> initializers;

    /**
     * Makes one.
     *
     * @param node what a node is given, whichever its rank is
     */
    Manifest(
            TrainJobRequest request,
            String name,
            ClusterRuntime runtime,
            Launch launch,
            NodeLaunch node,
            List<InitializerPlan> initializers) {
        this.request = request;
        this.name = name;
        this.runtime = runtime;
        this.launch = launch;
        this.node = node;
        this.initializers = List.copyOf(initializers);
    }

    Map<String, Object> toMap() {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        putUnlessEmpty(metadata, "labels", request.labels());
        putUnlessEmpty(metadata, "annotations", request.annotations());
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put("apiVersion", Names.API_VERSION);
        resource.put("kind", Names.TRAIN_JOB);
        resource.put("metadata", metadata);
        resource.put("spec", spec());
        for (JobOption option : request.options()) {
            if (option instanceof TrainJobField field) {
                resource = field.in(resource);
            }
        }
        return resource;
    }

    private Map<String, Object> spec() {
        Map<String, Object> spec = new LinkedHashMap<>();
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("apiGroup", Names.GROUP);
        reference.put("kind", runtime.runtime().scope().kind());
        reference.put("name", runtime.runtime().name());
        spec.put("runtimeRef", reference);
        Map<String, Object> fetched = new LinkedHashMap<>();
        for (InitializerPlan initializer : initializers) {
            fetched.put(initializer.target().directory(), initializer(initializer));
        }
        putUnlessEmpty(spec, "initializer", fetched);
        spec.put("trainer", trainer());
        Map<String, Object> patch = new RuntimePatches(runtime).of(request, name, node.files());
        if (!patch.isEmpty()) {
            Map<String, Object> own = new LinkedHashMap<>();
            own.put("manager", Names.MANAGER);
            own.put("trainingRuntimeSpec", patch);
            spec.put("runtimePatches", List.of(own));
        }
        request.deadline()
                .ifPresent(deadline -> spec.put(
                        "activeDeadlineSeconds",
                        Math.max(1, deadline.plusMillis(999).toSeconds())));
        return spec;
    }

    private Map<String, Object> initializer(InitializerPlan plan) {
        Map<String, Object> initializer = new LinkedHashMap<>();
        initializer.put("storageUri", plan.storageUri());
        Map<String, String> env = new LinkedHashMap<>(plan.environment());
        // The cluster sets it from the field above.
        env.remove("STORAGE_URI");
        putUnlessEmpty(initializer, "env", variables(plan.target().step(), env, plan.secretEnvironment()));
        return initializer;
    }

    private Map<String, Object> trainer() {
        Map<String, Object> trainer = new LinkedHashMap<>();
        Optional<Trainer> asked = request.trainer();
        request.nodes().image().ifPresent(image -> trainer.put("image", image));
        if (asked.filter(BuiltinTrainer.class::isInstance).isPresent()) {
            trainer.put("command", List.of("tune", "run"));
            putUnlessEmpty(
                    trainer,
                    "args",
                    launch.builtinArgs(Placement.CONTAINER_WORKSPACE).stream()
                            .map(Expansion::escape)
                            .toList());
        } else if (asked.isPresent() && asked.get() instanceof RuntimeTrainer own) {
            own.args()
                    .ifPresent(args -> trainer.put(
                            "args", args.stream().map(Expansion::escape).toList()));
        } else if (asked.isPresent() && !(asked.get() instanceof CustomTrainerContainer)) {
            trainer.put(
                    "command", node.command().stream().map(Expansion::escape).toList());
        }
        putUnlessEmpty(trainer, "env", variables(Names.NODE, node.env(), node.secretEnv()));
        trainer.put("numNodes", launch.numNodes());
        request.nodes().numProcPerNode().ifPresent(number -> trainer.put("numProcPerNode", number));
        putUnlessEmpty(trainer, "resourcesPerNode", resources(request.nodes().resourcesPerNode()));
        return trainer;
    }

    /** Requests are made equal to limits, so that what was promised is what there is. */
    private static Map<String, Object> resources(Resources resources) {
        Map<String, Object> amounts = new LinkedHashMap<>();
        for (Map.Entry<String, Quantity> amount : resources.amounts().entrySet()) {
            if (amount.getKey().equals(SHARED_MEMORY)) {
                continue;
            }
            String resource = ResourceNames.inCluster(amount.getKey());
            if (amounts.put(resource, amount.getValue().text()) != null) {
                throw new InvalidJobException(
                        "resources name " + resource + " twice, once as " + amount.getKey() + "; give one");
            }
        }
        Map<String, Object> both = new LinkedHashMap<>();
        putUnlessEmpty(both, "limits", amounts);
        putUnlessEmpty(both, "requests", amounts);
        return both;
    }

    private List<Map<String, Object>> variables(String step, Map<String, String> env, Map<String, Secret> secrets) {
        List<Map<String, Object>> variables = new ArrayList<>();
        env.forEach((key, value) -> {
            Map<String, Object> variable = new LinkedHashMap<>();
            variable.put("name", key);
            variable.put("value", Expansion.escape(value));
            variables.add(variable);
        });
        secrets.forEach((key, secret) -> {
            Secret.Reference reference = secret.reference()
                    .orElseGet(() -> new Secret.Reference(Names.companion(name), Names.secretKey(step, key)));
            Map<String, Object> selector = new LinkedHashMap<>();
            selector.put("name", reference.name());
            selector.put("key", reference.key());
            Map<String, Object> variable = new LinkedHashMap<>();
            variable.put("name", key);
            variable.put("valueFrom", Map.of("secretKeyRef", selector));
            variables.add(variable);
        });
        return variables;
    }

    /** Returns the key in the job's ConfigMap for a file: keys have no slashes. */
    static String key(LaunchFile file) {
        return file.path().replaceFirst("^.*/", "");
    }

    /** Returns what the job's Secret holds, by key. */
    Map<String, Secret> secrets() {
        Map<String, Secret> secrets = new LinkedHashMap<>();
        node.secretEnv().forEach((key, secret) -> collect(secrets, Names.NODE, key, secret));
        for (InitializerPlan plan : initializers) {
            plan.secretEnvironment()
                    .forEach((key, secret) -> collect(secrets, plan.target().step(), key, secret));
        }
        return secrets;
    }

    private static void collect(Map<String, Secret> secrets, String step, String key, Secret secret) {
        if (secret.reference().isEmpty()) {
            secrets.put(Names.secretKey(step, key), secret);
        }
    }

    /** Returns what the job's ConfigMap holds, by key. */
    Map<String, String> contents() {
        Map<String, String> files = new LinkedHashMap<>();
        node.files().forEach(file -> files.put(key(file), file.content()));
        return files;
    }

    private static void putUnlessEmpty(Map<String, Object> map, String key, Map<String, ?> value) {
        if (!value.isEmpty()) {
            map.put(key, value);
        }
    }

    private static void putUnlessEmpty(Map<String, Object> map, String key, List<?> value) {
        if (!value.isEmpty()) {
            map.put(key, value);
        }
    }
}
