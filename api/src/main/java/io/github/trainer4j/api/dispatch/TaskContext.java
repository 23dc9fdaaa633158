package io.github.trainer4j.api.dispatch;

import java.util.OptionalLong;

/** What surrounds a running task. Safe for several threads. */
public interface TaskContext {
    /**
     * Says how many bytes are done, and how many there are in all, if known. Cheap: call it often.
     *
     * @throws io.github.trainer4j.api.InvalidJobException if a number is negative
     */
    void progress(long bytesDone, OptionalLong bytesTotal);

    /** Returns whether the task was cancelled or timed out. */
    boolean isCancelled();

    /**
     * Has an action run as soon as this attempt is cancelled or times out, in addition to the interrupt; at once and on
     * this thread if it is already. For what an interrupt does not reach, such as a container. The actions of an attempt
     * run one after the other on a thread of their own, and the attempt counts as running until they are over; what one
     * throws is attached to the failure.
     */
    void onCancel(Runnable action);

    /** Returns the number of this attempt, from 1. */
    int attempt();
}
