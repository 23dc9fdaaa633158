package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.launch.ResourceNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes training runtimes as resources. */
final class RuntimeWriter {
    private static final String STEP = Schema.GROUP + "/trainjob-ancestor-step";

    /** What a framework's policy is called, by which nodes find one another. */
    private static final Map<String, String> POLICIES =
            Map.of("torch", "torch", "torchtune", "torch", "jax", "jax", "xgboost", "xgboost");

    private static final Set<String> MPI = Set.of("mpi", "openmpi", "deepspeed", "mlx");

    private RuntimeWriter() {}

    static Map<String, Object> resource(TrainingRuntime runtime) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", runtime.name());
        metadata.put("labels", Map.of(Schema.GROUP + "/framework", runtime.framework()));
        List<Object> jobs = new ArrayList<>();
        for (InitializerTarget target : InitializerTarget.values()) {
            String image = runtime.initializerImages().get(target);
            if (image != null) {
                jobs.add(job(target.step(), target.step(), Map.of("name", target.step(), "image", image)));
            }
        }
        jobs.add(job("node", "trainer", node(runtime)));
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("mlPolicy", policy(runtime));
        spec.put("template", Map.of("spec", Map.of("replicatedJobs", jobs)));
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put("apiVersion", Schema.VERSION);
        resource.put("kind", runtime.scope().kind());
        resource.put("metadata", metadata);
        resource.put("spec", spec);
        return resource;
    }

    private static Map<String, Object> policy(TrainingRuntime runtime) {
        Map<String, Object> policy = new LinkedHashMap<>();
        policy.put("numNodes", runtime.numNodes());
        String framework = runtime.framework();
        Map<String, Object> own = new LinkedHashMap<>();
        if (MPI.contains(framework)) {
            runtime.numProcPerNode().ifPresent(number -> own.put("numProcPerNode", number));
            policy.put("mpi", own);
            return policy;
        }
        if (runtime.numProcPerNode().isPresent()) {
            throw new InvalidJobException("the resource of the " + framework + " runtime " + runtime.name()
                    + " has no field for numProcPerNode; leave it out there, and give it with the job's trainer");
        }
        if (POLICIES.containsKey(framework)) {
            policy.put(POLICIES.getOrDefault(framework, framework), own);
        }
        return policy;
    }

    private static Map<String, Object> node(TrainingRuntime runtime) {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("name", "node");
        runtime.image().ifPresent(image -> node.put("image", image));
        JobWriter.putUnlessEmpty(node, "command", runtime.command());
        JobWriter.putUnlessEmpty(node, "args", runtime.args());
        List<Object> env = new ArrayList<>();
        runtime.env().forEach((name, value) -> {
            Map<String, Object> variable = new LinkedHashMap<>();
            variable.put("name", name);
            variable.put("value", value);
            env.add(variable);
        });
        JobWriter.putUnlessEmpty(node, "env", env);
        Map<String, Object> amounts = new LinkedHashMap<>();
        runtime.resourcesPerNode()
                .amounts()
                .forEach((name, amount) -> amounts.put(ResourceNames.inCluster(name), amount.text()));
        Map<String, Object> resources = new LinkedHashMap<>();
        JobWriter.putUnlessEmpty(resources, "limits", amounts);
        JobWriter.putUnlessEmpty(node, "resources", resources);
        return node;
    }

    private static Map<String, Object> job(String name, String step, Map<String, Object> container) {
        Map<String, Object> pod = Map.of("containers", List.of(container));
        Map<String, Object> template = new LinkedHashMap<>();
        template.put("metadata", Map.of("labels", Map.of(STEP, step)));
        template.put("spec", Map.of("template", Map.of("spec", pod)));
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("name", name);
        job.put("template", template);
        return job;
    }
}
