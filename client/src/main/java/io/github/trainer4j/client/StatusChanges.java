package io.github.trainer4j.client;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners of each status a job goes through, also of one that it went through between two looks. */
final class StatusChanges {
    private static final Logger LOG = LoggerFactory.getLogger(StatusChanges.class);

    private final List<Consumer<TrainJob>> listeners;
    private final Set<JobStatus> passed = EnumSet.noneOf(JobStatus.class);
    private @Nullable JobStatus last;
    private @Nullable JobStatus lastKnown;

    StatusChanges(List<Consumer<TrainJob>> listeners) {
        this.listeners = listeners;
    }

    /** Takes what was seen last. */
    void seen(TrainJob job) {
        if (job.status() == last) {
            return;
        }
        if (lastKnown == JobStatus.CREATED && ranBefore(job)) {
            tell(withStatus(job, JobStatus.RUNNING));
        }
        tell(job);
        last = job.status();
        if (last != JobStatus.UNKNOWN) {
            lastKnown = last;
        }
    }

    /** Returns whether any of these statuses was gone through. */
    boolean passedAny(Set<JobStatus> statuses) {
        return statuses.stream().anyMatch(passed::contains);
    }

    private void tell(TrainJob job) {
        passed.add(job.status());
        for (Consumer<TrainJob> listener : listeners) {
            try {
                listener.accept(job);
            } catch (VirtualMachineError e) {
                throw e;
            } catch (RuntimeException | Error e) {
                LOG.warn("a listener failed on job {} becoming {}", job.name(), job.status(), e);
            }
        }
    }

    /** A job cannot be complete without having run; a failed one ran if a node of it had started. */
    private static boolean ranBefore(TrainJob job) {
        return job.status() == JobStatus.COMPLETE
                || (job.status() == JobStatus.FAILED && job.steps().stream().anyMatch(StatusChanges::isStartedNode));
    }

    private static boolean isStartedNode(Step step) {
        return step.startTime().isPresent()
                && (step.name().startsWith("node-") || step.name().equals("launcher"));
    }

    private static TrainJob withStatus(TrainJob job, JobStatus status) {
        return new TrainJob(
                job.name(),
                status,
                job.runtime(),
                job.steps(),
                job.numNodes(),
                job.creationTime(),
                job.labels(),
                job.annotations(),
                job.workspace(),
                Optional.empty(),
                job.progress());
    }
}
