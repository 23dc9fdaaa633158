package io.github.trainer4j.testkit;

import io.github.trainer4j.api.ProgressEvent;
import io.github.trainer4j.api.spi.FetchContext;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a fetch reports and logs. Safe for several threads. */
public final class RecordingFetchContext implements FetchContext {
    private final Map<String, String> environment;
    private final List<ProgressEvent> progress = new CopyOnWriteArrayList<>();
    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Makes a context with this environment. */
    public RecordingFetchContext(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public void progress(long bytesDone, OptionalLong bytesTotal) {
        progress.add(new ProgressEvent("fetch", bytesDone, bytesTotal));
    }

    @Override
    public void log(String line) {
        log.add(line);
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    /** Returns all progress so far, in order; the step is always {@code fetch}. */
    public List<ProgressEvent> progress() {
        return List.copyOf(progress);
    }

    /** Returns all lines that were logged so far, in order. */
    public List<String> log() {
        return List.copyOf(log);
    }
}
