package io.github.trainer4j.container;

import io.github.trainer4j.api.ImagePullPolicy;
import io.github.trainer4j.api.TrainerException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gets the images of one launch: each once, several at the same time. Safe for several threads. */
final class ImagePuller {
    private static final Logger LOG = LoggerFactory.getLogger(ImagePuller.class);

    private static final long EVENT_NANOS = 5_000_000_000L;

    private final Engine engine;
    private final ImagePullPolicy policy;
    private final JobEvents events;
    private final String job;
    private final Map<String, CompletableFuture<Boolean>> images = new ConcurrentHashMap<>();

    ImagePuller(Engine engine, ImagePullPolicy policy, JobEvents events, String job) {
        this.engine = engine;
        this.policy = policy;
        this.events = events;
        this.job = job;
    }

    /**
     * Returns when the engine has an image.
     *
     * @param step the step that needs it
     * @throws TrainerException if it cannot be had, with what the registry said
     * @throws InterruptedException if the thread is interrupted
     */
    void ensure(String image, String step) throws InterruptedException {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> first = images.putIfAbsent(image, mine);
        if (first == null) {
            try {
                get(image, step).foreignPlatform().ifPresent(platform -> warn(image, platform, step));
                mine.complete(true);
            } catch (RuntimeException | Error e) {
                // Whoever needs it too, and was not cancelled, tries by itself.
                images.remove(image, mine);
                mine.completeExceptionally(e);
                throw e;
            }
            return;
        }
        try {
            first.get();
        } catch (ExecutionException e) {
            ensure(image, step);
        }
    }

    /** Tells how far a pull is, now and then. */
    private Consumer<ImagePull.Progress> progress(String image, String step) {
        AtomicLong told = new AtomicLong(System.nanoTime());
        return progress -> {
            if (System.nanoTime() - told.get() > EVENT_NANOS) {
                told.set(System.nanoTime());
                events.normal(
                        step,
                        "Pulling",
                        "pulling image " + image + ": " + (progress.done() >> 20) + " of " + (progress.total() >> 20)
                                + " MiB so far known");
            }
        };
    }

    /** An image for another kind of processor may run by emulation; if it does not, this says why. */
    private void warn(String image, String platform, String step) {
        String sentence = "image " + image + " is for " + platform + ", but the engine's machine is not; it runs slowly"
                + " or not at all: choose an image for this platform";
        LOG.warn("job {}: {}", job, sentence);
        events.warning(Optional.of(step), "PlatformMismatch", sentence);
    }

    private Optional<ImageFacts> find(String image, String step) {
        try {
            return engine.image(image);
        } catch (EngineException e) {
            if (e.kind() == EngineException.Kind.INTERRUPTED || e.isLostContact()) {
                throw e;
            }
            throw new TrainerException(
                    "the engine does not take '" + image + "' for the name of an image: " + e.getMessage()
                            + "; write for example ghcr.io/org/image:tag, all of it in small letters but the tag",
                    e,
                    job,
                    step,
                    "InvalidImageName");
        }
    }

    private ImageFacts get(String image, String step) {
        Optional<ImageFacts> there = policy == ImagePullPolicy.ALWAYS ? Optional.empty() : find(image, step);
        if (there.isPresent()) {
            return there.get();
        }
        if (policy == ImagePullPolicy.NEVER) {
            throw new TrainerException(
                    "the image " + image + " is not there, and the pull policy is Never; pull it yourself, or choose"
                            + " IfNotPresent",
                    null,
                    job,
                    step,
                    "ErrImageNeverPull");
        }
        events.normal(step, "Pulling", "pulling image " + image);
        LOG.info("job {}: pulling image {} for {}", job, image, step);
        long start = System.nanoTime();
        try {
            engine.streams().pull(image, progress(image, step));
        } catch (EngineException e) {
            if (e.kind() == EngineException.Kind.INTERRUPTED) {
                throw e;
            }
            throw new TrainerException(
                    "the image " + image + " could not be pulled: " + e.getMessage(), e, job, step, "ErrImagePull");
        }
        events.normal(
                step, "Pulled", "pulled image " + image + " in " + (System.nanoTime() - start) / 1_000_000 + " ms");
        // What an engine says at the end of a pull differs from product to product: what counts is that the image is
        // there.
        return engine.image(image)
                .orElseThrow(() -> new TrainerException(
                        "the image " + image
                                + " is not there, though its pull ended without an error; pull it yourself to see"
                                + " why",
                        null,
                        job,
                        step,
                        "ErrImagePull"));
    }
}
