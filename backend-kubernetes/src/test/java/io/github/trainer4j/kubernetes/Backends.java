package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.testkit.FixedInitializerRegistry;
import io.github.trainer4j.testkit.FixedRuntimeCatalog;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Backends as a client makes them. */
final class Backends {
    private Backends() {}

    /** Makes one for the only context of a kubeconfig. */
    static Backend of(Path kubeconfig) {
        return of(Map.of("kubeconfig", kubeconfig.toString()), kubeconfig.getParent(), Map.of());
    }

    /**
     * Makes one.
     *
     * @param settings what is configured below {@code kubernetes}
     * @param home the home directory
     * @param environment the environment of the process
     */
    static Backend of(Map<String, String> settings, Path home, Map<String, String> environment) {
        Map<String, String> all = new LinkedHashMap<>();
        settings.forEach((key, value) -> all.put(KubernetesBackendProvider.NAME + "." + key, value));
        Settings read = Settings.of(all);
        Backend backend = new KubernetesBackendProvider()
                .create(read.under(KubernetesBackendProvider.NAME), context(home, environment));
        read.check();
        return backend;
    }

    static BackendContext context(Path home, Map<String, String> environment) {
        return new BackendContext(
                home,
                home,
                environment,
                Clock.systemUTC(),
                new FixedRuntimeCatalog(List.of(Runtimes.torch().runtime())),
                new FixedInitializerRegistry(List.of()));
    }
}
