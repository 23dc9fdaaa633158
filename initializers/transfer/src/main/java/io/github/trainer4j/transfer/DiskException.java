package io.github.trainer4j.transfer;

import java.io.IOException;

/** Writing or reading on this side failed; unchecked, so that it is not taken for a failure of the source. */
final class DiskException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final IOException failure;

    DiskException(IOException failure) {
        super(failure);
        this.failure = failure;
    }

    IOException failure() {
        return failure;
    }
}
