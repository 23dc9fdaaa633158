package io.github.trainer4j.testkit;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What every backend must do. The author of a backend extends this class, says how to make the backend, and runs it as any
 * other test:
 *
 * <pre>{@code
 * class MyBackendContractTest extends BackendContract {
 *     @Override
 *     protected BackendUnderTest backend(Path work) {
 *         return BackendUnderTest.of(new MyBackendProvider());
 *     }
 * }
 * }</pre>
 *
 * <p>Each test gets backends of its own, deletes the jobs it made and fails if something of them is left. The bounds of
 * time are generous; they show a backend that hangs or waits in vain, not one that is slow.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public abstract class BackendContract
        implements ProviderContract,
                LifecycleContract,
                FailureContract,
                LaunchContract,
                InitializersContract,
                LogContract,
                FollowContract,
                DeleteContract,
                SurvivalContract,
                BadInputContract,
                PlanContract,
                ManyJobsContract {
    @RegisterExtension
    final BenchExtension bench = new BenchExtension(this::backend);

    /** For subclasses. */
    protected BackendContract() {}

    /**
     * Says how to make the backend and what its world is like.
     *
     * @param work a fresh directory for this test, for whatever the settings of the backend need a place for
     */
    protected abstract BackendUnderTest backend(Path work);
}
