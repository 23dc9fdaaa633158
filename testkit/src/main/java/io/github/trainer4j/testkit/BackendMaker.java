package io.github.trainer4j.testkit;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.InitializerProvider;
import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes the backends of one test as the client would make them, all over the same state. */
final class BackendMaker {
    private final BackendUnderTest under;
    private final Path work;
    private final InitializerProvider actions;

    BackendMaker(BackendUnderTest under, Path work, InitializerProvider actions) {
        this.under = under;
        this.work = work;
        this.actions = actions;
    }

    Backend make(Map<String, String> configuration) {
        List<InitializerProvider> providers = new ArrayList<>(under.initializerProviders());
        providers.add(actions);
        Settings settings = Settings.of(configuration);
        Backend backend = under.provider()
                .create(
                        settings.under(under.provider().name()),
                        new BackendContext(
                                work.resolve("home"),
                                work.resolve("state"),
                                System.getenv(),
                                Clock.systemUTC(),
                                new FixedRuntimeCatalog(under.catalog()),
                                new FixedInitializerRegistry(providers)));
        try {
            // A key that the backend leaves unread is unknown to its users.
            settings.check();
        } catch (ConfigurationException e) {
            backend.close();
            throw e;
        }
        return backend;
    }
}
