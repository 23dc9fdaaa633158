package io.github.trainer4j.container;

import io.github.trainer4j.api.state.StateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what a job left in a volume to this machine when its nodes have ended: in the background, once, and before the
 * job is told to be over, so that whoever is told so finds it.
 */
final class Results {
    private static final Logger LOG = LoggerFactory.getLogger(Results.class);

    private final Clock clock;
    private final String threadPrefix;
    private final Set<String> beingFetched = ConcurrentHashMap.newKeySet();

    Results(Clock clock, String threadPrefix) {
        this.clock = clock;
        this.threadPrefix = threadPrefix;
    }

    /** Whether a job's results are still to come; they are then being fetched. */
    boolean areToCome(Engine engine, Sighted job) {
        Optional<JobDirectory> directory = job.directory();
        Optional<ContainerFacts> node = job.record().nodeSteps().stream()
                .flatMap(step -> job.container(step).stream())
                .findFirst();
        if (!Workspace.of(job.record()).isElsewhere()
                || job.foreign()
                || directory.isEmpty()
                || node.isEmpty()
                || Files.exists(directory.get().results())) {
            return false;
        }
        if (beingFetched.add(job.record().uid())) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            fetch(engine, job.record(), node.get().id(), directory.get());
                        } finally {
                            beingFetched.remove(job.record().uid());
                        }
                    },
                    threadPrefix + "results-" + job.record().name());
            thread.setDaemon(true);
            thread.start();
        }
        return true;
    }

    private void fetch(Engine engine, JobRecord job, String node, JobDirectory directory) {
        JobEvents events = new JobEvents(directory.events(), clock);
        try {
            Workspace.of(job).fetch(engine, node, directory);
            StateFiles.mark(directory.results());
        } catch (EngineException e) {
            if (e.isLostContact() || e.kind() == EngineException.Kind.INTERRUPTED || directory.isDeleted(job)) {
                LOG.debug("job {}: its results are fetched when it is looked at again, if it is", directory.name(), e);
                return;
            }
            giveUp(events, directory, e);
        } catch (IOException e) {
            giveUp(events, directory, e);
        }
    }

    /** A job is not kept from being over because this machine's disk is full. */
    private static void giveUp(JobEvents events, JobDirectory directory, Exception e) {
        String sentence = "what the job left in its volume " + Workspace.volumeName(directory.name())
                + " could not be copied to " + directory.workspace() + ": " + e.getMessage()
                + "; copy it from /workspace of a container of the job before you delete it";
        LOG.warn("job {}: {}", directory.name(), sentence);
        events.warning(Optional.empty(), "ResultsNotCopied", sentence);
        try {
            StateFiles.mark(directory.results());
        } catch (IOException full) {
            LOG.debug("job {}: it is tried again", directory.name(), full);
        }
    }
}
