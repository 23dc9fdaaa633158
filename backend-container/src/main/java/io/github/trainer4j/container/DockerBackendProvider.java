package io.github.trainer4j.container;

import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.Settings;

/** Makes the backend {@code docker}, which runs jobs as containers of Docker. */
public final class DockerBackendProvider implements BackendProvider {
    /** For the service loader. */
    public DockerBackendProvider() {}

    @Override
    public String name() {
        return Product.DOCKER.backend();
    }

    @Override
    public Backend create(Settings settings, BackendContext context) {
        return ContainerBackend.create(Product.DOCKER, settings, context);
    }
}
