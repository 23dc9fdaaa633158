package io.github.trainer4j.container;

import io.github.trainer4j.api.ImagePullPolicy;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What can be configured.
 *
 * @param callLimit how long the engine may take to answer
 * @param grace how long nodes are given between being asked to end and being ended
 * @param pullPolicy when images are pulled, where a job does not say
 * @param initializersOnHost whether datasets and models are fetched by this process instead of by containers
 * @param initializerImages the images of initializers, where neither they nor the runtime say
 * @param initializerTimeout how long one attempt of an initializer may take, where it does not say
 */
record ContainerSettings(
        Duration callLimit,
        Duration grace,
        ImagePullPolicy pullPolicy,
        boolean initializersOnHost,
        Map<InitializerTarget, String> initializerImages,
        Optional<Duration> initializerTimeout) {
    private static final Duration CALL_LIMIT = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Where initializers run. */
    private enum Place {
        CONTAINER,
        HOST
    }

    static ContainerSettings read(Settings settings) {
        Map<InitializerTarget, String> images = new java.util.EnumMap<>(InitializerTarget.class);
        for (InitializerTarget target : InitializerTarget.values()) {
            settings.text(target.step() + "-image").ifPresent(image -> images.put(target, image));
        }
        return new ContainerSettings(
                positive(settings, "call-timeout", CALL_LIMIT),
                settings.duration("grace-period", GRACE),
                settings.choice("image-pull-policy", ImagePullPolicy.IF_NOT_PRESENT),
                settings.choice("initializers", Place.CONTAINER) == Place.HOST,
                Map.copyOf(images),
                settings.text("initializer-timeout").isPresent()
                        ? Optional.of(positive(settings, "initializer-timeout", CALL_LIMIT))
                        : Optional.empty());
    }

    private static Duration positive(Settings settings, String key, Duration fallback) {
        Duration duration = settings.duration(key, fallback);
        if (duration.isZero()) {
            settings.problem(key, "it is zero; give a longer time");
            return fallback;
        }
        return duration;
    }
}
