package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.launch.PythonPackages;
import io.github.trainer4j.api.spi.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks a runtime what is installed in its image, by a job of one node that lives for a moment. */
final class PackagesReport {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final long PAUSE_MILLIS = 300;

    private final Backend backend;

    PackagesReport(Backend backend) {
        this.backend = backend;
    }

    /**
     * Returns what is installed.
     *
     * @throws InterruptedException if the thread is interrupted; the job is removed all the same
     * @throws UnsupportedFeatureException if each job of the runtime fetches something first
     * @throws TrainerException if the job does not end well, for example because the image has no Python
     */
    String of(TrainingRuntime runtime) throws InterruptedException {
        if (!runtime.initializerImages().isEmpty()) {
            throw new UnsupportedFeatureException("backend kubernetes cannot ask the runtime " + runtime.name()
                    + " what it has installed, for each of its jobs runs initializers first; run a job of yours with the"
                    + " command: python3 -m pip list");
        }
        TrainJobRequest request = TrainJobRequest.builder()
                .runtime(runtime.name())
                .trainer(new CommandTrainer(PythonPackages.listing(), NodeSettings.defaults()).numNodes(1))
                .deadline(LIMIT)
                .build();
        String name = backend.train(request, ProgressListener.none()).name();
        try (Temporary job = new Temporary(backend, name)) {
            return textOf(job.name());
        }
    }

    private String textOf(String name) throws InterruptedException {
        long begin = System.nanoTime();
        TrainJob job = backend.get(name);
        while (!job.status().isFinal()) {
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new TrainerException(
                        "the job " + name + " that lists the packages has not ended after " + LIMIT + ": "
                                + job.status() + ", " + job.steps(),
                        null);
            }
            Thread.sleep(PAUSE_MILLIS);
            job = backend.get(name);
        }
        List<String> lines = new ArrayList<>();
        try (LogStream stream = backend.logs(name, LogQuery.step(Names.nodeStep(0)))) {
            stream.forEach(line -> lines.add(line.text()));
        }
        String text = String.join("\n", lines);
        if (job.status() != JobStatus.COMPLETE) {
            throw new TrainerException(
                    "the job " + name + " that lists the packages failed: "
                            + job.failure().map(why -> why.message()).orElse("no reason is known") + "; " + text,
                    null);
        }
        return text;
    }

    /** A job that is removed also when the caller wants no longer: nobody else knows of it. */
    private record Temporary(Backend backend, String name) implements AutoCloseable {
        @Override
        public void close() throws InterruptedException {
            boolean interrupted = Thread.interrupted();
            try {
                backend.delete(name);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
