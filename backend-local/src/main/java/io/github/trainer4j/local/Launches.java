package io.github.trainer4j.local;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.ProgressListener;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The jobs that this JVM is launching, each on a thread of its own for as long as that takes. */
final class Launches {
    private static final long LOOK_MILLIS = 100;

    private final LaunchSite site;
    private final Map<String, LaunchRun> runs = new ConcurrentHashMap<>();

    Launches(LaunchSite site) {
        this.site = site;
        site.settlement().launches(runs::containsKey, this::cancel);
    }

    /** Starts the launch of a job that was recorded. */
    void start(LocalPlan plan, JobRecord record, ProgressListener listener) {
        LaunchRun run = new LaunchRun(plan, record, listener, site, () -> runs.remove(record.name()));
        runs.put(record.name(), run);
        try {
            run.start();
        } catch (Throwable e) {
            runs.remove(record.name());
            throw e;
        }
        look(run);
        record.deadline().ifPresent(deadline -> {
            long left = Duration.between(site.clock().instant(), deadline).toMillis();
            site.workers().after(Math.max(0, left), () -> expire(run));
        });
    }

    /** Looks now and then whether another JVM wants the job to end; a launch is short, and most have no such file. */
    private void look(LaunchRun run) {
        if (runs.get(run.name()) != run) {
            return;
        }
        if (Files.exists(run.directory().cause())) {
            run.cancel();
        }
        site.workers().after(LOOK_MILLIS, () -> look(run));
    }

    private void expire(LaunchRun run) {
        if (runs.get(run.name()) == run) {
            CompletableFuture<?> unused =
                    site.settlement().end(run.directory(), JobReader.deadlineFailure(run.limit()));
        }
    }

    private void cancel(String name) {
        LaunchRun run = runs.get(name);
        if (run != null) {
            run.cancel();
        }
    }

    /** Waits until nothing is being launched. */
    void await() throws InterruptedException {
        for (LaunchRun run : List.copyOf(runs.values())) {
            run.join();
        }
    }

    /** Stops all launches; their jobs fail with this reason. */
    List<CompletableFuture<List<ProcessIdentity>>> stop(Failure failure) {
        return List.copyOf(runs.values()).stream()
                .map(run -> site.settlement().end(run.directory(), failure))
                .toList();
    }
}
