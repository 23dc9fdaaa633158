package io.github.trainer4j.local;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The jobs that this JVM is launching, each on a thread of its own for as long as that takes. */
final class Launches {
    private static final long LOOK_MILLIS = 100;
    /** Those of all backends of this JVM: a job may be ended by another one than it was given to. */
    private static final Map<Path, LaunchRun> ALL = new ConcurrentHashMap<>();

    private final LaunchSite site;
    private final Set<LaunchRun> own = ConcurrentHashMap.newKeySet();

    Launches(LaunchSite site) {
        this.site = site;
    }

    /** Starts the launch of a job that was recorded. */
    void start(LocalPlan plan, JobRecord record, ProgressListener listener) {
        LaunchRun run = new LaunchRun(plan, record, listener, site, this::over);
        own.add(run);
        ALL.put(run.directory().root(), run);
        try {
            run.start();
        } catch (Throwable e) {
            over(run);
            throw e;
        }
        look(run);
    }

    /** Looks now and then whether its deadline has passed, or another JVM wants the job to end. */
    private void look(LaunchRun run) {
        if (!own.contains(run)) {
            return;
        }
        if (Files.exists(run.directory().cause())
                || !Files.isDirectory(run.directory().root())) {
            run.cancel();
        } else if (run.isLate()) {
            CompletableFuture<?> unused =
                    site.settlement().end(run.directory(), JobReader.deadlineFailure(run.limit()));
        }
        site.workers().after(LOOK_MILLIS, () -> look(run));
    }

    private void over(LaunchRun run) {
        own.remove(run);
        ALL.remove(run.directory().root(), run);
    }

    /** Returns whether this JVM is launching a job. */
    static boolean isLaunching(JobDirectory directory) {
        return ALL.containsKey(directory.root());
    }

    /** Ends the launch of a job, if this JVM is launching it. */
    static void cancel(JobDirectory directory) {
        LaunchRun run = ALL.get(directory.root());
        if (run != null) {
            run.cancel();
        }
    }

    /** Waits until nothing is being launched. */
    void await() throws InterruptedException {
        for (LaunchRun run : List.copyOf(own)) {
            run.join();
        }
    }

    /** Stops all launches; their jobs fail with this reason. */
    List<CompletableFuture<List<ProcessIdentity>>> stop(Failure failure) {
        return List.copyOf(own).stream()
                .map(run -> site.settlement().end(run.directory(), failure))
                .toList();
    }
}
