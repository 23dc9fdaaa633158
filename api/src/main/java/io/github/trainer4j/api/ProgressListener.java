package io.github.trainer4j.api;

/**
 * Is told how far initializers are. It is called by one thread at a time, a few times a second for each step at most, and
 * always with a step's last state. What it throws is logged and harms nothing.
 */
@FunctionalInterface
public interface ProgressListener {
    /** Takes the newest state of a step. Return soon: a slow listener sees fewer states. */
    void onProgress(ProgressEvent event);

    /** Returns a listener that ignores everything. */
    static ProgressListener none() {
        return event -> {};
    }
}
