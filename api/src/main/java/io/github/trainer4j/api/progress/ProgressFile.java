package io.github.trainer4j.api.progress;

import io.github.trainer4j.api.TrainingProgress;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.launch.Launch;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The file in which training code reports its progress. Every backend that runs jobs on this machine sets the variable
 * {@value Launch#PROGRESS_FILE} to its path and shows what stands in it as {@code TrainJob.progress()}. It holds the same
 * JSON object that Kubeflow's status server takes; every field but the outer one may be left out:
 *
 * <pre>{@code
 * {"trainerStatus": {"progressPercentage": 40, "estimatedRemainingSeconds": 90,
 *                    "metrics": [{"name": "loss", "value": "0.12"}], "lastUpdatedTime": "2026-11-30T12:00:00Z"}}
 * }</pre>
 *
 * <p>Code on the JVM writes it with {@link TrainingReporter}, a Python script with:
 *
 * <pre>{@code
 * status, path = {"progressPercentage": 40, "metrics": [{"name": "loss", "value": 0.12}]}, os.environ["TRAINJOB_PROGRESS_FILE"]
 * with open(path + ".new", "w") as file: json.dump({"trainerStatus": status}, file)
 * os.replace(path + ".new", path)
 * }</pre>
 *
 * <p>Reading is lenient, for the file is written by anybody: what makes no sense is left out, and a file that is missing,
 * half written or no JSON is no progress.
 */
public final class ProgressFile {
    private static final int LARGEST = 1 << 20;
    private static final BigDecimal LONGEST_SECONDS = BigDecimal.valueOf(Integer.MAX_VALUE);

    private ProgressFile() {}

    /** Returns what stands in a file; where it does not say when it was written, the file's own time counts. */
    public static Optional<TrainingProgress> read(Path file) {
        // The job may put anything there: a pipe, say, on which a reader would wait for good.
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                return Optional.empty();
            }
            Instant written = Files.getLastModifiedTime(file).toInstant();
            return parse(new String(bytes, StandardCharsets.UTF_8), written);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns what the node that reported last says, of all nodes of a job with this workspace. */
    public static Optional<TrainingProgress> newest(Path workspace, int numNodes) {
        Optional<TrainingProgress> newest = Optional.empty();
        for (int rank = 0; rank < numNodes; rank++) {
            Optional<TrainingProgress> progress = read(workspace.resolve(Launch.progressFile(rank)));
            if (progress.isPresent()
                    && (newest.isEmpty()
                            || progress.get().updated().isAfter(newest.get().updated()))) {
                newest = progress;
            }
        }
        return newest;
    }

    /**
     * Returns what a text of the format above says; empty if it is no JSON or has no {@code trainerStatus}.
     *
     * @param written when it was written, where it does not say so itself
     */
    public static Optional<TrainingProgress> parse(String json, Instant written) {
        try {
            return Json.parseObject(json).get("trainerStatus") instanceof Map<?, ?> status
                    ? Optional.of(new TrainingProgress(
                            percent(status), remaining(status), metrics(status), updated(status, written)))
                    : Optional.empty();
        } catch (Json.MalformedJsonException e) {
            return Optional.empty();
        }
    }

    /** Returns the text to write into the file, or to send to the status server. */
    public static String text(TrainingProgress progress) {
        Map<String, Object> status = new LinkedHashMap<>();
        progress.percent().ifPresent(percent -> status.put("progressPercentage", percent));
        progress.remaining().ifPresent(time -> status.put("estimatedRemainingSeconds", time.toSeconds()));
        if (!progress.metrics().isEmpty()) {
            List<Map<String, String>> metrics = new ArrayList<>();
            progress.metrics().forEach((name, value) -> {
                Map<String, String> metric = new LinkedHashMap<>();
                metric.put("name", name);
                metric.put("value", value);
                metrics.add(metric);
            });
            status.put("metrics", metrics);
        }
        status.put(
                "lastUpdatedTime",
                progress.updated().truncatedTo(ChronoUnit.MILLIS).toString());
        return Json.write(Map.of("trainerStatus", status));
    }

    /** Whether a name can be that of a metric. */
    static boolean isName(String name) {
        return !name.isBlank() && name.chars().noneMatch(c -> c == '\0' || c == '\n' || c == '\r');
    }

    private static OptionalInt percent(Map<?, ?> status) {
        return number(status.get("progressPercentage"))
                .map(percent -> OptionalInt.of(percent.max(BigDecimal.ZERO)
                        .min(BigDecimal.valueOf(100))
                        .setScale(0, RoundingMode.FLOOR)
                        .intValue()))
                .orElse(OptionalInt.empty());
    }

    private static Optional<Duration> remaining(Map<?, ?> status) {
        return number(status.get("estimatedRemainingSeconds"))
                .filter(seconds -> seconds.signum() >= 0)
                .map(seconds -> Duration.ofSeconds(seconds.min(LONGEST_SECONDS).longValue()));
    }

    private static Map<String, String> metrics(Map<?, ?> status) {
        Map<String, String> metrics = new LinkedHashMap<>();
        if (status.get("metrics") instanceof List<?> list) {
            for (Object element : list) {
                if (element instanceof Map<?, ?> metric) {
                    metric(metrics, metric.get("name"), metric.get("value"));
                }
            }
        } else if (status.get("metrics") instanceof Map<?, ?> map) {
            map.forEach((name, value) -> metric(metrics, name, value));
        }
        return metrics;
    }

    private static void metric(Map<String, String> metrics, @Nullable Object name, @Nullable Object value) {
        boolean plain = value instanceof String || value instanceof BigDecimal || value instanceof Boolean;
        if (name instanceof String text && plain && isName(text) && metrics.size() < TrainingProgress.MOST_METRICS) {
            metrics.put(text, String.valueOf(value));
        }
    }

    private static Instant updated(Map<?, ?> status, Instant written) {
        if (status.get("lastUpdatedTime") instanceof String text) {
            try {
                return OffsetDateTime.parse(text).toInstant();
            } catch (DateTimeException e) {
                return written;
            }
        }
        return written;
    }

    private static Optional<BigDecimal> number(@Nullable Object value) {
        Object number = value;
        if (value instanceof String text) {
            try {
                number = Json.parse(text);
            } catch (Json.MalformedJsonException e) {
                return Optional.empty();
            }
        }
        return number instanceof BigDecimal decimal ? Optional.of(decimal) : Optional.empty();
    }
}
