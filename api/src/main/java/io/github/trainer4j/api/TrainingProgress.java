package io.github.trainer4j.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How far the training code says it is; the content of a TrainJob's {@code status.trainerStatus}.
 *
 * @param percent how much is done, 0 to 100
 * @param remaining the time that is left, in whole seconds
 * @param metrics the newest value of each metric, as text
 * @param updated when the training code said so
 */
public record TrainingProgress(
        OptionalInt percent, Optional<Duration> remaining, Map<String, String> metrics, Instant updated) {
    /** The number of metrics that Kubeflow's status server takes. */
    public static final int MOST_METRICS = 256;

    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if the percentage is not within 0 to 100, the time negative, or there are more than
     *     {@link #MOST_METRICS} metrics
     */
    public TrainingProgress {
        Check.present(percent, "percent");
        if (percent.isPresent() && (percent.getAsInt() < 0 || percent.getAsInt() > 100)) {
            throw new InvalidJobException("percent is " + percent.getAsInt() + "; it goes from 0 to 100");
        }
        Check.present(remaining, "remaining").ifPresent(time -> {
            if (time.isNegative()) {
                throw new InvalidJobException("the remaining time is negative: " + time);
            }
        });
        metrics = Check.map(metrics, "metrics", (name, value) -> Check.text(name, "a metric's name"));
        if (metrics.size() > MOST_METRICS) {
            throw new InvalidJobException(
                    "there are " + metrics.size() + " metrics; at most " + MOST_METRICS + " are taken");
        }
        Check.present(updated, "updated");
    }
}
