package io.github.trainer4j.container;

import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.container.EngineException.Kind;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes networks, of which an engine has addresses for a few dozen only. A job that is over no longer needs its network;
 * it is left in place, because other programs find the job by it, until its addresses are needed.
 */
final class NetworkReserve {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkReserve.class);

    private final Sightings sightings;
    private final JobReader reader;

    NetworkReserve(Sightings sightings, JobReader reader) {
        this.sightings = sightings;
        this.reader = reader;
    }

    /** Makes a network and returns its id. */
    String make(Engine engine, String name, Map<String, String> labels) {
        try {
            return engine.createNetwork(name, labels);
        } catch (EngineException e) {
            if (e.isLostContact() || e.kind() == Kind.INTERRUPTED || e.kind() == Kind.CONFLICT) {
                throw e;
            }
            int freed = free(engine);
            if (freed == 0) {
                throw new EngineException(
                        e.kind(),
                        e.getMessage()
                                + "; if it has no addresses left for another network, delete jobs that are over, remove"
                                + " networks that nobody uses, or give the engine more addresses",
                        e);
            }
            LOG.info("removed the networks of {} jobs that are over, for {} to have one", freed, name);
            return engine.createNetwork(name, labels);
        }
    }

    private int free(Engine engine) {
        int freed = 0;
        for (Sighted job : sightings.all(engine)) {
            if (job.network().isPresent() && !job.foreign() && isOver(job)) {
                try {
                    engine.removeNetwork(job.network().get());
                    freed++;
                } catch (EngineException e) {
                    LOG.debug("the network of {} stays", job.record().name(), e);
                }
            }
        }
        return freed;
    }

    private boolean isOver(Sighted job) {
        try {
            return reader.read(job).job().status().isFinal();
        } catch (TrainerException e) {
            return false;
        }
    }
}
