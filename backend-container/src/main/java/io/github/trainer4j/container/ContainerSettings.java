package io.github.trainer4j.container;

import io.github.trainer4j.api.ImagePullPolicy;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.spi.Settings;
import java.time.Duration;
import java.util.List;
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
 * @param initializerCommand which program an initializer's container runs
 * @param keptInitializers which containers of initializers stay when they have done their work; their logs always do
 * @param surroundings what all containers are given
 * @param strictLimits whether a limit that the engine ignores is an error
 * @param workspace whether a workspace is a directory of this machine or a volume of the engine
 * @param gpuIds the NVIDIA devices that jobs may use; empty: all there are
 */
record ContainerSettings(
        Duration callLimit,
        Duration grace,
        ImagePullPolicy pullPolicy,
        boolean initializersOnHost,
        Map<InitializerTarget, String> initializerImages,
        Optional<Duration> initializerTimeout,
        InitializerCommand initializerCommand,
        KeptInitializers keptInitializers,
        Surroundings surroundings,
        boolean strictLimits,
        WorkspaceChoice.Form workspace,
        List<String> gpuIds) {
    private static final Duration CALL_LIMIT = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Where initializers run. */
    private enum Place {
        CONTAINER,
        HOST
    }

    /** Which program an initializer's container runs. */
    enum InitializerCommand {
        /** That of Kubeflow's images. */
        KUBEFLOW,
        /** The image's own. */
        IMAGE
    }

    /** Which containers of initializers stay when they have done their work. */
    enum KeptInitializers {
        /** All of them. */
        ALL,
        /** Those that were given no secret: an engine shows a container's environment to everybody who may use it. */
        WITHOUT_SECRETS,
        /** None. */
        NONE;

        boolean keeps(ContainerSpec initializer) {
            return this == ALL
                    || (this == WITHOUT_SECRETS && initializer.secretEnv().isEmpty());
        }
    }

    static ContainerSettings read(Settings settings, Map<String, String> environment) {
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
                        : Optional.empty(),
                settings.choice("initializer-command", InitializerCommand.KUBEFLOW),
                settings.choice("keep-initializers", KeptInitializers.WITHOUT_SECRETS),
                Surroundings.read(settings, environment),
                settings.flag("strict-limits", true),
                settings.choice("workspace", WorkspaceChoice.Form.AUTO),
                settings.list("gpu-ids"));
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
