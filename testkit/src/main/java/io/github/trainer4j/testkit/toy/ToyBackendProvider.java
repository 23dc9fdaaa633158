package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.Settings;
import java.time.Duration;

/**
 * Makes toy backends, which run jobs as processes of this machine and keep them in the memory of this JVM. Backends with
 * one work directory share their jobs. The setting {@code toy.grace-period} (default 5 s) says how long a process has
 * between being asked to end and being killed.
 */
public final class ToyBackendProvider implements BackendProvider {
    /** Makes the provider. */
    public ToyBackendProvider() {}

    @Override
    public String name() {
        return "toy";
    }

    @Override
    public Backend create(Settings settings, BackendContext context) {
        return new ToyBackend(settings.duration("grace-period", Duration.ofSeconds(5)), context);
    }
}
