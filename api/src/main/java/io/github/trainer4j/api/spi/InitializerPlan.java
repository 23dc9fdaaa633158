package io.github.trainer4j.api.spi;

import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.Secret;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What an initializer's container is given; the names are those that the images of Kubeflow Trainer read.
 *
 * @param target what is fetched
 * @param storageUri where from
 * @param environment the variables of the container, {@code STORAGE_URI} among them
 * @param secretEnvironment the variables whose values are secrets
 */
public record InitializerPlan(
        InitializerTarget target,
        String storageUri,
        Map<String, String> environment,
        Map<String, Secret> secretEnvironment) {
    /** Copies both maps, whose order is kept; no part may be null. */
    public InitializerPlan {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(storageUri, "storageUri");
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        secretEnvironment = Collections.unmodifiableMap(new LinkedHashMap<>(secretEnvironment));
    }
}
