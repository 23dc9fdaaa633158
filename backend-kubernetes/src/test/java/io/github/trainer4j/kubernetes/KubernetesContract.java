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
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The contract on the cluster, of whose tests each subclass runs a part: they mostly wait, and classes are tested side by side. */
@RequiresEngine("TRAINER4J_TEST_KUBECONFIG")
@ExtendWith(KubernetesContract.Part.class)
abstract class KubernetesContract extends BackendContract {
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

    /** Lets a class whose name ends with a number run the tests whose names fall to it. */
    static final class Part implements ExecutionCondition {
        private static final int PARTS = 4;

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (context.getTestMethod().isEmpty()) {
                return ConditionEvaluationResult.enabled("some of its tests are its part");
            }
            int part = Math.floorMod(context.getRequiredTestMethod().getName().hashCode(), PARTS) + 1;
            return context.getRequiredTestClass().getSimpleName().equals("KubernetesContract" + part + "Test")
                    ? ConditionEvaluationResult.enabled("its part")
                    : ConditionEvaluationResult.disabled("the part of KubernetesContract" + part + "Test");
        }
    }
}
