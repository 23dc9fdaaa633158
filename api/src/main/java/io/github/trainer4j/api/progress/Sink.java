package io.github.trainer4j.api.progress;

import java.io.IOException;

/** Where reports go. Used by one thread at a time. */
interface Sink {
    /** Takes a report in the format of {@link ProgressFile}. */
    void send(String json) throws IOException;
}
