package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.TrainingRuntime.Scope;
import io.github.trainer4j.api.json.Json;

/** Runtimes as a cluster gives them. */
final class Runtimes {
    private Runtimes() {}

    static final String TORCH = """
            {"metadata": {"name": "torch-distributed", "labels": {"trainer.kubeflow.org/framework": "torch"}},
             "spec": {"mlPolicy": {"numNodes": 2, "torch": {"numProcPerNode": "auto"}},
              "template": {"spec": {"replicatedJobs": [
               {"name": "dataset-initializer", "template": {"spec": {"template": {"spec": {"containers": [
                 {"name": "dataset-initializer", "image": "example.org/dataset:1"}]}}}}},
               {"name": "node",
                "template": {"metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
                 "spec": {"template": {"spec": {"containers": [
                  {"name": "sidecar", "image": "example.org/sidecar:1"},
                  {"name": "node", "image": "example.org/torch:1", "command": ["run"], "args": ["it"],
                   "env": [{"name": "A", "value": "b"}, {"name": "S", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
                   "resources": {"requests": {"cpu": 1}, "limits": {"cpu": "2", "nvidia.com/gpu": "1"}}}]}}}}}]}}}}
            """;

    static Tree tree(String json) {
        return new Tree(Json.parse(json));
    }

    static ClusterRuntime torch() {
        return ClusterRuntime.read(tree(TORCH), Scope.CLUSTER, "cluster test");
    }
}
