package io.github.trainer4j.container;

import io.github.trainer4j.container.EngineException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes files of a job that are not the caller's, because a container wrote them as another user: in a container, as the
 * user who may remove them.
 */
final class EngineSweep {
    private static final Logger LOG = LoggerFactory.getLogger(EngineSweep.class);
    private static final String PLACE = "/trainer4j-remove";
    private static final Duration LIMIT = Duration.ofMinutes(10);
    /** What removes all that lies below a directory: one of these every image has that is not made of a single program. */
    private static final List<List<String>> PROGRAMS = List.of(
            List.of("rm", "-rf", PLACE),
            List.of("python3", "-c", "import shutil; shutil.rmtree('" + PLACE + "', ignore_errors=True)"));

    private final Engine engine;

    EngineSweep(Engine engine) {
        this.engine = engine;
    }

    /** Empties a directory as far as possible; whether all is gone is for the caller to see. */
    void empty(Path directory, JobRecord job) {
        Set<String> images = Stream.concat(
                        job.initializers().stream().flatMap(step -> step.image().stream()), job.node().image().stream())
                .collect(java.util.stream.Collectors.toCollection(java.util.LinkedHashSet::new));
        for (String image : images) {
            for (List<String> program : PROGRAMS) {
                if (run(spec(directory, job, image, program))) {
                    return;
                }
            }
        }
    }

    private static ContainerSpec spec(Path directory, JobRecord job, String image, List<String> program) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(Labels.JOB, job.name());
        labels.put(Labels.UID, job.uid());
        Surroundings root = new Surroundings(
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("none"),
                Optional.of("0"),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                java.util.OptionalLong.empty(),
                Optional.empty(),
                false);
        return new ContainerSpec(
                job.name() + "-removal",
                "removal",
                image,
                program,
                Map.of(),
                Map.of(),
                labels,
                new ArrayList<>(
                        List.of(Mount.writable(directory.toAbsolutePath().toString(), PLACE))),
                "/",
                Limits.NONE,
                root);
    }

    /** Runs a program, and returns whether it could be run at all. */
    private boolean run(ContainerSpec spec) {
        Optional<String> id = Optional.empty();
        try {
            id = Optional.of(engine.create(spec, "none"));
            engine.start(id.get());
            engine.streams().awaitEnd(engine, id.get(), LIMIT);
            return true;
        } catch (EngineException e) {
            if (e.kind() == Kind.INTERRUPTED || e.isLostContact()) {
                throw e;
            }
            LOG.debug("image {} has no {} to remove files with: {}", spec.image(), spec.command(), e.getMessage());
            return false;
        } finally {
            id.ifPresent(made -> Uninterrupted.run(() -> engine.remove(made)));
        }
    }
}
