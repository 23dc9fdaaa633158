package io.github.trainer4j.client;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.Backend;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Removes the jobs that are over, the same way on every backend. */
final class Pruning {
    private final Clock clock;

    Pruning(Clock clock) {
        this.clock = clock;
    }

    /** Removes them; see {@link TrainerClient#prune(Duration, Predicate)}. */
    PruneReport prune(Backend backend, Duration minimumAge, Predicate<? super TrainJob> which)
            throws InterruptedException {
        List<TrainJob> over = backend.list().stream()
                .filter(job -> job.status().isFinal() && isOlder(job, minimumAge) && which.test(job))
                .toList();
        List<String> removed = new ArrayList<>();
        Map<String, String> problems = new LinkedHashMap<>();
        for (TrainJob job : over) {
            String name = job.name();
            try {
                // Since the list was made somebody may have begun another job of this name.
                if (backend.get(name).creationTime().equals(job.creationTime())) {
                    backend.delete(name);
                    removed.add(name);
                }
            } catch (JobNotFoundException e) {
                // Somebody else was quicker.
            } catch (TrainerException e) {
                problems.put(name, String.valueOf(e.getMessage()));
                if (e instanceof BackendUnavailableException) {
                    // Every further job would have to wait for the same silence.
                    break;
                }
            }
        }
        return new PruneReport(removed, problems);
    }

    private boolean isOlder(TrainJob job, Duration minimumAge) {
        return Duration.between(end(job), clock.instant()).compareTo(minimumAge) >= 0;
    }

    /** A job that none of whose steps ran to an end, as one whose client was killed, counts from its beginning. */
    private static Instant end(TrainJob job) {
        return job.steps().stream()
                .map(Step::endTime)
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .orElse(job.creationTime());
    }
}
