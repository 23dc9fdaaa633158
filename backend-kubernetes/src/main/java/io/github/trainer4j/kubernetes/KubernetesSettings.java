package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What can be configured.
 *
 * @param kubeconfig the file that says how to reach clusters; empty: where kubectl looks
 * @param context which of its contexts; empty: its current one
 * @param namespace the namespace of jobs; empty: that of the context, or of the pod this runs in
 * @param callLimit how long the API server may take to answer
 * @param startLimit how long a step whose log is followed may be kept from starting by what rarely mends itself, such as an
 *     image that does not exist
 * @param deleteLimit how long the cluster may take until nothing of a deleted job is left
 * @param home the user's home directory
 * @param environment the environment of this process
 */
record KubernetesSettings(
        Optional<Path> kubeconfig,
        Optional<String> context,
        Optional<String> namespace,
        Duration callLimit,
        Duration startLimit,
        Duration deleteLimit,
        Path home,
        Map<String, String> environment) {
    private static final Duration CALL_LIMIT = Duration.ofSeconds(30);
    private static final Duration START_LIMIT = Duration.ofMinutes(10);
    private static final Duration DELETE_LIMIT = Duration.ofMinutes(2);

    KubernetesSettings {
        environment = Map.copyOf(environment);
    }

    static KubernetesSettings read(Settings settings, BackendContext context) {
        return new KubernetesSettings(
                settings.path("kubeconfig", context.home()),
                settings.text("context"),
                settings.text("namespace"),
                settings.duration("call-timeout", CALL_LIMIT),
                settings.duration("start-timeout", START_LIMIT),
                settings.duration("delete-timeout", DELETE_LIMIT),
                context.home(),
                context.environment());
    }
}
