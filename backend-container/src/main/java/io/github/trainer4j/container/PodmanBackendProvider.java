package io.github.trainer4j.container;

import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.Settings;

/** Makes the backend {@code podman}, which runs jobs as containers of Podman. */
public final class PodmanBackendProvider implements BackendProvider {
    /** For the service loader. */
    public PodmanBackendProvider() {}

    @Override
    public String name() {
        return Product.PODMAN.backend();
    }

    @Override
    public Backend create(Settings settings, BackendContext context) {
        return ContainerBackend.create(Product.PODMAN, settings, context);
    }
}
