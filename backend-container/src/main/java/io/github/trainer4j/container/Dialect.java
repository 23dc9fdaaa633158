package io.github.trainer4j.container;

import java.util.Locale;

/** In what the two engines differ. Which one answers is asked of it, whatever the backend is called. */
enum Dialect {
    /** Docker. */
    DOCKER,
    /** Podman. */
    PODMAN;

    /** Whether a followed log has all lines in between; podman drops some when there are many. */
    boolean exactFollow() {
        return this == DOCKER;
    }

    /** Whether the last pieces of a log are what they should be; podman 4 joins the last two lines if one has no end. */
    boolean exactTail() {
        return this == DOCKER;
    }

    /**
     * Whether the nodes of a job can rely on the engine's server of names. Podman's goes down and up with every network that
     * comes or goes; after nodes that ended at the same moment it may stay behind where nobody reaches it.
     */
    boolean servesNames() {
        return this == DOCKER;
    }

    /**
     * Whether an error is likely to be gone in a moment: podman trips over networks of others that are removed at the same
     * time, when it looks for free addresses and when its server of names starts.
     */
    boolean isPassing(EngineException failure) {
        String message = String.valueOf(failure.getMessage());
        return this == PODMAN
                && (message.contains("aardvark-dns failed to start") || message.contains("no such network interface"));
    }

    /** Whether an error means that a name is taken or a state forbids the call: Docker says 409, Podman 500. */
    static boolean isConflict(int status, String message) {
        if (status == 409) {
            return true;
        }
        String text = message.toLowerCase(Locale.ROOT);
        return status == 500
                && (text.contains("already in use")
                        || text.contains("already used")
                        || text.contains("already exists")
                        || text.contains("container state improper"));
    }
}
