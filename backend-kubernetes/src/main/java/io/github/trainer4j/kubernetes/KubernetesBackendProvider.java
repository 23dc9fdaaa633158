package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.Settings;

/** Makes the backend {@code kubernetes}, which runs jobs on a cluster with Kubeflow Trainer. */
public final class KubernetesBackendProvider implements BackendProvider {
    static final String NAME = "kubernetes";

    /** For the service loader. */
    public KubernetesBackendProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Backend create(Settings settings, BackendContext context) {
        return KubernetesBackend.create(settings, context);
    }
}
