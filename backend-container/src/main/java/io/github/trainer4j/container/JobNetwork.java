package io.github.trainer4j.container;

import java.util.Optional;

/**
 * The network of a job.
 *
 * @param id its id
 * @param master where its first node is to be found, if that has an address of its own choosing
 */
record JobNetwork(String id, Optional<Master> master) {
    /**
     * The first node, which all others look for.
     *
     * @param container the name of its container
     * @param address its address in the network
     */
    record Master(String container, String address) {
        /** Returns the line that tells other nodes where it is. */
        String host() {
            return ContainerBody.neighbourName(container, JobRecord.nodeStep(0)) + ":" + address;
        }
    }

    /** A network in which the engine's server of names is enough. */
    static JobNetwork of(String id) {
        return new JobNetwork(id, Optional.empty());
    }
}
