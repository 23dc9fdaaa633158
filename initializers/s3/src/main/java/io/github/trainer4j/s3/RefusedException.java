package io.github.trainer4j.s3;

import java.io.IOException;

/** The store answered, but not with what was asked for. */
final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    RefusedException(Refusal refusal) {
        super(refusal.describe());
        this.refusal = refusal;
    }

    Refusal refusal() {
        return refusal;
    }
}
