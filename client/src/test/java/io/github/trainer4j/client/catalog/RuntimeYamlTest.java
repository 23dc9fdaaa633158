package io.github.trainer4j.client.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.TrainingRuntime;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeYamlTest {
    /** The least that a runtime needs. */
    static String minimal(String name) {
        return """
                apiVersion: trainer.kubeflow.org/v1alpha1
                kind: ClusterTrainingRuntime
                metadata:
                  name: %s
                  labels:
                    trainer.kubeflow.org/framework: torch
                spec:
                  mlPolicy:
                    numNodes: 1
                    torch: {}
                  template:
                    spec:
                      replicatedJobs:
                        - name: node
                          template:
                            metadata:
                              labels:
                                trainer.kubeflow.org/trainjob-ancestor-step: trainer
                            spec:
                              template:
                                spec:
                                  containers:
                                    - name: node
                                      image: registry.test/torch:1
                """.formatted(name);
    }

    private static final String FULL = """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainingRuntime
            metadata:
              name: tuner
              namespace: team
              labels: {trainer.kubeflow.org/framework: torchtune}
            spec:
              mlPolicy:
                numNodes: 3
                torch:
                  numProcPerNode: 4
              template:
                spec:
                  replicatedJobs:
                    - name: dataset-initializer
                      template:
                        metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}
                        spec: {template: {spec: {containers: [{name: dataset-initializer, image: "r.test/dataset:2"}]}}}
                    - name: model-initializer
                      template:
                        metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: model-initializer}}
                        spec: {template: {spec: {containers: [{name: model-initializer, image: "r.test/model:2"}]}}}
                    - name: node
                      dependsOn: [{name: dataset-initializer, status: Complete}]
                      template:
                        metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                        spec:
                          template:
                            spec:
                              containers:
                                - name: sidecar
                                  image: r.test/sidecar:1
                                - name: node
                                  image: r.test/tuner:2
                                  command: [tune, run]
                                  args: ["--lr", 0.10, "a b"]
                                  env:
                                    - name: PLAIN
                                      value: "010"
                                    - name: NOTHING
                                  resources:
                                    limits: {nvidia.com/gpu: 2, memory: 8Gi}
                                    requests: {cpu: 500m, memory: 4Gi, ephemeral-storage: 1Gi, rdma/hca: 1}
            """;

    @Test
    void everythingThatARuntimeSaysIsRead() {
        assertThat(RuntimeYaml.read(FULL, "f")).singleElement().satisfies(runtime -> {
            assertThat(runtime.name()).isEqualTo("tuner");
            assertThat(runtime.scope()).isEqualTo(TrainingRuntime.Scope.NAMESPACE);
            assertThat(runtime.framework()).isEqualTo("torchtune");
            assertThat(runtime.numNodes()).isEqualTo(3);
            assertThat(runtime.numProcPerNode()).hasValue(4);
            assertThat(runtime.image()).contains("r.test/tuner:2");
            assertThat(runtime.command()).containsExactly("tune", "run");
            assertThat(runtime.args()).containsExactly("--lr", "0.10", "a b");
            assertThat(runtime.env()).containsExactly(Map.entry("PLAIN", "010"), Map.entry("NOTHING", ""));
            assertThat(runtime.resourcesPerNode().amounts())
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "gpu",
                            new Quantity("2"),
                            "memory",
                            new Quantity("8Gi"),
                            "cpu",
                            new Quantity("500m"),
                            "storage",
                            new Quantity("1Gi"),
                            "rdma/hca",
                            new Quantity("1")));
            assertThat(runtime.initializerImages())
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            InitializerTarget.DATASET, "r.test/dataset:2", InitializerTarget.MODEL, "r.test/model:2"));
            assertThat(runtime.source()).isEqualTo("f");
        });
    }

    @Test
    void whatIsNotSaidIsLeftOpen() {
        String text = minimal("plain").replace("    numNodes: 1\n", "").replace("  image: registry.test/torch:1", "");
        assertThat(RuntimeYaml.read(text, "f")).containsExactly(TrainingRuntime.of("plain", "torch", "f"));
    }

    @ParameterizedTest
    @CsvSource({"torch, auto, ", "torch, gpu, ", "torch, cpu, ", "torch, 8, 8", "torch, '\"8\"', 8", "mpi, 2, 2"})
    void theProcessesOnANodeAreANumberOrLeftToTheMachine(String policy, String written, Integer expected) {
        String text = minimal("x").replace("torch: {}", policy + ": {numProcPerNode: " + written + "}");
        assertThat(RuntimeYaml.read(text, "f").get(0).numProcPerNode())
                .isEqualTo(expected == null ? OptionalInt.empty() : OptionalInt.of(expected));
    }

    @Test
    void anMpiRuntimeIsReadFromItsLauncher() {
        String text = """
                apiVersion: trainer.kubeflow.org/v1alpha1
                kind: ClusterTrainingRuntime
                metadata: {name: mpi, labels: {trainer.kubeflow.org/framework: deepspeed}}
                spec:
                  mlPolicy: {numNodes: 2, mpi: {numProcPerNode: 2, mpiImplementation: OpenMPI}}
                  template:
                    spec:
                      replicatedJobs:
                        - name: node
                          template: {spec: {template: {spec: {containers: [
                            {name: node, image: "r.test/ds:1", command: [/usr/sbin/sshd], args: [-De]}]}}}}
                        - name: launcher
                          template:
                            metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                            spec: {template: {spec: {containers: [{name: node, image: "r.test/ds:1"}]}}}
                """;
        TrainingRuntime runtime = RuntimeYaml.read(text, "f").get(0);
        assertThat(runtime.command()).isEmpty();
        assertThat(runtime.image()).contains("r.test/ds:1");
        assertThat(runtime.numProcPerNode()).hasValue(2);
    }

    @Test
    void manyDocumentsListsAndOtherKindsMayStandInOneText() {
        String list =
                "apiVersion: v1\nkind: List\nitems:\n- " + minimal("c").strip().replace("\n", "\n  ");
        String text =
                minimal("a") + "---\napiVersion: v1\nkind: ConfigMap\ndata: {a: b}\n---\n" + minimal("b") + "---\n"
                        + list + "\n---\napiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\n---\n"
                        + "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n";
        assertThat(RuntimeYaml.read(text, "f"))
                .extracting(TrainingRuntime::name)
                .containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            v1alpha1               | v2                         | f line 1: apiVersion: 'trainer.kubeflow.org/v2' is not read
            apiVersion             | version                    | f line 1: 'apiVersion' is missing
            kind                   | king                       | f line 1: 'kind' is missing
            'ClusterTrainingRuntime'| 'Job'                     | f holds no TrainingRuntime or ClusterTrainingRuntime
            'name: x'              | 'nam: x'                   | f line 4: metadata: 'name' is missing
            'name: x'              | 'name: \" \"'              | f line 1: the runtime's name is blank
            'name: x'              | 'name: [x]'                | f line 4: metadata.name: a plain value is expected here
            'framework: torch'     | 'framwork: torch'          | f line 4: metadata: the label trainer.kubeflow.org/framework is missing
            'numNodes: 1'          | 'numNodes: 0'              | f line 1: the runtime's numNodes is 0
            'numNodes: 1'          | 'numNodes: many'           | f line 9: spec.mlPolicy.numNodes: 'many' is not a whole number
            'numNodes: 1'          | 'numNodes: 99999999999'    | f line 9: spec.mlPolicy.numNodes: '99999999999' is not
            'torch: {}'            | 'torch: {numProcPerNode: all}' | spec.mlPolicy.torch.numProcPerNode: 'all' is not a whole
            'step: trainer'        | 'step: other'              | replicatedJobs has 0 jobs with the label
            'name: node\\n   '     | 'name: nodes\\n   '        | f line 14: spec.template.spec.replicatedJobs[0]: there is no container 'node'
            'image: registry.test/torch:1' | 'env: [{name: A, valueFrom: {fieldRef: {fieldPath: x}}}]' | containers[0].env[0].valueFrom: only the cluster knows
            'image: registry.test/torch:1' | 'envFrom: [{configMapRef: {name: x}}]' | containers[0].envFrom: only the cluster knows
            'image: registry.test/torch:1' | 'env: [{value: x}]' | containers[0].env[0]: 'name' is missing
            'image: registry.test/torch:1' | 'env: [{name: \"1=\", value: x}]' | f line 1: the runtime's env has the name '1='
            'image: registry.test/torch:1' | 'env: {A: b}'      | containers[0].env: a list is expected here
            'image: registry.test/torch:1' | 'command: tune'    | containers[0].command: a list is expected here
            'image: registry.test/torch:1' | 'resources: {limits: {cpu: lots}}' | f line 1: resource cpu: 'lots' is not an amount
            'image: registry.test/torch:1' | 'resources: [cpu]' | containers[0].resources: keys and values are expected
            'image: registry.test/torch:1' | 'image: \"\"'      | f line 1: the runtime's image is blank
            """)
    void whatIsWrongIsToldWithLineAndPath(String right, String wrong, String message) {
        String from = right.replace("\\n", "\n");
        String text = minimal("x").replace(from, wrong.replace("\\n", "\n").replace("\\\"", "\""));
        assertThat(text).isNotEqualTo(minimal("x"));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> RuntimeYaml.read(text, "f"))
                .withMessageContaining(message);
    }

    @Test
    void aTextThatIsNoResourceIsRefused() {
        for (String text : List.of("x", "- a", "{}", "", "a: [")) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> RuntimeYaml.read(text, "f"))
                    .withMessageContaining("f ");
        }
    }
}
