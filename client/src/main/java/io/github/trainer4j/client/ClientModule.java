package io.github.trainer4j.client;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.InitializerProvider;
import io.github.trainer4j.api.spi.InitializerRegistry;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.client.catalog.RuntimeSources;
import java.nio.file.Path;
import java.util.Map;

/** Says how the parts of a client are made. */
final class ClientModule extends AbstractModule {
    private final Map<String, String> programmatic;
    private final Surroundings surroundings;

    ClientModule(Map<String, String> programmatic, Surroundings surroundings) {
        this.programmatic = programmatic;
        this.surroundings = surroundings;
    }

    @Override
    protected void configure() {
        bind(InitializerRegistry.class).to(InitializerProviders.class).in(Singleton.class);
        bind(Ticker.class).toInstance(Ticker.system());
        bind(Waits.class).in(Singleton.class);
    }

    @Provides
    @Singleton
    Settings settings() {
        return ConfigurationSources.read(programmatic, surroundings);
    }

    @Provides
    @Singleton
    ProviderRegistry<BackendProvider> backends() {
        return new ProviderRegistry<>(ProviderKind.BACKEND, ProviderScan.loaders());
    }

    @Provides
    @Singleton
    ProviderRegistry<InitializerProvider> initializers() {
        return new ProviderRegistry<>(ProviderKind.INITIALIZER, ProviderScan.loaders());
    }

    @Provides
    @Singleton
    RuntimeCatalog runtimes(Settings settings) {
        return RuntimeSources.of(
                settings,
                surroundings.home(),
                surroundings.currentDirectory(),
                workDirectory(settings),
                surroundings.clock());
    }

    @Provides
    @Singleton
    BackendContext context(Settings settings, RuntimeCatalog runtimes, InitializerRegistry initializers) {
        return new BackendContext(
                surroundings.home(),
                workDirectory(settings),
                surroundings.environment(),
                surroundings.clock(),
                runtimes,
                initializers);
    }

    @Provides
    @Singleton
    Pruning pruning() {
        return new Pruning(surroundings.clock());
    }

    @Provides
    @Singleton
    BackendChoice.Chosen backend(BackendChoice choice) {
        return choice.make();
    }

    private Path workDirectory(Settings settings) {
        Path path = settings.path("work-directory", surroundings.home())
                .orElse(surroundings.home().resolve(".kubeflow").resolve("trainer"));
        return surroundings.currentDirectory().resolve(path).normalize();
    }
}
