package io.github.trainer4j.cli;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.WaitTimeoutException;

/** The exit codes; scripts rely on them. */
final class Exit {
    static final int OK = 0;
    /** The job failed, or something that was asked for could not be done. */
    static final int FAILED = 1;
    /** The command line, a file or the configuration is wrong. */
    static final int INVALID = 2;

    static final int TIMEOUT = 3;
    static final int UNAVAILABLE = 4;
    static final int NOT_FOUND = 5;
    static final int INTERRUPTED = 130;

    private Exit() {}

    static int of(Throwable failure) {
        if (failure instanceof InvalidJobException
                || failure instanceof ConfigurationException
                || failure instanceof UnsupportedFeatureException) {
            return INVALID;
        }
        if (failure instanceof JobNotFoundException || failure instanceof RuntimeNotFoundException) {
            return NOT_FOUND;
        }
        if (failure instanceof WaitTimeoutException) {
            return TIMEOUT;
        }
        if (failure instanceof BackendUnavailableException) {
            return UNAVAILABLE;
        }
        return failure instanceof InterruptedException ? INTERRUPTED : FAILED;
    }
}
