package io.github.trainer4j.testkit;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.InitializerProvider;
import io.github.trainer4j.api.spi.Settings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
        return onFittingRuntimes(backend);
    }

    /** A backend that is given each request with the runtime that suits it: only when it is whole is it known what it fetches. */
    private Backend onFittingRuntimes(Backend backend) {
        return (Backend) Proxy.newProxyInstance(
                Backend.class.getClassLoader(), new Class<?>[] {Backend.class}, (proxy, method, given) -> {
                    Object[] args = given == null ? new Object[0] : given.clone();
                    for (int i = 0; i < args.length; i++) {
                        if (args[i] instanceof TrainJobRequest request) {
                            args[i] = under.onFittingRuntime(request);
                        }
                    }
                    try {
                        return method.invoke(backend, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
