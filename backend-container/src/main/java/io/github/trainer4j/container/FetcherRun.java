package io.github.trainer4j.container;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.dispatch.TaskContext;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.container.ContainerPlan.PlannedInitializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs an initializer within this process, into the directory that the containers see. */
final class FetcherRun {
    private static final Logger LOG = LoggerFactory.getLogger(FetcherRun.class);
    private static final long NOTE_NANOS = 1_000_000_000;

    private final JobDirectory directory;
    private final Map<String, String> environment;
    private final Clock clock;

    FetcherRun(JobDirectory directory, Map<String, String> environment, Clock clock) {
        this.directory = directory;
        this.environment = environment;
        this.clock = clock;
    }

    Optional<String> run(PlannedInitializer initializer, TaskContext task) throws IOException, InterruptedException {
        String step = initializer.step();
        Path target = directory.workspace().resolve(initializer.spec().target().directory());
        Fetcher fetcher = initializer.fetcher().orElseThrow();
        Context context = new Context(step, task);
        context.note(StepState.started(clock.instant(), false));
        context.log(step + " fetches " + initializer.spec().storageUri());
        try {
            Files.createDirectories(target);
            JobStore.openToAll(target);
            fetcher.fetch(target, context);
            context.note(
                    context.state.ended(JobStatus.COMPLETE, clock.instant(), OptionalInt.empty(), Optional.empty()));
            return Optional.of(step);
        } catch (IOException | InterruptedException | RuntimeException e) {
            String reason = task.isCancelled() ? "Cancelled" : Cause.INITIALIZER_FAILED;
            context.log(step + " failed: " + e);
            context.note(
                    context.state.ended(JobStatus.FAILED, clock.instant(), OptionalInt.empty(), Optional.of(reason)));
            throw e;
        }
    }

    private final class Context implements FetchContext {
        private final String step;
        private final TaskContext task;
        private final AtomicLong lastNote = new AtomicLong(System.nanoTime() - NOTE_NANOS);
        private volatile StepState state = StepState.TO_COME;

        Context(String step, TaskContext task) {
            this.step = step;
            this.task = task;
        }

        void note(StepState to) {
            state = to;
            try {
                to.write(directory.step(step));
            } catch (IOException e) {
                LOG.warn("job {}: the state of the {} is not written: {}", directory.name(), step, e.toString());
            }
        }

        @Override
        public void progress(long bytesDone, OptionalLong bytesTotal) {
            task.progress(bytesDone, bytesTotal);
            long now = System.nanoTime();
            long last = lastNote.get();
            if (now - last >= NOTE_NANOS && lastNote.compareAndSet(last, now)) {
                note(state.progress(bytesDone, bytesTotal));
            } else {
                state = state.progress(bytesDone, bytesTotal);
            }
        }

        @Override
        public synchronized void log(String line) {
            try {
                KeptLog.add(directory.log(step), clock.instant(), line);
            } catch (IOException e) {
                LOG.debug("job {}: a line of the log of the {} is not written", directory.name(), step, e);
            }
        }

        @Override
        public Map<String, String> environment() {
            return environment;
        }
    }
}
