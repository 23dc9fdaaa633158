package io.github.trainer4j.api.progress;

import io.github.trainer4j.api.TrainingProgress;
import io.github.trainer4j.api.launch.Launch;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the progress of training code on the JVM to whoever looks at its job.
 *
 * <pre>{@code
 * try (TrainingReporter reporter = TrainingReporter.fromEnvironment()) {
 *     for (int epoch = 1; epoch <= epochs; epoch++) {
 *         double loss = train(epoch);
 *         reporter.report(100 * epoch / epochs, Map.of("loss", loss));
 *     }
 * }
 * }</pre>
 *
 * <p>On a cluster that has a status server for training code, reports go there: where the variables {@value #SERVER_URL},
 * {@value #SERVER_TOKEN} and {@value #SERVER_CA_CERT} are set. Otherwise they go into the file that the variable
 * {@value Launch#PROGRESS_FILE} names, in the format of {@link ProgressFile}. Where neither is set, reporting does nothing.
 *
 * <p>It never harms the training: no method throws, and reports are sent by a daemon thread, to the server at most one in
 * five seconds. A newer report replaces one that was not sent yet; the last one is sent by {@link #close()}, which waits
 * for it at most twelve seconds. Safe for several threads.
 */
public final class TrainingReporter implements AutoCloseable {
    /** The variable with the address of the status server. */
    public static final String SERVER_URL = "KUBEFLOW_TRAINER_SERVER_URL";
    /** The variable with the path of the certificate that the status server's own is checked with. */
    public static final String SERVER_CA_CERT = "KUBEFLOW_TRAINER_SERVER_CA_CERT";
    /** The variable with the path of the file that the bearer token for the status server lies in. */
    public static final String SERVER_TOKEN = "KUBEFLOW_TRAINER_SERVER_TOKEN";

    static final Duration SERVER_INTERVAL = Duration.ofSeconds(5);
    static final Duration FILE_INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(TrainingReporter.class);

    private final Optional<Sender> sender;

    TrainingReporter(Optional<Sender> sender) {
        this.sender = sender;
    }

    /** Returns a reporter to where the environment of this process says. */
    public static TrainingReporter fromEnvironment() {
        return fromEnvironment(System.getenv());
    }

    /** Returns a reporter to where these variables say. */
    public static TrainingReporter fromEnvironment(Map<String, String> environment) {
        return fromEnvironment(environment, SERVER_INTERVAL, FILE_INTERVAL);
    }

    static TrainingReporter fromEnvironment(
            Map<String, String> environment, Duration serverInterval, Duration fileInterval) {
        try {
            Optional<String> url = set(environment, SERVER_URL);
            Optional<String> token = set(environment, SERVER_TOKEN);
            if (url.isPresent() && token.isPresent()) {
                Optional<Path> certificate = set(environment, SERVER_CA_CERT).map(Path::of);
                Sink server = new ServerSink(URI.create(url.get()), certificate, Path.of(token.get()));
                return new TrainingReporter(Optional.of(new Sender(server, serverInterval)));
            }
            return new TrainingReporter(set(environment, Launch.PROGRESS_FILE)
                    .map(file -> new Sender(new FileSink(Path.of(file)), fileInterval)));
        } catch (IllegalArgumentException e) {
            LOG.warn("progress is not reported: {}; training goes on", e.getMessage());
            return new TrainingReporter(Optional.empty());
        }
    }

    /** Returns whether reports go anywhere. */
    public boolean isActive() {
        return sender.isPresent();
    }

    /**
     * Reports how much is done.
     *
     * @param percent 0 to 100; what is beyond is cut
     */
    public void report(int percent) {
        report(percent, Map.of());
    }

    /**
     * Reports how much is done, and metrics.
     *
     * @param percent 0 to 100; what is beyond is cut
     * @param metrics the newest value of each metric; of more than {@link TrainingProgress#MOST_METRICS} the first are taken
     */
    public void report(int percent, Map<String, ?> metrics) {
        report(percent, Optional.empty(), metrics);
    }

    /**
     * Reports how much is done, the time that is left, and metrics.
     *
     * @param percent 0 to 100; what is beyond is cut
     * @param remaining the time that is left, in whole seconds
     * @param metrics the newest value of each metric; of more than {@link TrainingProgress#MOST_METRICS} the first are taken
     */
    public void report(int percent, Duration remaining, Map<String, ?> metrics) {
        report(percent, Optional.ofNullable(remaining), metrics);
    }

    /** Reports what only some of is known. */
    public void report(TrainingProgress progress) {
        if (progress != null) {
            offer(progress);
        }
    }

    private void report(int percent, Optional<Duration> remaining, @Nullable Map<String, ?> metrics) {
        try {
            OptionalInt within = OptionalInt.of(Math.max(0, Math.min(100, percent)));
            Optional<Duration> left = remaining.filter(time -> !time.isNegative());
            offer(new TrainingProgress(within, left, texts(metrics), Instant.now()));
        } catch (RuntimeException e) {
            LOG.debug("a report makes no sense", e);
        }
    }

    private void offer(TrainingProgress progress) {
        try {
            sender.ifPresent(found -> found.offer(progress));
        } catch (RuntimeException | Error e) {
            LOG.debug("a report cannot be sent", e);
        }
    }

    private static Map<String, String> texts(@Nullable Map<String, ?> metrics) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (metrics != null) {
            metrics.forEach((name, value) -> {
                if (name != null
                        && value != null
                        && ProgressFile.isName(name)
                        && texts.size() < TrainingProgress.MOST_METRICS) {
                    texts.put(name, value.toString());
                }
            });
        }
        return texts;
    }

    private static Optional<String> set(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /** Sends the last report, if it was not sent yet. Further reports are ignored. */
    @Override
    public void close() {
        sender.ifPresent(Sender::close);
    }
}
