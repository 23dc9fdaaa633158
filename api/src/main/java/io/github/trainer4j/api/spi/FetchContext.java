package io.github.trainer4j.api.spi;

import java.util.Map;
import java.util.OptionalLong;

/** What surrounds a {@link Fetcher}. Safe for several threads. */
public interface FetchContext {
    /** Says how many bytes are done, and how many there are in all, if that is known. Cheap: call it often. */
    void progress(long bytesDone, OptionalLong bytesTotal);

    /** Writes a line into the log of the step. Never give it a secret. */
    void log(String line);

    /** Returns the environment that credentials and endpoints may come from, such as {@code HF_TOKEN}. */
    Map<String, String> environment();
}
