package io.github.trainer4j.container;

import io.github.trainer4j.api.ImagePullPolicy;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.launch.PythonPackages;
import io.github.trainer4j.container.EngineException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** Asks a runtime's image what is installed in it, by a container that lives for a moment. */
final class PackagesReport {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Product product;
    private final Engine engine;
    private final ContainerSettings settings;

    PackagesReport(Product product, Engine engine, ContainerSettings settings) {
        this.product = product;
        this.engine = engine;
        this.settings = settings;
    }

    /**
     * Returns what is installed.
     *
     * @throws UnsupportedFeatureException if the runtime has no image, or the image no Python
     * @throws EngineException of kind INTERRUPTED if the thread is interrupted
     */
    String of(TrainingRuntime runtime) {
        String image = runtime.image()
                .orElseThrow(() -> new UnsupportedFeatureException("the runtime " + runtime.name()
                        + " names no image, so backend " + product.backend() + " cannot look into one"));
        pull(image);
        String uid = UUID.randomUUID().toString();
        ContainerSpec spec = new ContainerSpec(
                        "trainer4j-packages-" + uid.substring(0, 8),
                        "packages",
                        image,
                        PythonPackages.listing(),
                        Map.of(),
                        Map.of(),
                        Map.of(Labels.UID, uid),
                        List.of(),
                        "/",
                        Limits.NONE,
                        Surroundings.NONE)
                .within(settings.surroundings());
        String id = engine.create(spec, "none");
        try {
            start(id, runtime, image);
            engine.streams().awaitEnd(engine, id, LIMIT);
            return LogTail.lines(engine, id, Integer.MAX_VALUE / 16, Optional.empty(), true).stream()
                    .map(LineJoiner.Line::text)
                    .collect(Collectors.joining("\n"));
        } finally {
            Uninterrupted.run(() -> engine.remove(id));
        }
    }

    private void start(String id, TrainingRuntime runtime, String image) {
        try {
            engine.start(id);
        } catch (EngineException e) {
            if (e.isLostContact() || e.kind() == Kind.INTERRUPTED) {
                throw e;
            }
            throw new UnsupportedFeatureException("backend " + product.backend() + " cannot ask the image " + image
                    + " of runtime " + runtime.name() + " what it has installed, for it runs no python3: "
                    + e.getMessage());
        }
    }

    private void pull(String image) {
        if (settings.pullPolicy() != ImagePullPolicy.ALWAYS
                && engine.image(image).isPresent()) {
            return;
        }
        if (settings.pullPolicy() == ImagePullPolicy.NEVER) {
            throw new TrainerException(
                    "the image " + image + " is not there, and the pull policy is Never; pull it yourself", null);
        }
        engine.streams().pull(image, progress -> {});
    }
}
