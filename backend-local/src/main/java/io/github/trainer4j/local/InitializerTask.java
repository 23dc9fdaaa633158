package io.github.trainer4j.local;

import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.dispatch.Task;
import io.github.trainer4j.api.dispatch.TaskContext;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.local.LocalPlan.PlannedInitializer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;

/** Fetches a dataset or a model on a thread of this JVM. */
final class InitializerTask implements Task.Body<Boolean> {
    private final PlannedInitializer initializer;
    private final JobDirectory directory;
    private final LaunchedStep step;
    private final Map<String, String> environment;

    InitializerTask(
            PlannedInitializer initializer,
            JobDirectory directory,
            LaunchedStep step,
            Map<String, String> environment) {
        this.initializer = initializer;
        this.directory = directory;
        this.step = step;
        this.environment = environment;
    }

    Task<Boolean> task() {
        return new Task<>(
                initializer.step(),
                initializer.spec().timeout(),
                initializer.spec().retries(),
                this);
    }

    @Override
    public Boolean run(TaskContext task) throws Exception {
        step.started(task.attempt());
        try {
            Path target =
                    directory.workspace().resolve(initializer.spec().target().directory());
            // Not its parents: when they are gone, so is the job.
            if (!Files.isDirectory(target)) {
                Files.createDirectory(target);
            }
            initializer.fetcher().fetch(target, new FetchContext() {
                @Override
                public void progress(long bytesDone, OptionalLong bytesTotal) {
                    step.progress(bytesDone, bytesTotal);
                    task.progress(bytesDone, bytesTotal);
                }

                @Override
                public void log(String line) {
                    step.log(line);
                }

                @Override
                public Map<String, String> environment() {
                    return environment;
                }
            });
        } catch (Exception | Error e) {
            boolean again = task.attempt() <= initializer.spec().retries();
            step.log("attempt " + task.attempt() + " failed: " + describe(e) + (again ? "; trying again" : ""));
            throw e;
        }
        step.completed();
        return true;
    }

    private static String describe(Throwable e) {
        if (e instanceof InterruptedException) {
            return "stopped";
        }
        return e instanceof TrainerException && e.getMessage() != null ? e.getMessage() : e.toString();
    }
}
