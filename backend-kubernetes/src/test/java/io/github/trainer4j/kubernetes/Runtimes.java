package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.trainer4j.api.TrainingRuntime.Scope;
import io.github.trainer4j.api.json.Json;
import java.util.Map;

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

    private static final String PLAIN = """
        metadata: {name: plain, labels: {trainer.kubeflow.org/framework: plain}}
        spec:
          mlPolicy: {numNodes: 1}
          template: {spec: {replicatedJobs: [
            {name: node, template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}},
             spec: {template: {spec: {containers: [{name: node, image: example.org/plain:1, command: [own]}]}}}}}]}}
        """;

    private static final String TUNE = """
        metadata: {name: torchtune-llama3.2-1b, labels: {trainer.kubeflow.org/framework: torchtune}}
        spec:
          mlPolicy: {numNodes: 1, torch: {}}
          template: {spec: {replicatedJobs: [
            {name: dataset-initializer, template: {spec: {template: {spec: {containers: [
              {name: dataset-initializer, image: example.org/dataset:1, volumeMounts: [{name: initializer, mountPath: /workspace}]}]}}}}},
            {name: model-initializer, template: {spec: {template: {spec: {containers: [
              {name: model-initializer, image: example.org/model:1, volumeMounts: [{name: initializer, mountPath: /workspace}]}]}}}}},
            {name: node, template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}},
             spec: {template: {spec: {containers: [
              {name: node, image: example.org/tune:1, command: [tune, run], volumeMounts: [{name: initializer, mountPath: /workspace}]}]}}}}}]}}
        """;

    private static final String MPI = """
        metadata: {name: mpi, labels: {trainer.kubeflow.org/framework: mpi}}
        spec:
          mlPolicy: {numNodes: 2, mpi: {numProcPerNode: 1}}
          template: {spec: {replicatedJobs: [
            {name: launcher, template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}},
             spec: {template: {spec: {containers: [{name: node, image: example.org/mpi:1}]}}}}},
            {name: node, template: {spec: {template: {spec: {containers: [{name: node, image: example.org/mpi:1}]}}}}}]}}
        """;

    static Tree tree(String json) {
        return new Tree(Json.parse(json));
    }

    static ClusterRuntime torch() {
        return ClusterRuntime.read(tree(TORCH), Scope.CLUSTER, "cluster test");
    }

    /** Returns one that has nothing but a node. */
    static ClusterRuntime plain() {
        return read(PLAIN, Scope.CLUSTER);
    }

    /** Returns the same one, but of a namespace. */
    static ClusterRuntime plainOfNamespace() {
        return read(PLAIN, Scope.NAMESPACE);
    }

    /** Returns one with both initializers, which brings its own training. */
    static ClusterRuntime tune() {
        return read(TUNE, Scope.CLUSTER);
    }

    /** Returns one with both initializers, for scripts. */
    static ClusterRuntime initializers() {
        return read(
                TUNE.replace("torchtune-llama3.2-1b", "torch-initializers").replace("torchtune}", "torch}"),
                Scope.CLUSTER);
    }

    /** Returns one whose nodes a launcher starts. */
    static ClusterRuntime mpi() {
        return read(MPI, Scope.CLUSTER);
    }

    private static ClusterRuntime read(String yaml, Scope scope) {
        return ClusterRuntime.read(new Tree(Serialization.unmarshal(yaml, Map.class)), scope, "cluster test");
    }
}
