package io.github.trainer4j.testkit;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What every initializer must do. The author of an initializer extends this class, starts a source on this machine that
 * has something to fetch, and says what must be there then:
 *
 * <pre>{@code
 * class FtpInitializerContractTest extends InitializerContract {
 *     @RegisterExtension
 *     static final FtpServer SERVER = ...;
 *
 *     @Override
 *     protected InitializerUnderTest initializer(Path work) {
 *         return InitializerUnderTest.of(new FtpInitializerProvider(), InitializerSpec.dataset(SERVER.uri("data")))
 *                 .file("a.txt", "content of a");
 *     }
 * }
 * }</pre>
 *
 * <p>Files whose names begin with a dot are the initializer's own business: its notes of what is done.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class InitializerContract implements SpecificationContract, FetchContract {
    @RegisterExtension
    final FetchBenchExtension bench = new FetchBenchExtension(this::initializer);

    /** For subclasses. */
    protected InitializerContract() {}

    /**
     * Says what to fetch, and what must be there then.
     *
     * @param work a fresh directory for this test, for whatever the source needs a place for
     */
    protected abstract InitializerUnderTest initializer(Path work);
}
