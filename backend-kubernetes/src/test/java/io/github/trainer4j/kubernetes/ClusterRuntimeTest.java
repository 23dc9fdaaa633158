package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.TrainingRuntime.Scope;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterRuntimeTest {
    @Test
    void aRuntimeIsReadFromTheContainerThatTrains() {
        TrainingRuntime runtime = Runtimes.torch().runtime();

        assertThat(runtime.name()).isEqualTo("torch-distributed");
        assertThat(runtime.framework()).isEqualTo("torch");
        assertThat(runtime.numNodes()).isEqualTo(2);
        assertThat(runtime.numProcPerNode()).isEmpty();
        assertThat(runtime.image()).hasValue("example.org/torch:1");
        assertThat(runtime.command()).containsExactly("run");
        assertThat(runtime.args()).containsExactly("it");
        assertThat(runtime.env()).isEqualTo(Map.of("A", "b"));
        assertThat(runtime.resourcesPerNode().amounts())
                .isEqualTo(Map.of("cpu", new Quantity("2"), "gpu", new Quantity("1")));
        assertThat(runtime.initializerImages()).isEqualTo(Map.of(InitializerTarget.DATASET, "example.org/dataset:1"));
        assertThat(Runtimes.torch().trainerJobs()).containsExactly("node");
    }

    @Test
    void aRuntimeWithoutAFrameworkIsTold() {
        Tree resource = Runtimes.tree("{\"metadata\": {\"name\": \"odd\"}}");

        assertThatThrownBy(() -> ClusterRuntime.read(resource, Scope.NAMESPACE, "here"))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("the TrainingRuntime odd has no label trainer.kubeflow.org/framework");
    }

    @Test
    void launcherAndNodesOfMpiBothTrain() {
        String mpi = Runtimes.TORCH
                .replace("\"framework\": \"torch\"", "\"framework\": \"mpi\"")
                .replace(
                        "{\"name\": \"node\",",
                        "{\"name\": \"launcher\", \"template\": {\"metadata\": {\"labels\":"
                                + " {\"trainer.kubeflow.org/trainjob-ancestor-step\": \"trainer\"}}}}, {\"name\": \"node\",");

        assertThat(ClusterRuntime.read(Runtimes.tree(mpi), Scope.CLUSTER, "here")
                        .trainerJobs())
                .containsExactly("launcher", "node");
    }
}
