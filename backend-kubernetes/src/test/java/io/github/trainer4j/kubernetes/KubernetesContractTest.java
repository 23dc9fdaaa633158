package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.testkit.BackendContract;
import io.github.trainer4j.testkit.BackendUnderTest;
import io.github.trainer4j.testkit.Feature;
import io.github.trainer4j.testkit.RequiresEngine;
import io.github.trainer4j.testkit.StandInInitializerProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@RequiresEngine("TRAINER4J_TEST_KUBECONFIG")
@Execution(ExecutionMode.CONCURRENT)
class KubernetesContractTest extends BackendContract {
    private static ContractRuntimes runtimes;

    @BeforeAll
    static void makeRuntimes() {
        runtimes = new ContractRuntimes();
    }

    @AfterAll
    static void removeRuntimes() {
        runtimes.close();
    }

    @Override
    protected BackendUnderTest backend(Path work) {
        return BackendUnderTest.of(new KubernetesBackendProvider())
                .setting("kubeconfig", System.getenv("TRAINER4J_TEST_KUBECONFIG"))
                .setting("namespace", System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE"))
                .runtimes(runtimes::of)
                .initializers(
                        (target, actions) -> InitializerSpec.of(target, "hf://test/" + actions.text()),
                        new StandInInitializerProvider())
                .without(
                        // A TrainJob has no field for them; the training runtime says how its jobs are tried again.
                        Feature.INITIALIZER_TIMEOUT,
                        Feature.INITIALIZER_RETRIES,
                        Feature.INITIALIZER_PROGRESS,
                        // The class path has to be in the image.
                        Feature.JAVA,
                        // The job controller deletes pods of what has failed.
                        Feature.LOGS_OF_FAILED_STEPS,
                        Feature.PROGRESS_FILE)
                .slower(3)
                .traces(runtimes::traces);
    }
}
